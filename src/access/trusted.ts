import type { AccessDocument, Condition } from "./document.ts";
import { conditionsOfCallers } from "./own-access-point.ts";
import { literal, type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { fieldPattern, readTokens, splitFields, type Variables } from "./read-pattern.ts";
import { claimKey, type SharedProvider, type TenantForm, tenantEnd } from "./shared-providers.ts";
import {
  anyCase,
  colon,
  isRun,
  isSingle,
  isVariable,
  noColon,
  run,
  slash,
  type Token,
} from "./tokens.ts";

/** Keys that AWS vouches for and whose fixed values limit callers. */
const valueKeys = [
  "aws:principalorgid",
  "aws:sourceorgid",
  "aws:vpceorgid",
  "aws:sourceaccount",
  "aws:sourceowner",
  "aws:vpceaccount",
  "aws:sourcevpc",
  "aws:sourcevpce",
  "aws:ec2instancesourcevpc",
  "kms:calleraccount",
  "s3:dataaccesspointaccount",
  "s3:x-amz-server-side-encryption-aws-kms-key-id",
  // https://docs.aws.amazon.com/vpc-lattice/latest/ug/auth-policies.html
  "vpc-lattice-svcs:sourcevpc",
  "vpc-lattice-svcs:sourcevpcowneraccount",
];

/** Paths of organisations, each with the key of the organisation's id. */
const pathKeys: ReadonlyMap<string, string> = new Map([
  ["aws:principalorgpaths", "aws:principalorgid"],
  ["aws:sourceorgpaths", "aws:sourceorgid"],
  ["aws:vpceorgpaths", "aws:vpceorgid"],
]);

const arnKeys = [
  "aws:sourcearn",
  "aws:sourcevpcarn",
  "s3:dataaccesspointarn",
  "aws:federatedprovider",
  "ec2:sourceinstancearn",
  "lambda:sourcefunctionarn",
  "ssm:sourceinstancearn",
];

/** Variables whose value is the owner of the resource. */
const ownerKeys = new Set(["aws:resourceaccount", "aws:resourceorgid"]);

/** What a document says about the values of keys, as limits of who may call. */
export class TrustedValues {
  readonly #byKey = new Map<string, { condition: Condition; hasVariables: boolean }[]>();
  readonly #variables: Variables;
  readonly #extra: readonly string[];

  constructor(document: AccessDocument, variables: Variables, extra: readonly string[]) {
    this.#variables = variables;
    this.#extra = extra.map((key) => key.toLowerCase());
    const { hasVariables } = document;
    for (const condition of conditionsOfCallers(document)) {
      const list = this.#byKey.get(condition.keyLower) ?? [];
      list.push({ condition, hasVariables });
      this.#byKey.set(condition.keyLower, list);
    }
  }

  /** The tested keys that are trusted, each with the values of trusted callers. */
  *limits(): Generator<readonly [key: string, trusted: readonly Pattern[]]> {
    for (const key of new Set([...valueKeys, ...this.#extra])) {
      if (this.#byKey.has(key)) yield [key, this.#fixed(key)];
    }
    for (const [key, idKey] of pathKeys) {
      if (this.#byKey.has(key)) yield [key, this.#paths(key, idKey)];
    }
    for (const key of arnKeys) {
      if (!this.#byKey.has(key)) continue;
      yield [key, [...this.#fixed(key), ...this.#accounts(key), ...this.#filled(key)]];
    }
    if (this.#byKey.has("aws:userid")) yield ["aws:userid", this.#ids()];
    const mountTarget = "elasticfilesystem:accessedviamounttarget";
    if (this.#byKey.has(mountTarget)) yield [mountTarget, [literal("true")]];
  }

  /** Accounts and ARNs of callers that the document gives by placeholders of a template: it names them. */
  placeholders(): {
    readonly accounts: readonly (readonly Token[])[];
    readonly arns: readonly Pattern[];
  } {
    const accounts = this.#values("aws:principalaccount");
    const arns: (readonly Token[])[] = [];
    for (const tokens of this.#values("aws:principalarn")) {
      const fields = splitFields(tokens);
      if (fields.length === 6) accounts.push(fields[4] ?? []);
      else arns.push(tokens);
    }
    const isNamed = (tokens: readonly Token[]) =>
      this.#isFixed(tokens) && this.#hasPlaceholder(tokens);
    return { accounts: accounts.filter(isNamed), arns: arns.filter(isNamed).map(patternOf) };
  }

  #hasPlaceholder(tokens: readonly Token[]): boolean {
    return tokens.some((token) => this.#isPlaceholder(token));
  }

  #isPlaceholder(token: Token): boolean {
    return isVariable(token) && this.#variables.of(token).kind === "placeholder";
  }

  /** The claims of a shared provider that the document tests. */
  *claims(
    issuer: string,
    provider: SharedProvider,
    takesUnknown: boolean,
  ): Generator<readonly [key: string, trusted: readonly Pattern[]]> {
    const claims = new Set([...provider.fixed, ...provider.tenant.map(({ claim }) => claim)]);
    for (const claim of claims) {
      const key = claimKey(issuer, claim);
      if (!this.#byKey.has(key)) continue;
      const isFixing = provider.fixed.includes(claim);
      const trusted = this.#values(key).filter(
        (tokens) =>
          (isFixing && this.#isFixed(tokens)) ||
          this.#fixesTenant(tokens, claim, provider) ||
          (provider.isUnknown === true && takesUnknown && claim === "sub" && hasText(tokens)),
      );
      yield [key, trusted.map(patternOf)];
    }
  }

  /** Whether a subject pattern stops the proof because the form of the provider's subjects is unknown. */
  hasUnknownSubject(issuer: string, provider: SharedProvider): boolean {
    if (provider.isUnknown !== true) return false;
    return this.#values(claimKey(issuer, "sub")).some(
      (tokens) => !this.#isFixed(tokens) && hasText(tokens),
    );
  }

  #values(key: string): (readonly Token[])[] {
    return (this.#byKey.get(key) ?? []).flatMap(({ condition, hasVariables }) => {
      const operator = condition.operator.toLowerCase();
      if (operator === "null") return [];
      const base = operator.replace(/^for(?:all|any)values?:/, "").replace(/ifexists$/, "");
      const wildcards = base.startsWith("arn") || base.endsWith("like");
      const reading = {
        wildcards,
        variables: hasVariables,
        ignoreCase: base.endsWith("ignorecase"),
      };
      return condition.values.flatMap((value) => {
        const tokens = readTokens(value, reading, this.#variables);
        return tokens ? [tokens] : [];
      });
    });
  }

  /** Without wildcard and variable; a template's placeholder and the owner's keys are fixed. */
  #isFixed(tokens: readonly Token[]): boolean {
    return tokens.every((token) => {
      if (isRun(token) || isSingle(token)) return false;
      if (!isVariable(token)) return true;
      const { kind, name } = this.#variables.of(token);
      return kind === "placeholder" || ownerKeys.has(name);
    });
  }

  #fixed(key: string): readonly Pattern[] {
    const isFixed = (tokens: readonly Token[]) => this.#isFixed(tokens);
    const fixed = this.#values(key).filter(isFixed);
    // The name of a shared provider, such as `accounts.google.com`, is that of sessions in every account.
    const limiting =
      key === "aws:federatedprovider"
        ? fixed.filter((tokens) => splitFields(tokens).length === 6 || this.#hasPlaceholder(tokens))
        : fixed;
    return limiting.map(patternOf);
  }

  #paths(key: string, idKey: string): readonly Pattern[] {
    const ids = this.#values(idKey).filter((tokens) => this.#isFixed(tokens));
    for (const tokens of this.#values(key)) {
      const id = tokens.slice(0, tokens.indexOf(slash));
      if (tokens.includes(slash) && this.#isFixed(id)) ids.push(id);
    }
    return ids.map((id) => patternOf([...id, slash, run]));
  }

  #accounts(key: string): readonly Pattern[] {
    return this.#values(key).flatMap((tokens) => {
      const fields = splitFields(tokens);
      const account = fields[4] ?? [];
      if (fields.length !== 6 || account.length === 0 || !this.#isFixed(account)) return [];
      const any = [run + noColon];
      return [fieldPattern([unitsOf("arn"), any, any, any, account, [run]])];
    });
  }

  /** ARNs that a placeholder fills in up to a separator: `${FunctionArn}:*`. */
  #filled(key: string): readonly Pattern[] {
    return this.#values(key).flatMap((tokens) => {
      const [first, second] = tokens;
      const isNamed = first !== undefined && this.#isPlaceholder(first);
      return isNamed && (second === colon || second === slash) ? [patternOf(tokens)] : [];
    });
  }

  #ids(): readonly Pattern[] {
    return this.#values("aws:userid").flatMap((tokens) => {
      const end = tokens.indexOf(colon);
      const id = end < 0 ? tokens : tokens.slice(0, end);
      if (!this.#isFixed(id)) return [];
      return [patternOf(id), patternOf([...id, colon, run])];
    });
  }

  #fixesTenant(tokens: readonly Token[], claim: string, { tenant }: SharedProvider): boolean {
    const open = tokens.findIndex((token) => !this.#isFixed([token]));
    const isWhole = open < 0;
    const head = isWhole ? tokens : tokens.slice(0, open);
    const text = textOf(head);
    return tenant.some((form) => {
      if (form.claim !== claim || (form.ends === "" && !isWhole)) return false;
      if (this.#namesTenant(head, isWhole, form) || tenantEnd(text, form) !== null) return true;
      const { prefix } = form;
      return isWhole && prefix !== "" && text.startsWith(prefix) && text.length > prefix.length;
    });
  }

  /** Whether the customer may be in the text of a placeholder: something fixed or the end follows it. */
  #namesTenant(head: readonly Token[], isWhole: boolean, { prefix, lacks }: TenantForm): boolean {
    const at = head.findIndex((token) => this.#isPlaceholder(token));
    if (at < 0 || (!isWhole && at + 1 === head.length)) return false;
    const before = textOf(head.slice(0, at));
    if (lacks && [...lacks].some((character) => before.includes(character))) return false;
    return before.startsWith(prefix) || prefix.startsWith(before);
  }
}

/** The text of fixed tokens: letters that may be in either case are small, and an x is in the place of a variable. */
function textOf(tokens: readonly Token[]): string {
  const units = tokens.map((token) => (isVariable(token) ? 120 : token % anyCase));
  return String.fromCharCode(...units);
}

/** At least one character that is not a wildcard. */
function hasText(tokens: readonly Token[]): boolean {
  return tokens.some((token) => !isRun(token) && !isSingle(token));
}
