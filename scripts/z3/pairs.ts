import type { Random } from "../../fuzz/random.ts";

/** A condition on a tag of the caller. `Null` has `true` or `false` as its only value. */
export interface Condition {
  readonly operator: string;
  readonly key: (typeof keys)[number];
  readonly values: readonly string[];
}

/** A statement of the fragment: a policy of it is an identity policy without variables. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly notActions: boolean;
  readonly resources: readonly string[];
  readonly notResources: boolean;
  readonly conditions: readonly Condition[];
}

export interface Pair {
  readonly policy: readonly Statement[];
  readonly baseline: readonly Statement[];
}

export const keys = ["aws:PrincipalTag/a", "aws:PrincipalTag/b"] as const;

const bases = [
  "StringEquals",
  "StringNotEquals",
  "StringLike",
  "StringNotLike",
  "StringEqualsIgnoreCase",
  "StringNotEqualsIgnoreCase",
  "ForAllValues:StringLike",
  "ForAnyValue:StringNotEquals",
] as const;

/** A pair; often the baseline is the policy with one change, so that both verdicts come up. */
export function pairOf(random: Random): Pair {
  const policy = statements(random);
  if (random.chance(0.3)) return { policy, baseline: statements(random) };
  const at = random.below(policy.length);
  const changed = policy.map((one, index) => (index === at ? changedStatement(random, one) : one));
  const baseline = random.chance(0.3) ? [...changed, statement(random)] : changed;
  return random.chance(0.5) ? { policy, baseline } : { policy: baseline, baseline: policy };
}

function statements(random: Random): readonly Statement[] {
  return Array.from({ length: random.between(1, 3) }, () => statement(random));
}

function statement(random: Random): Statement {
  return {
    effect: random.chance(0.7) ? "Allow" : "Deny",
    actions: some(random, 2, action),
    notActions: random.chance(0.15),
    resources: some(random, 2, resource),
    notResources: random.chance(0.15),
    conditions: random.chance(0.5) ? distinct(some(random, 2, condition)) : [],
  };
}

function changedStatement(random: Random, one: Statement): Statement {
  return random.weighted<Statement>([
    [2, () => ({ ...one, actions: [...one.actions, action(random)] })],
    [2, () => ({ ...one, resources: [...one.resources, resource(random)] })],
    [1, () => ({ ...one, actions: one.actions.slice(1) })],
    [1, () => ({ ...one, resources: some(random, 2, resource) })],
    [3, () => ({ ...one, conditions: distinct([...one.conditions, condition(random)]) })],
    [1, () => ({ ...one, conditions: one.conditions.slice(1) })],
    [1, () => ({ ...one, notActions: !one.notActions })],
  ]);
}

function some<Item>(random: Random, most: number, make: (random: Random) => Item): readonly Item[] {
  return Array.from({ length: random.between(1, most) }, () => make(random));
}

/** An operator takes each key once. */
function distinct(conditions: readonly Condition[]): readonly Condition[] {
  const byName = new Map(conditions.map((one) => [`${one.operator} ${one.key}`, one]));
  return [...byName.values()];
}

function action(random: Random): string {
  if (random.chance(0.1)) return "*";
  return `${random.pick(["s3", "iam", "*", "s?"])}:${word(random, ["get", "put", "a", "b", "*", "?"], 3)}`;
}

function resource(random: Random): string {
  const last = word(random, ["a", "b", "/", ":", "*", "?"], 4);
  return random.weighted([
    [1, () => "*"],
    [1, () => `arn:*:s3:*:*:${last}`],
    [1, () => `arn:aws:s?:us-east-1:1111*:${last}`],
    [6, () => `arn:aws:s3:::${last}`],
  ]);
}

function condition(random: Random): Condition {
  const key = random.pick(keys);
  if (random.chance(0.2)) {
    return { operator: "Null", key, values: [random.pick(["true", "false"])] };
  }
  const ifExists = random.chance(0.25) ? "IfExists" : "";
  return {
    operator: `${random.pick(bases)}${ifExists}`,
    key,
    values: some(random, 2, (one) => word(one, ["a", "b", "A", "*", "?"], 3)),
  };
}

function word(random: Random, parts: readonly string[], most: number): string {
  return Array.from({ length: random.between(1, most) }, () => random.pick(parts)).join("");
}

/** The statements as a policy document. */
export function documentOf(all: readonly Statement[]): object {
  return {
    Version: "2012-10-17",
    Statement: all.map((one) => {
      const Condition: Record<string, Record<string, readonly string[]>> = {};
      for (const { operator, key, values } of one.conditions) {
        Condition[operator] = { ...Condition[operator], [key]: values };
      }
      return {
        Effect: one.effect,
        [one.notActions ? "NotAction" : "Action"]: one.actions,
        [one.notResources ? "NotResource" : "Resource"]: one.resources,
        Condition,
      };
    }),
  };
}
