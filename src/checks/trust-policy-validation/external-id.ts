import type { CheckContext, Report } from "../../engine/check.ts";
import { addConditions } from "../../fixes/edits.ts";
import type {
  ConditionEntry,
  Entry,
  Policy,
  PrincipalEntry,
  Statement,
} from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { statementName } from "../shared/access/words.ts";
import { limitingEntries, type ReadEntry, readCondition } from "../shared/condition-limits.ts";
import { reasonOf } from "../shared/condition-reasons.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { withEdit } from "../shared/fixed-by.ts";
import { wholeAccount } from "../shared/grants/whole-account.ts";
import { input } from "../shared/placeholders.ts";
import { quote } from "../shared/quote.ts";
import { accountOf, listDate, vendorOf } from "./vendors.ts";

const externalId = "sts:ExternalId";
const externalIdLower = externalId.toLowerCase();

/**
 * A role that a third party takes without an external id: a vendor of many customers, or one that another statement
 * asks for the id.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
export function* missingExternalId(
  statement: Statement,
  { policy, peer }: Pick<CheckContext, "policy" | "peer">,
): Generator<Report> {
  if (!statement.allows || policy.type !== "TRUST_POLICY") return;
  const entry = assumption(statement);
  if (!entry || requiredId(statement) || policy.statements.some(deniesOtherIds)) return;
  const vendor = statement.principals.find((one) => vendorOf(one) !== undefined);
  const name = vendor && vendorOf(vendor);
  const [tested] = readCondition(statement).of(externalId);
  if (vendor && tested && isReported(tested, peer)) return;
  const report =
    vendor && name !== undefined
      ? withoutIdOfVendor(statement, vendor, name)
      : withoutIdOfOther(statement, policy);
  if (report) {
    yield {
      ...report,
      issue_type: "missing_external_id",
      field_name: "principal",
      action: entry.text,
    };
  }
}

/** Whether another check says that the test does not limit, and so that the id is not required. */
function isReported(tested: ReadEntry, peer: CheckContext["peer"]): boolean {
  if (tested.optional) return peer("ifexists_condition_usage") !== undefined;
  return (tested.negated || tested.openness !== null) && peer("condition_effect") !== undefined;
}

type Lack = Omit<Report, "issue_type">;

function withoutIdOfVendor(statement: Statement, vendor: PrincipalEntry, name: string): Lack {
  const [tested] = readCondition(statement).of(externalId);
  const isTested = tested !== undefined;
  const why = tested ? ` ${reasonOf(tested, statement)}` : "";
  return {
    node: vendor.node,
    reasons: tested ? [tested.entry.keyNode] : [],
    message: `${quote(vendor.text)} is in an account from which ${name} takes roles of many customers (list of ${listDate}), and no condition ${isTested ? "limits" : "tests"} ${quote(externalId)}.${why} Another customer who knows the ARN of this role can have ${name} use it.`,
    suggestion: `Require with \`StringEquals\` the ${quote(externalId)} that ${name} shows for your account.`,
    ...(isTested
      ? {}
      : {
          correction: () =>
            statementWithCondition(statement, {
              StringEquals: { [externalId]: "example-external-id" },
            }),
          fix: () =>
            withEdit(
              addConditions(statement, { StringEquals: { [externalId]: "<external-id>" } }),
              {
                title: "Require the external id",
                effect: "narrows",
                needs_input: [input("external-id", `The external id that ${name} shows`)],
                argument: "A further test in an Allow lets no further request in.",
              },
            ),
        }),
  };
}

/** A statement without limits for a principal that another statement lets in with an external id only. */
function withoutIdOfOther(statement: Statement, { statements }: Policy): Lack | null {
  if (limitingEntries(statement).length > 0) return null;
  for (const other of statements) {
    const wanted = other !== statement && other.allows && assumption(other) && requiredId(other);
    if (!wanted) continue;
    const pairs = statement.principals.flatMap((principal) =>
      other.principals.flatMap((asked) =>
        includes(principal, asked) ? [{ principal, asked }] : [],
      ),
    );
    const [pair] = pairs;
    if (!pair) continue;
    const { principal, asked } = pair;
    const who = principal.text === asked.text ? "it" : `its account ${quote(principal.text)}`;
    const block = { [wanted.operatorText]: { [wanted.key]: wanted.values.map(({ raw }) => raw) } };
    const isTested = readCondition(statement).of(externalId).length > 0;
    return {
      node: principal.node,
      message: `${statementName(other.sid, other.index)} asks ${quote(asked.text)} for the external id, and this statement lets ${who} assume the role without one.`,
      suggestion: `Repeat the test of ${quote(externalId)} here, or remove the principal from this statement.`,
      ...(isTested
        ? {}
        : {
            correction: () => statementWithCondition(statement, block),
            fix: () =>
              withEdit(addConditions(statement, block), {
                title: "Require the external id here too",
                effect: "narrows",
                argument: "A further test in an Allow lets no further request in.",
              }),
          }),
    };
  }
  return null;
}

/** Whether all that the asked principal is, or belongs to, is let in by the other one. */
function includes(one: PrincipalEntry, asked: PrincipalEntry): boolean {
  if (one.type !== "AWS" || asked.type !== "AWS") return false;
  if (one.text === asked.text) return one.text !== "*";
  const account = wholeAccount(one);
  return account !== null && account === accountOf(asked);
}

/** The action entry with which a caller assumes the role; a pattern for others does not count. */
function assumption({ actions }: Statement): Entry | undefined {
  return actions.find(({ text }) => globMatches(text, "sts:AssumeRole", { ignoreCase: true }));
}

function requiredId(statement: Statement): ConditionEntry | undefined {
  return limitingEntries(statement).find(({ keyLower }) => keyLower === externalIdLower);
}

/** A Deny of the callers who send another external id, or none. */
function deniesOtherIds(statement: Statement): boolean {
  const { denies, conditions } = statement;
  const [entry, ...others] = conditions;
  if (!denies || entry?.keyLower !== externalIdLower || others.length > 0) return false;
  return entry.operator?.base.negated === true && assumption(statement) !== undefined;
}
