/** Edits of policies, for the tables that say which of them change a verdict. */
import { isRecord } from "../../src/record.ts";

type Statement = Record<string, unknown>;
type Policy = Record<string, unknown> & { Statement: Statement[] };

/** @returns a copy of the policy with its statements as a list; null for anything else. */
export function asPolicy(value: unknown): Policy | null {
  if (!isRecord(value)) return null;
  const copy = structuredClone(value) as Record<string, unknown>;
  const statements = [copy.Statement].flat();
  if (statements.length === 0 || !statements.every(isRecord)) return null;
  return { ...copy, Statement: statements as Statement[] };
}

/** Changes a copy of a policy; null where the policy has nothing that the edit is about. */
export type Edit = (policy: Policy) => unknown;

const listNames = ["Action", "NotAction", "Resource", "NotResource"] as const;
const wrap = (value: unknown) => (typeof value === "string" ? [value] : value);

function mapStatements(policy: Policy, change: (statement: Statement) => Statement): Policy {
  return { ...policy, Statement: policy.Statement.map(change) };
}

function mapCondition(
  statement: Statement,
  change: (operator: string, key: string, values: unknown) => [string, string, unknown],
): Statement {
  if (!isRecord(statement.Condition)) return statement;
  const Condition: Record<string, Record<string, unknown>> = {};
  for (const [operator, keys] of Object.entries(statement.Condition)) {
    if (!isRecord(keys)) return statement;
    if (Object.keys(keys).length === 0) Condition[operator] = {};
    for (const [key, values] of Object.entries(keys)) {
      const [name, to, changed] = change(operator, key, values);
      Condition[name] = { ...Condition[name], [to]: changed };
    }
  }
  return { ...statement, Condition };
}

/** Edits that AWS reads as the same policy. */
export const neutral: Readonly<Record<string, Edit>> = {
  "single values as lists": (policy) =>
    mapStatements(policy, (statement) => ({
      ...mapCondition(statement, (operator, key, values) => [operator, key, wrap(values)]),
      ...Object.fromEntries(
        listNames.flatMap((name) =>
          Object.hasOwn(statement, name) ? [[name, wrap(statement[name])]] : [],
        ),
      ),
    })),
  "one statement as an object": (policy) =>
    policy.Statement.length === 1 ? { ...policy, Statement: policy.Statement[0] } : null,
  "members in reverse order": (policy) =>
    mapStatements(policy, (statement) => Object.fromEntries(Object.entries(statement).reverse())),
  "names of actions in upper case": (policy) =>
    mapStatements(policy, (statement) => {
      const upper = (value: unknown) =>
        typeof value === "string" && !value.includes("${")
          ? value.replace(/:(.*)/, (_, name: string) => `:${name.toUpperCase()}`)
          : value;
      const changed = (["Action", "NotAction"] as const).flatMap((name) => {
        const value = statement[name];
        if (!Object.hasOwn(statement, name)) return [];
        return [[name, Array.isArray(value) ? value.map(upper) : upper(value)]];
      });
      return { ...statement, ...Object.fromEntries(changed) };
    }),
  "condition operators in lower case": (policy) =>
    mapStatements(policy, (statement) =>
      mapCondition(statement, (operator, key, values) => [operator.toLowerCase(), key, values]),
    ),
  "booleans as JSON values": (policy) =>
    mapStatements(policy, (statement) =>
      mapCondition(statement, (operator, key, values) => [
        operator,
        key,
        /^(?:bool|null)/i.test(operator) && (values === "true" || values === "false")
          ? values === "true"
          : values,
      ]),
    ),
  "statement ids added": (policy) =>
    policy.Statement.some((statement) => Object.hasOwn(statement, "Sid"))
      ? null
      : {
          ...policy,
          Statement: policy.Statement.map((statement, at) => ({ Sid: `S${at}`, ...statement })),
        },
  "a policy id added": (policy) => ("Id" in policy ? null : { Id: "example", ...policy }),
};

/** An edit that breaks a policy, and the issue types of which one must be reported then. */
export interface Breaking {
  readonly edit: Edit;
  readonly reports: readonly string[];
}

