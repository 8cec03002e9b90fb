import type { CheckContext } from "../../engine/check.ts";
import type { ConditionEntry, PrincipalEntry, Statement } from "../../policy/model.ts";
import { statementName } from "../shared/access/words.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { conditionalDeniesOf, coversGrant } from "../shared/grants/denies.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { lacksForService } from "./absent-keys.ts";
import { type Effect, isReadable, passesWithoutKey, type ReadableEntry } from "./effect.ts";

type Context = Pick<CheckContext, "policy" | "services">;

const exemption = { BoolIfExists: { "aws:PrincipalIsAWSService": "false" } };

/**
 * A Deny for everyone outside an organization, a network or some roles, which a service is, too. Another statement lets the
 * service in for what the Deny covers, so that it never gets in.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalisawsservice
 */
export function stoppedService(
  entry: ReadableEntry,
  statement: Statement,
  { policy, services }: Context,
): Effect | null {
  const { conditions, principals } = statement;
  if (policy.type !== "RESOURCE_POLICY" && policy.type !== "TRUST_POLICY") return null;
  if (!statement.denies || entry !== conditions[0]) return null;
  if (!principals.some(({ type, text }) => type === "AWS" && text === "*")) return null;
  const denies = conditionalDeniesOf(policy, services.date);
  for (const allow of policy.statements) {
    const service = allow.allows ? onlyService(allow) : null;
    if (!service || !conditions.every((one) => isReadable(one) && holdsFor(one, service))) continue;
    const isDenied = allow.actions.some(({ text }) => denies.of(text).includes(statement));
    const isReached = policy.type === "TRUST_POLICY" || coversGrant(statement, allow);
    if (!isDenied || !isReached) continue;
    const isAbsent = lacksForService(entry.keyLower, [service]) && !isOfPlace(entry);
    return {
      kind: "forwarded",
      entry,
      reason: `${quote(entry.operatorText)} on ${quote(entry.key)} also holds for the requests of ${quote(service.text)}, ${isAbsent ? "which do not have the key" : "which have none of the values"}.`,
      consequence: `This Deny takes back what ${lowerFirst(statementName(allow.sid, allow.index))} allows the service.`,
      suggestion: 'Add `"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}` to the condition.',
      ...fixedBy(() => statementWithCondition(statement, exemption), {
        title: "Exempt the requests of AWS services",
        effect: "changes",
      }),
    };
  }
  return null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A service that the statement lets in; null where it also lets in others, which the Deny may leave. */
function onlyService({ principals, notPrincipals }: Statement): PrincipalEntry | null {
  const [service] = principals;
  if (!service || notPrincipals.length > 0) return null;
  return principals.every(({ type, text }) => type === "Service" && text !== "*") ? service : null;
}

function isOfPlace({ keyLower }: ConditionEntry): boolean {
  return keyLower === "aws:sourceip";
}

/** Whether the entry is met by every request that the service makes for itself, for certain. */
function holdsFor(entry: ReadableEntry, service: PrincipalEntry): boolean {
  const { operator, keyLower, values } = entry;
  const { base, setPrefix } = operator;
  if (values.length === 0) return false;
  const lacks = lacksForService(keyLower, [service]) && !isOfPlace(entry);
  if (base.type === null) return lacks && switchValue(values) === true;
  if (lacks) return (base.negated && setPrefix !== "ForAnyValue") || passesWithoutKey(entry);
  if (!base.negated || setPrefix !== null) return false;
  if (isOfPlace(entry)) return values.every(({ text }) => isSmallRange(text));
  const form = Object.hasOwn(ofCustomers, keyLower) ? ofCustomers[keyLower] : undefined;
  return form !== undefined && values.every(({ text }) => form.test(text));
}

/** Values that only users, roles and accounts of customers have. */
const ofCustomers: Readonly<Record<string, RegExp>> = {
  "aws:principalarn": /^arn:[^:]*:(?:iam|sts):[^:]*:\d{12}:/,
  "aws:principalaccount": /^\d{12}$/,
  "aws:userid": /^(?:A[A-Z0-9]{15,}(?::.*)?|\d{12})$/,
};

/** Services call from addresses of AWS, which are in none of the ranges that a company has; a large one may hold them. */
function isSmallRange(text: string): boolean {
  const bits = /^[0-9.]+(?:\/(\d+))?$/.exec(text);
  return bits !== null && Number(bits[1] ?? 32) >= 20;
}
