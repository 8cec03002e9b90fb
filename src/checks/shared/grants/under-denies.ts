import type { CheckContext } from "../../../engine/check.ts";
import type { NodeRef } from "../../../json/node.ts";
import { parseOperator } from "../../../policy/condition-operator.ts";
import { FactSlot } from "../../../policy/fact-slot.ts";
import type { ConditionEntry, Statement, StatementElement } from "../../../policy/model.ts";
import { switchValue } from "../switch-value.ts";
import { conditionalDeniesOf, coversGrant } from "./denies.ts";
import { grantCondition } from "./grant-conditions.ts";

type Context = Pick<CheckContext, "policy" | "services">;

const known = new FactSlot<Statement, Map<string, Statement>>();

/**
 * A Deny with a condition leaves of a grant what does not meet that condition: beside `Deny` with
 * `StringNotEquals` `iam:PassedToService` `ec2.amazonaws.com`, an Allow is as narrow as with
 * its own `StringEquals`.
 * @returns the Allow with what the Denies that cover the action leave; itself where they do not limit it.
 */
export function underDenies(statement: Statement, action: string, context: Context): Statement {
  const denies = conditionalDeniesOf(context.policy, context.services.date);
  if (!denies.exist) return statement;
  const prefix = action.slice(0, Math.max(0, action.indexOf(":"))).toLowerCase();
  if (!statement.allows || !denies.concern(prefix)) return statement;
  const covering = denies.of(action).filter((deny) => coversGrant(deny, statement));
  if (covering.length === 0) return statement;
  const key = covering.map(({ index }) => index).join(" ");
  const byDenies = known.get(statement) ?? new Map<string, Statement>();
  known.set(statement, byDenies);
  let limited = byDenies.get(key);
  if (!limited) {
    limited = limitedBy(covering, statement, context);
    byDenies.set(key, limited);
  }
  return limited;
}

function limitedBy(denies: readonly Statement[], allow: Statement, context: Context): Statement {
  const spared = denies.flatMap((deny) => sparedBy(deny) ?? []);
  if (spared.length === 0) return allow;
  const { entries } = grantCondition(new StatementUnderDenies(allow, spared), context);
  const limits = spared.filter((one) =>
    entries.some(
      ({ read, shortfall }) =>
        read.entry === one &&
        ((read.limiting && shortfall === null) || one.keyLower === "iam:passedtoservice"),
    ),
  );
  return limits.length === 0 ? allow : new StatementUnderDenies(allow, limits);
}

/** What a request must meet to escape the Deny; null where one test does not say it. */
function sparedBy({ conditions }: Statement): ConditionEntry | null {
  const [only, ...others] = conditions.filter((entry) => !isAboutServices(entry));
  return only && others.length === 0 ? opposite(only) : null;
}

/** `aws:PrincipalIsAWSService` or `aws:ViaAWSService` `false`: spares calls by AWS services only. */
function isAboutServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return (
    operator?.base.name === "Bool" &&
    (keyLower === "aws:principalisawsservice" || keyLower === "aws:viaawsservice") &&
    switchValue(values) === false
  );
}

const opposites: ReadonlyMap<string, string> = new Map(
  [
    ["StringEquals", "StringNotEquals"],
    ["StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"],
    ["StringLike", "StringNotLike"],
    ["ArnEquals", "ArnNotEquals"],
    ["ArnLike", "ArnNotLike"],
    ["IpAddress", "NotIpAddress"],
    ["NumericEquals", "NumericNotEquals"],
    ["NumericLessThan", "NumericGreaterThanEquals"],
    ["NumericLessThanEquals", "NumericGreaterThan"],
    ["DateEquals", "DateNotEquals"],
    ["DateLessThan", "DateGreaterThanEquals"],
    ["DateLessThanEquals", "DateGreaterThan"],
    ["Bool", "Bool"],
    ["Null", "Null"],
  ].flatMap(([one = "", other = ""]): [string, string][] => [
    [one, other],
    [other, one],
  ]),
);

/** The entry that holds for exactly the requests for which this one does not; null where there is none. */
function opposite(entry: ConditionEntry): ConditionEntry | null {
  const { operator, values } = entry;
  const base = operator && opposites.get(operator.base.name);
  if (!operator || !base) return null;
  const isOrdered = /^(?:Numeric|Date)(?:Less|Greater)/.test(base);
  const isSwitch = base === "Bool" || base === "Null";
  if ((isOrdered || isSwitch) && values.length !== 1) return null;
  // With several values the opposite of a set operator asks the other one; see `holdsWhenAbsent`.
  if (operator.setPrefix === "ForAnyValue" && operator.ifExists) return null;
  const prefix = { ForAllValues: "ForAnyValue:", ForAnyValue: "ForAllValues:" };
  const isOptional = base !== "Null" && operator.setPrefix === null && !holdsWhenAbsent(entry);
  const operatorText = `${operator.setPrefix ? prefix[operator.setPrefix] : ""}${base}${isOptional ? "IfExists" : ""}`;
  return {
    ...entry,
    operatorText,
    operator: parseOperator(operatorText),
    values: isSwitch ? values.map((value) => ({ ...value, ...flipped(value.text) })) : values,
  };
}

/** Negated operators and `IfExists` hold for requests without the key. */
function holdsWhenAbsent({ operator }: ConditionEntry): boolean {
  return operator !== null && (operator.base.negated || operator.ifExists);
}

function flipped(text: string): { readonly text: string; readonly raw: string } {
  const other = text.toLowerCase() === "true" ? "false" : "true";
  return { text: other, raw: other };
}

/** An Allow with further conditions. */
class StatementUnderDenies implements Statement {
  readonly facts: unknown[] = [];
  readonly conditions: readonly ConditionEntry[];
  readonly #allow: Statement;

  constructor(allow: Statement, spared: readonly ConditionEntry[]) {
    this.#allow = allow;
    this.conditions = [...allow.conditions, ...spared];
  }

  get index() {
    return this.#allow.index;
  }
  get node() {
    return this.#allow.node;
  }
  get raw() {
    return this.#allow.raw;
  }
  get sid() {
    return this.#allow.sid;
  }
  get effect() {
    return this.#allow.effect;
  }
  get allows() {
    return this.#allow.allows;
  }
  get denies() {
    return this.#allow.denies;
  }
  get actions() {
    return this.#allow.actions;
  }
  get notActions() {
    return this.#allow.notActions;
  }
  get resources() {
    return this.#allow.resources;
  }
  get notResources() {
    return this.#allow.notResources;
  }
  get principals() {
    return this.#allow.principals;
  }
  get notPrincipals() {
    return this.#allow.notPrincipals;
  }
  has(element: StatementElement): boolean {
    return this.#allow.has(element);
  }
  at(element: StatementElement): NodeRef {
    return this.#allow.at(element);
  }
}
