import { type Condition, keys, type Pair, type Statement } from "./pairs.ts";

/**
 * "Some request is allowed by the policy and not by the baseline", in SMT-LIB with the theory of
 * strings. Written from AWS's rules and apart from src/access, so that the two share no fault.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
 * @see https://smt-lib.org/theories-UnicodeStrings.shtml
 */
export function scriptOf({ policy, baseline }: Pair): string {
  return script(policy, baseline, []);
}

/**
 * The same question in cases that the solver finds easier: one for each Allow of the policy, with or
 * without an ARN, and with each key present or absent. Some case is satisfiable exactly when the
 * question is.
 */
export function casesOf({ policy, baseline }: Pair): readonly string[] {
  const denies = policy.filter(({ effect }) => effect === "Deny");
  const facts = ["hasArn", ...keys.map((_, at) => `has${at}`)];
  return policy.flatMap((one) =>
    one.effect === "Deny"
      ? []
      : Array.from({ length: 2 ** facts.length }, (_, bits) => {
          const known = facts.map((fact, at) => ((bits >> at) & 1 ? fact : `(not ${fact})`));
          return script([one, ...denies], baseline, known);
        }),
  );
}

function script(
  policy: readonly Statement[],
  baseline: readonly Statement[],
  known: readonly string[],
): string {
  const lines = ["(declare-const action String)", "(declare-const hasArn Bool)"];
  for (const name of fields) lines.push(`(declare-const ${name} String)`);
  for (const [at] of keys.entries()) {
    lines.push(`(declare-const has${at} Bool)`, `(declare-const value${at} String)`);
  }
  lines.push(
    // Actions ignore letter case, so only folded ones are asked about.
    `(assert (str.in_re action (re.++ ${notColon(lowerOrOther)} (str.to_re ":") (re.* ${lowerOrOther}))))`,
    ...fields.slice(0, -1).map((name) => `(assert ${isIn(name, `(re.* ${notColonChar})`)})`),
    ...known.map((fact) => `(assert ${fact})`),
    `(assert ${allowed(policy)})`,
    `(assert (not ${allowed(baseline)}))`,
    "(check-sat)",
  );
  return lines.join("\n");
}

const anyChar = "re.allchar";
const lowerOrOther = '(re.diff re.allchar (re.range "A" "Z"))';
const notColonChar = '(re.diff re.allchar (str.to_re ":"))';
function notColon(char: string): string {
  return `(re.* (re.inter ${char} ${notColonChar}))`;
}

/** What follows `arn:`, each in a separate variable: the solver is fastest with short texts. */
const fields = ["partition", "service", "region", "account", "rest"] as const;

function allowed(all: readonly Statement[]): string {
  const matching = (effect: Statement["effect"]) =>
    either(all.filter((one) => one.effect === effect).map(matches));
  return both([matching("Allow"), `(not ${matching("Deny")})`]);
}

function matches(one: Statement): string {
  const actions = either(one.actions.map((text) => isIn("action", wildcard(text, false))));
  const resources = either(one.resources.map(takesResource));
  return both([
    one.notActions ? `(not ${actions})` : actions,
    one.notResources ? `(not ${resources})` : resources,
    ...one.conditions.map(holds),
  ]);
}

/** A pattern of the fragment is `*` or has an ARN's form, whose wildcards stay in their field. */
function takesResource(text: string): string {
  if (text === "*") return "true";
  const [, ...parts] = text.split(":");
  const last = parts.splice(4).join(":");
  const met = [...parts, last].map((part, at) => {
    const name = fields[at] ?? "rest";
    return isIn(name, wildcard(part, name !== "rest"));
  });
  return both(["hasArn", ...met]);
}

function holds({ operator, key, values }: Condition): string {
  const at = keys.indexOf(key);
  const present = `has${at}`;
  if (operator === "Null") return values[0] === "true" ? `(not ${present})` : present;
  const ifExists = operator.endsWith("IfExists");
  const name = operator.replace("IfExists", "").replace(/^For\w+:/, "");
  const negated = name.includes("Not");
  const among = either(values.map((value) => isIn(`value${at}`, valuePattern(name, value))));
  const met = negated ? `(not ${among})` : among;
  const absent = operator.startsWith("ForAll")
    ? true
    : operator.startsWith("ForAny")
      ? false
      : negated;
  return `(ite ${present} ${met} ${absent || ifExists})`;
}

function valuePattern(name: string, value: string): string {
  if (name.endsWith("Like")) return wildcard(value, false);
  if (!name.endsWith("IgnoreCase")) return `(str.to_re ${quoted(value)})`;
  return concatenated(
    Array.from(value, (char) => {
      const forms = [...new Set([char.toLowerCase(), char.toUpperCase()])];
      return union(forms.map((form) => `(str.to_re ${quoted(form)})`));
    }),
  );
}

function wildcard(text: string, inField: boolean): string {
  const char = inField ? notColonChar : anyChar;
  const parts = text.split(/([*?])/).filter((part) => part !== "");
  return concatenated(
    parts.map((part) =>
      part === "*" ? `(re.* ${char})` : part === "?" ? char : `(str.to_re ${quoted(part)})`,
    ),
  );
}

function concatenated(parts: readonly string[]): string {
  if (parts.length === 0) return '(str.to_re "")';
  return parts.length === 1 ? (parts[0] ?? "") : `(re.++ ${parts.join(" ")})`;
}

function union(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `(re.union ${parts.join(" ")})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function isIn(name: string, pattern: string): string {
  return `(str.in_re ${name} ${pattern})`;
}

function either(parts: readonly string[]): string {
  return parts.length === 0 ? "false" : `(or ${parts.join(" ")})`;
}

function both(parts: readonly string[]): string {
  return `(and ${parts.join(" ")})`;
}