/** Changes the first statement for which `change` gives another one. */
function changeFirst(policy: Policy, change: (one: Statement) => Statement | null): Policy | null {
  const at = policy.Statement.findIndex((statement) => change(statement) !== null);
  const changed = policy.Statement[at] && change(policy.Statement[at]);
  return changed ? { ...policy, Statement: policy.Statement.with(at, changed) } : null;
}

/** Changes the first entry of a condition for which `change` gives another one. */
function changeEntry(
  policy: Policy,
  change: (operator: string, key: string, values: unknown) => [string, string, unknown] | null,
): Policy | null {
  return changeFirst(policy, (statement) => {
    let done = false;
    const changed = mapCondition(statement, (operator, key, values) => {
      const other = done ? null : change(operator, key, values);
      if (other) done = true;
      return other ?? [operator, key, values];
    });
    return done ? changed : null;
  });
}

const texts = (value: unknown) => [value].flat().filter((one) => typeof one === "string");

/** Edits of which each changes what a policy means, or whether AWS takes it. */
export const breaking: Readonly<Record<string, Breaking>> = {
  "a letter more in the name of an action": {
    reports: ["invalid_action"],
    edit: (policy) =>
      changeFirst(policy, (statement) => {
        const [action] = texts(statement.Action);
        if (action === undefined || /[*?]/.test(action) || !action.includes(":")) return null;
        return { ...statement, Action: [...texts(statement.Action).slice(1), `${action}zq`] };
      }),
  },
  "a letter more in a global condition key": {
    reports: ["invalid_condition_key"],
    edit: (policy) =>
      changeEntry(policy, (operator, key, values) =>
        /^aws:[a-z0-9]+$/i.test(key) ? [operator, `${key}zq`, values] : null,
      ),
  },
  "a letter more in a condition operator": {
    reports: ["invalid_operator"],
    edit: (policy) =>
      changeEntry(policy, (operator, key, values) => [`${operator}zq`, key, values]),
  },
  "a pattern under an operator for plain text": {
    reports: ["wildcard_without_like", "literal_wildcard_deny_carve_out"],
    edit: (policy) =>
      changeEntry(policy, (operator, key, values) =>
        /^(?:For\w+:)?String(?:Not)?Like/i.test(operator) &&
        texts(values).some((text) => /[*?]/.test(text.replace(/\$\{[^}]*\}/g, "")))
          ? [operator.replace(/Like/i, "Equals"), key, values]
          : null,
      ),
  },
  "an effect in small letters": {
    reports: ["invalid_effect"],
    edit: (policy) =>
      changeFirst(policy, (statement) =>
        typeof statement.Effect === "string"
          ? { ...statement, Effect: statement.Effect.toLowerCase() }
          : null,
      ),
  },
  "no effect": {
    reports: ["missing_effect"],
    edit: (policy) => changeFirst(policy, ({ Effect: _, ...statement }) => statement),
  },
  "a misspelt element": {
    reports: ["unknown_field", "missing_action"],
    edit: (policy) =>
      changeFirst(policy, ({ Action, ...statement }) =>
        Action === undefined ? null : { ...statement, Actions: Action },
      ),
  },
  "a service principal without its domain": {
    reports: ["invalid_principal_value"],
    edit: (policy) =>
      changeFirst(policy, (statement) => {
        const { Principal } = statement;
        if (!isRecord(Principal) || !Object.hasOwn(Principal, "Service")) return null;
        const [name = ""] = texts(Principal.Service);
        return { ...statement, Principal: { ...Principal, Service: name.split(".")[0] } };
      }),
  },
  "an account id that lost a digit": {
    reports: ["invalid_principal_value"],
    edit: (policy) =>
      changeFirst(policy, (statement) => {
        const { Principal } = statement;
        if (!isRecord(Principal)) return null;
        const [name = ""] = texts(Principal.AWS);
        if (!/\d{12}/.test(name)) return null;
        return { ...statement, Principal: { ...Principal, AWS: name.replace(/\d(\d{11})/, "$1") } };
      }),
  },
  "no condition on an Allow for everyone": {
    reports: ["public_access"],
    edit: (policy) =>
      policy.Statement.some(({ Effect }) => Effect === "Deny")
        ? null
        : changeFirst(policy, ({ Condition, ...statement }) => {
            const { Principal } = statement;
            const names = isRecord(Principal) ? Principal.AWS : Principal;
            return Condition !== undefined && texts(names).includes("*") ? statement : null;
          }),
  },
};
