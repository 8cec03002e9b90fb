/** Partitions of AWS, commercial first. */
export const partitions: readonly string[] = [
  "aws",
  "aws-cn",
  "aws-us-gov",
  "aws-eusc",
  "aws-iso",
  "aws-iso-b",
  "aws-iso-e",
  "aws-iso-f",
];

/**
 * Words in the account field other than `aws`, by service: that of the formats of the service reference, and that of the
 * policies of partners, such as the boundary in the managed policy `AccountManagementFromVercel`.
 */
const accountWords: ReadonlyMap<string, string> = new Map([
  ["mediaconnect", "offering"],
  ["iam", "partner"],
]);

/** @returns whether the account field is a word that the ARNs of the service have there. */
export function hasAccountWord({ service, account }: Pick<Arn, "service" | "account">): boolean {
  return accountWords.get(service.toLowerCase()) === account;
}

/** The six parts of an ARN, as written; `resource` is everything after the fifth colon. */
export interface Arn {
  /** `arn` in a well-formed ARN. */
  readonly prefix: string;
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

/**
 * Splits at the first five colons, without validation. The star of a short ARN goes over colons, so that
 * `arn:aws:waf:*` is `arn:aws:waf:*:*:*`.
 * @param variables Whether a colon inside `${...}` does not separate fields; a `${` without `}` is text.
 * @returns null if there are fewer than five such colons, and not three or four with a lone star after the last.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
 */
export function splitArn(text: string, variables = true): Arn | null {
  const split = variables && text.includes("${") ? splitFields : splitPlain;
  const arn = split(text);
  if (arn || !text.endsWith(":*")) return arn;
  return split(`${text}:*`) ?? split(`${text}:*:*`);
}

function splitFields(text: string): Arn | null {
  let variableFrom = text.indexOf("${");
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(":"); parts.length < 5; ) {
    if (at < 0) return null;
    if (variableFrom >= 0 && variableFrom < at) {
      const closed = text.indexOf("}", variableFrom);
      if (closed > at) at = text.indexOf(":", closed);
      variableFrom = closed < 0 ? -1 : text.indexOf("${", closed);
      continue;
    }
    parts.push(text.slice(from, at));
    from = at + 1;
    at = text.indexOf(":", from);
  }
  const [prefix = "", partition = "", service = "", region = "", account = ""] = parts;
  return { prefix, partition, service, region, account, resource: text.slice(from) };
}

/** Without variables, as nearly all texts are. */
function splitPlain(text: string): Arn | null {
  const first = text.indexOf(":");
  if (first < 0) return null;
  const second = text.indexOf(":", first + 1);
  if (second < 0) return null;
  const third = text.indexOf(":", second + 1);
  if (third < 0) return null;
  const fourth = text.indexOf(":", third + 1);
  if (fourth < 0) return null;
  const fifth = text.indexOf(":", fourth + 1);
  if (fifth < 0) return null;
  return {
    prefix: text.slice(0, first),
    partition: text.slice(first + 1, second),
    service: text.slice(second + 1, third),
    region: text.slice(third + 1, fourth),
    account: text.slice(fourth + 1, fifth),
    resource: text.slice(fifth + 1),
  };
}

const variable = /\$\{[A-Za-z0-9_.:/-]+\}/;
const anyVariable = /\$\{[^{}]*\}/g;
const placeholder = /\$\{[^{}]+\}|\{\{[^{}]+\}\}/g;

/** @returns Whether the text contains `${name}`, where name consists of letters, digits and `_ - . : /`. */
export function hasVariable(text: string): boolean {
  return variable.test(text);
}

/** @returns Whether the text begins with `${name}`, so that its ARN is unknown here. */
export function startsWithVariable(text: string): boolean {
  return text.startsWith("${") && text.search(variable) === 0;
}

/** Replaces every `${...}` by `replacement`, which is plain text. */
export function replaceVariables(text: string, replacement: string): string {
  if (!text.includes("${")) return text;
  return text.replace(anyVariable, () => replacement);
}

/** @returns Whether the text contains a template placeholder: `${name}` or `{{ name }}`. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0;
}

/** Replaces every template placeholder, `${name}` or `{{ name }}`, by `replacement`, which is plain text. */
export function replacePlaceholders(text: string, replacement: string): string {
  return text.replace(placeholder, () => replacement);
}

/**
 * The literal texts around the placeholders, one more than there are placeholders:
 * `a${b}c` has `["a", "c"]`.
 */
export function literalsAround(text: string): string[] {
  return text.split(placeholder);
}
