import type { IssueCode } from "../../access-analyzer/codes.ts";
import type { CodePlace, Correction } from "../../engine/check.ts";
import { addCondition, removeConditions, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { stepsOf } from "../../json/node.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { matchAction } from "../../services/match-action.ts";
import { correctedEntry, renamedOperator } from "./corrected-entry.ts";
import { fixFrom, type Promised, withEdit } from "./fixed-by.ts";
import { vpcInput } from "./placeholders.ts";
import { ownBucket, withoutForeignAction } from "./resource-type-fixes.ts";

/** A test of a condition, at the place of a code. */
interface TestPlace extends CodePlace {
  readonly statement: Statement;
  readonly entry: ConditionEntry;
}

type CodeFix = (place: CodePlace) => FixProposal | null;

/** The fix of a code whose place is a test of a condition. */
function ofTest(fix: (place: TestPlace) => FixProposal | null): CodeFix {
  return (place) => {
    const { issue, statement } = place;
    const steps = issue.nodes[0] ? stepsOf(issue.nodes[0]) : [];
    const at = steps.indexOf("Condition");
    const entry = statement?.conditions.find(
      ({ operatorText, key }) => operatorText === steps[at + 1] && key === steps[at + 2],
    );
    return statement && entry ? fix({ ...place, statement, entry }) : null;
  };
}

function corrected(
  correct: (place: TestPlace) => Correction | null,
  promised: Promised | ((place: TestPlace) => Promised),
): CodeFix {
  return ofTest((place) =>
    fixFrom(correct(place), typeof promised === "function" ? promised(place) : promised),
  );
}

const asNull: CodeFix = ofTest(({ entry, statement }) => {
  const value = String(entry.operator?.base.negated === true);
  return fixFrom(correctedEntry(statement, entry, { operator: "Null", value }), {
    title: "Ask whether the key is there with Null",
    effect: "equivalent",
    argument: "A lone star matches every value, so only the presence of the key decides.",
  });
});

/** Turns the values of another type into text. */
const quotedValues: CodeFix = ofTest(({ entry, statement }) =>
  fixFrom(correctedEntry(statement, entry, { value: entry.values.map(({ text }) => text) }), {
    title: "Write all values of the key as text",
    effect: "repairs",
  }),
);

/** Seconds since 1970 as a date of ISO 8601. */
const isoDate: CodeFix = ({ issue }) => {
  const [node] = issue.nodes;
  const seconds = Number(/^`([0-9]+)`/.exec(issue.details)?.[1]);
  if (!node || !Number.isSafeInteger(seconds) || seconds > 8_640_000_000_000) return null;
  return {
    title: "Write the date in ISO 8601",
    effect: "equivalent",
    edits: [replaceValue(node, new Date(seconds * 1_000).toISOString().replace(".000Z", "Z"))],
    argument: "Both texts name the same second.",
  };
};

const pairedVpc: CodeFix = ofTest(({ entry, statement }) => {
  // A further test in a Deny would let more requests through.
  if (!statement.allows || entry.operator?.base.negated !== false) return null;
  return withEdit(addCondition(statement, "StringEquals", "aws:SourceVpc", vpcInput.placeholder), {
    title: "Test the VPC beside the private address",
    effect: "narrows",
    needs_input: [vpcInput],
  });
});

/**
 * For actions that send the key; those that write never do.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
const withSelect: CodeFix = ofTest(({ statement, services }) => {
  const sendKey = statement.actions.some(({ text }) => {
    const meaning = matchAction(services, text);
    const actions =
      meaning.kind === "action"
        ? [meaning.action]
        : meaning.kind === "pattern"
          ? meaning.actions
          : [];
    return actions.some((action) => action.supportsKey("dynamodb:select"));
  });
  if (!sendKey) return null;
  return withEdit(
    addCondition(statement, "StringEqualsIfExists", "dynamodb:Select", "SPECIFIC_ATTRIBUTES"),
    {
      title: "Allow only requests that name the attributes",
      effect: statement.allows ? "narrows" : "changes",
    },
  );
});

/** The issue is about the operator, with all of its keys. */
const plainNull: CodeFix = ({ issue, statement }) => {
  const steps = issue.nodes[0] ? stepsOf(issue.nodes[0]) : [];
  const operator = steps[steps.indexOf("Condition") + 1];
  if (!statement || typeof operator !== "string") return null;
  return fixFrom(renamedOperator(statement, operator, "Null"), {
    title: "Remove the set prefix from Null",
    effect: "repairs",
  });
};

/** One of several spellings of a key, where all have the same values; else it is open which values are meant. */
const oneSpelling: CodeFix = ofTest(({ entry, statement }) => {
  const { operatorText, keyLower } = entry;
  const [first, ...others] = statement.conditions.filter(
    (one) => one.operatorText === operatorText && one.keyLower === keyLower,
  );
  const textsOf = ({ values }: ConditionEntry) => values.map(({ text }) => text).join("\n");
  if (!first || others.some((one) => textsOf(one) !== textsOf(first))) return null;
  return withEdit(removeConditions(statement, others), {
    title: "Keep one spelling of the condition key",
    effect: "repairs",
  });
});

/** Where the Deny spares services already, one that asks for their calls would deny nothing. */
function beyondServices(fix: (place: TestPlace) => FixProposal | null): CodeFix {
  return ofTest((place) => {
    const { conditions } = place.statement;
    return conditions.some(({ keyLower }) => keyLower === "aws:principalisawsservice")
      ? null
      : fix(place);
  });
}

/** Fixes of the codes that no check of ours finds on its own. */
export const codeFixes: Partial<Record<IssueCode, CodeFix>> = {
  EQUIVALENT_TO_NULL_FALSE: asNull,
  EQUIVALENT_TO_NULL_TRUE: asNull,
  DUPLICATE_KEYS_WITH_DIFFERENT_CASE: oneSpelling,
  INVALID_CONDITION_DATA_TYPE: quotedValues,
  INVALID_DATE_VALUE: isoDate,
  NULL_WITH_QUALIFIER: plainNull,
  FORANYVALUE_WITH_AUDIENCE_CLAIM_TYPE: corrected(
    ({ statement, entry }) =>
      correctedEntry(statement, entry, {
        operator: entry.operatorText.slice(entry.operatorText.indexOf(":") + 1),
      }),
    { title: "Remove the set prefix, because the audience has one value", effect: "changes" },
  ),
  MISSING_PAIRED_CONDITION_KEYS: pairedVpc,
  DYNAMODB_ATTRIBUTES_WITHOUT_SELECT: withSelect,
  UNSUPPORTED_ACTION_IN_POLICY: withoutForeignAction,
  UNSUPPORTED_RESOURCE_ARN_IN_POLICY: ownBucket,
  RCP_MISSING_RELATED_SERVICE_PRINCIPAL_CONDITION_KEY: beyondServices(({ statement }) =>
    withEdit(addCondition(statement, "BoolIfExists", "aws:PrincipalIsAWSService", "true"), {
      title: "Limit the Deny to calls of AWS services",
      effect: "changes",
    }),
  ),
  RCP_MISSING_SERVICE_CONDITION_KEY_NULL_CHECK: beyondServices(({ statement }) =>
    withEdit(addCondition(statement, "Null", "aws:SourceAccount", "false"), {
      title: "Limit the Deny to calls that name their source",
      effect: "changes",
    }),
  ),
};
