import { isRecord } from "../record.ts";

/**
 * Whether a JSON or YAML value is a policy or a list of statements, decided by its shape and not by its
 * name, so that a search of a repository validates only policies. Member names are compared without
 * case, and one missing or misspelt member does not hide a policy. Known lookalikes are not policies:
 * data protection policies of CloudWatch Logs and SNS, WAF rules, Cedar, and stack policies of CloudFormation.
 */
export function isPolicyShaped(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isStatement);
  if (!isRecord(value)) return false;
  const members = lowerCased(value);
  const statements = listOf(members.get("statement"));
  if (statements.some(isStatement)) return !isStackPolicy(statements);
  if (isIamVersion(members.get("version"))) return true;
  return isStatement(value);
}

/**
 * Whether a text that is neither JSON nor YAML was probably meant as a policy, so that a search does
 * not pass over a policy with a syntax error. A template with `{{ }}` or `{% %}` outside quotes is not.
 */
export function mentionsPolicy(text: string): boolean {
  if (/^[ \t]*\{[{%]|:\s*\{[{%]/m.test(text)) return false;
  return /(?:^|[\s"'\u201c-\u201f{,])Statement["'\u201c-\u201f]?\s*[:=]/i.test(text);
}

/** A statement has an effect and says what it is about; either may be missing, but not both. */
function isStatement(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const members = lowerCased(value);
  const effect = members.get("effect");
  const word = typeof effect === "string" ? effect.trim().toLowerCase() : "";
  // Cedar: https://docs.cedarpolicy.com/policies/json-format.html
  if (word === "permit" || word === "forbid") return false;
  const hasEffect = word === "allow" || word === "deny";
  const hasAction = members.has("action") || members.has("notaction");
  const hasSubject = ["resource", "notresource", "principal", "notprincipal"].some((name) =>
    members.has(name),
  );
  return hasEffect ? hasAction || hasSubject : hasAction && hasSubject;
}

/**
 * The actions of stack policies begin with `Update:`.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
 */
function isStackPolicy(statements: readonly unknown[]): boolean {
  const actions = statements.filter(isRecord).flatMap((statement) => {
    const members = lowerCased(statement);
    return listOf(members.get("action") ?? members.get("notaction"));
  });
  const isUpdate = (action: unknown) => typeof action === "string" && /^update:/i.test(action);
  return actions.length > 0 && actions.every(isUpdate);
}

/** The two versions of the policy language. YAML 1.1 writers leave them unquoted. */
function isIamVersion(version: unknown): boolean {
  return version === "2012-10-17" || version === "2008-10-17";
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function lowerCased(value: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}
