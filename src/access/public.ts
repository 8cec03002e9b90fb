import type { Network } from "../policy/model.ts";
import type { Asking, QuestionOptions } from "./answers.ts";
import { accountsIn, asking, having, open, originsOf, unreadableOf } from "./asking.ts";
import { freshService } from "./caller-kinds.ts";
import { accountArns, type Caller, caller, isAwsIdentity, split } from "./callers.ts";
import { isAllowed } from "./confirm.ts";
import type { AccessDocument, AccessType } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import type { Leaf } from "./leaf.ts";
import { type Literal, opaque } from "./literals.ts";
import { type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { isWideNetwork } from "./pick-value.ts";
import { settingOf, splits } from "./setting.ts";
import { issuerOf, sharedProvider } from "./shared-providers.ts";
import type { StatementReader } from "./statements.ts";
import { TrustedValues } from "./trusted.ts";
import { isUntrusted } from "./untrusted.ts";

export interface PublicOptions extends QuestionOptions {
  /** Further keys whose fixed values count as a limit. */
  readonly extraTrustedKeys: readonly string[];
  /** What alone reaches the resource of the policy; null or absent: the internet. */
  readonly network?: Network | null;
}

/** Does a resource or trust policy let in somebody whom it does not name? */
export function* askPublic(
  policy: AccessDocument,
  type: AccessType,
  options: PublicOptions,
): Asking {
  const own = originsOf(policy, "policy");
  const setting = settingOf([policy], type, options);
  const callers = strangers(policy, type)
    .flatMap((one) => splits(one, setting.defaults))
    .flatMap((one) => reaching(one, options.network ?? null) ?? []);
  const doubtful = new Set<Caller>();
  const asked = [...callers];
  for (const one of callers) {
    // The same provider once more, for subjects of a form that is not known: what that shows is a doubt.
    if (sharedProvider(one.name)?.isUnknown !== true) continue;
    const again = { ...one, id: `${one.id} doubtful` };
    doubtful.add(again);
    asked.push(again);
  }
  // The values of all statements, read once for each kind of caller.
  const limitsBy = new Map<StatementReader, Map<Caller, readonly Literal[] | null>>();
  const limitsFor = (reader: StatementReader, one: Caller): readonly Literal[] | null => {
    let limits = limitsBy.get(reader);
    if (!limits) {
      const known = new TrustedValues(policy, reader.variables, options.extraTrustedKeys);
      limits = new Map(
        asked.map((each) => {
          const found = limitsOf(reader, known, each, doubtful.has(each));
          return [each, found && [...found, ...notNamed(reader, known, each, policy)]];
        }),
      );
      limitsBy.set(reader, limits);
    }
    return limits.get(one) ?? null;
  };
  return yield* asking(
    { ...setting, callers: asked },
    {
      ...open,
      grants: having(own, "allow"),
      branches: [{ also: null, blockers: having(own, "deny"), reason: "public" }],
      unreadable: unreadableOf([[policy, "policy"]]),
      limits: limitsFor,
      isImpossible: isNarrow,
      confirm: (request) => {
        const now = isAllowed(evaluate(policy, type, request, setting.keys));
        if (now !== "yes") return now;
        return isUntrusted(request, policy, options.extraTrustedKeys) ? "yes" : "no";
      },
    },
  );
}

/**
 * The caller with what its requests carry where a network alone reaches the resource; null: they do not reach it. The
 * owner of a VPC decides who is in it. Requests through an interface endpoint have the keys of the endpoint, and an address
 * of the caller's VPC in a key of their own.
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/vpc.html#vpc-security
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-aws-condition-keys.html
 */
function reaching(one: Caller, network: Network | null): Caller | null {
  if (network === null) return one;
  if (network === "vpc") return null;
  const present = new Set([...one.present, "aws:sourcevpc", "aws:sourcevpce"]);
  return split(one, present, new Set([...one.absent, "aws:sourceip"]));
}

/** Callers that the document does not name: those that the question is asked of. */
export function strangers(document: AccessDocument, type: AccessType): readonly Caller[] {
  const named = accountsIn([document]);
  const digits = [..."987654321"].map((digit) => digit.repeat(12));
  const fresh = digits.find((account) => !named.has(account)) ?? null;
  // A pattern such as `4*` lets in accounts that are not the one above.
  const accounts = hasAccountPattern(document) ? [fresh, null] : [fresh];
  const entries = document.statements.flatMap(({ principal }) => principal?.entries ?? []);
  const callers: Caller[] = type === "trust" ? [] : [caller("anonymous")];
  for (const account of new Set(accounts)) {
    for (const kind of ["role", "user", "root"] as const) callers.push(caller(kind, "", account));
  }
  callers.push(caller("service", freshService(JSON.stringify(document.statements))));
  const providers = new Set<string>();
  for (const { type: kind, text } of entries) {
    if (kind === "Federated" && sharedProvider(text)) providers.add(text);
    if (type === "trust" && text === "*") providers.add("accounts.google.com");
  }
  for (const provider of providers) callers.push(caller("federated", provider));
  return callers;
}

/** Whether wildcards leave open some of the accounts that callers belong to. */
function hasAccountPattern({ statements, hasVariables }: AccessDocument): boolean {
  const isOpen = (text: string) => text !== "*" && /[*?]/.test(text);
  // A variable makes another key equal to the account, and that key may have such a pattern.
  const isBound = (text: string) => hasVariables && text.includes("${");
  return statements.some(
    ({ principal, conditions }) =>
      principal?.entries.some(({ type, text }) => type === "AWS" && isOpen(text)) ||
      conditions.some(({ keyLower, values }) =>
        isAccountKey(keyLower)
          ? values.some((text) => isOpen(text) || isBound(text))
          : hasVariables && values.some((text) => accountVariable.test(text)),
      ),
  );
}

const accountVariable = /\$\{\s*aws:principal(?:account|arn)/i;
const isAccountKey = (key: string) => key === "aws:principalaccount" || key === "aws:principalarn";

/** Trusted keys are absent or have a value that the document does not give. */
function limitsOf(
  reader: StatementReader,
  trusted: TrustedValues,
  one: Caller,
  isDoubtful: boolean,
): readonly Literal[] | null {
  const limits: Literal[] = [];
  for (const [key, patterns] of trusted.limits()) {
    const literal = notAmong(reader, key, patterns, one);
    if (literal) limits.push(literal);
  }
  const provider = sharedProvider(one.name);
  if (!provider) return limits;
  const issuer = issuerOf(one.name);
  if (isDoubtful && !trusted.hasUnknownSubject(issuer, provider)) return null;
  for (const [key, patterns] of trusted.claims(issuer, provider, !isDoubtful)) {
    const literal = notAmong(reader, key, patterns, one);
    if (literal) limits.push(literal);
  }
  if (isDoubtful) {
    const place = { construct: issuer, path: "", side: "policy", text: issuer, key: null } as const;
    limits.push(opaque(reader.terms, `subject ${issuer}`, place));
  }
  return limits;
}

/**
 * The owner of the resource is named, and so is the caller whose account or ARN a template fills in: no
 * caller here is one of them.
 */
function notNamed(
  reader: StatementReader,
  trusted: TrustedValues,
  one: Caller,
  document: AccessDocument,
): readonly Literal[] {
  const { statements } = document;
  const named = trusted.placeholders();
  const accounts = [...named.accounts];
  if (isAwsIdentity(one.kind) && one.account === null) {
    for (const account of accountsIn([document])) accounts.push(unitsOf(account));
  }
  if (/\$\{\s*aws:resourceaccount/i.test(JSON.stringify(statements))) {
    const owner = { kind: "key", name: "aws:resourceaccount", fallback: null } as const;
    accounts.push([reader.variables.token(owner)]);
  }
  const [key, patterns] = isAwsIdentity(one.kind)
    ? (["aws:principalarn", [...accounts.map(accountArns), ...named.arns]] as const)
    : (["aws:principalaccount", accounts.map(patternOf)] as const);
  const literal = notAmong(reader, key, patterns, one);
  return literal ? [literal] : [];
}

function notAmong(
  reader: StatementReader,
  key: string,
  patterns: readonly Pattern[],
  one: Caller,
): Literal | null {
  const dimension = reader.dimensionOf(key);
  if (dimension.family !== "text" || patterns.length === 0) return null;
  return reader.terms.literal({
    dimension: dimension.index,
    absentOk: true,
    quantifier: dimension.isMultivalued ? "every" : "one",
    texts: {
      negated: true,
      patterns: patterns.flatMap((pattern) => reader.settle(pattern, one) ?? []),
    },
    ranges: null,
  });
}

/** Whether a leaf asks for an address of a network that is narrow enough to be a limit. */
function isNarrow({ state, scope }: Leaf): boolean {
  const dimension = scope.terms.find("aws:sourceip");
  const ids = dimension && state[dimension.index];
  if (!dimension || !ids || scope.feasibility.of(dimension, ids).absent) return false;
  const literals = ids.map((id) => scope.terms.get(id));
  return !isWideNetwork(scope.feasibility.ranges(dimension, literals));
}
