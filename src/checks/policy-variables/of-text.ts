import { editDistance } from "../../edit-distance.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { ConditionType } from "../../policy/condition-operator.ts";
import {
  type VariableFault,
  type VariableText,
  variablesIn,
} from "../../policy/policy-variables.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { didYouMean, quote } from "../shared/quote.ts";
import type { Place } from "./places.ts";
import { kindOf } from "./variable.ts";

/** Operators of these types compare with values that hold no variables. */
const literalTypes: ReadonlySet<ConditionType> = new Set([
  "Numeric",
  "Date",
  "IPAddress",
  "Binary",
]);

/** All that is to say about the variables of one text, at most one finding for each. */
export function* reportsOfText(
  place: Place,
  context: Pick<CheckContext, "services">,
): Iterable<Report> {
  const seen = new Set<string>();
  for (const variable of variablesIn(place.text)) {
    if (seen.has(variable.written)) continue;
    seen.add(variable.written);
    const told = reportOf(variable, place, context);
    if (told) {
      yield { issue_type: "invalid_policy_variable", ...place.about, node: place.node, ...told };
    }
  }
}

type Told = Pick<
  Report,
  "message" | "suggestion" | "severity" | "aws_issue_code" | "correction" | "fix"
>;

function reportOf(
  variable: VariableText,
  place: Place,
  context: Pick<CheckContext, "services">,
): Told | null {
  const { written, fault, key } = variable;
  if (fault === "empty") return ofFault(variable, fault, place);
  const kind = kindOf(variable, context);
  if (kind.kind === "placeholder") return null;
  if (!place.takesVariables) {
    return {
      message: `\`${place.element}\` holds the policy variable ${quote(written)}, but AWS replaces variables only in resources and in condition values.`,
      suggestion:
        place.element === "Sid"
          ? "Write a statement id of letters and digits."
          : "Name the principals, or leave the choice to a condition on `aws:PrincipalArn` or `aws:PrincipalTag/…`.",
      aws_issue_code: "VARIABLE_UNSUPPORTED_IN_ELEMENT",
    };
  }
  if (fault) {
    const told = ofFault(variable, fault, place);
    if (fault === "brace") return { ...told, fix: () => closed(variable, place, context) };
    const corrected = kind.kind === "known" ? wellFormed(variable) : null;
    if (corrected === null) return told;
    const { text, node } = place;
    return {
      ...told,
      ...fixedBy(() => ({ node, value: text.replaceAll(written, () => corrected) }), {
        title: "Write the policy variable as AWS reads it",
        effect: "repairs",
      }),
    };
  }
  if (kind.kind === "multivalued") {
    return {
      message: `${quote(key)} has several values in one request, and AWS replaces only variables of keys with one value.`,
      suggestion: "Use a key with one value, or list the values in the condition.",
    };
  }
  if (kind.kind === "unknown") return unknown(variable, kind.near, place, context);
  return ofOperator(variable, place);
}

function unknown(
  { written, key }: VariableText,
  near: readonly string[],
  place: Place,
  { services }: Pick<CheckContext, "services">,
): Told {
  const tag = /^aws:(Principal|Request|Resource)Tags?[:.=_-](?=.)/i.exec(key);
  const ofTag = tag && `aws:${tag[1]}Tag/${key.slice(tag[0].length)}`;
  const meant = ofTag ?? clearlyNearest(key, near);
  const corrected = meant === null ? null : written.replace(key, () => meant);
  return {
    message: `${quote(written)} is not a known policy variable (reference data of ${services.date}). AWS does not replace it, so no request matches it.`,
    suggestion: ofTag
      ? `Write ${quote(`\${${ofTag}}`)}.`
      : near.length > 0
        ? didYouMean(near.map((name) => `\${${name}}`))
        : "Use the name of a condition key that requests carry, such as `aws:username` or `aws:PrincipalTag/team`.",
    ...(corrected === null
      ? {}
      : {
          ...fixedBy(
            () => ({
              node: place.node,
              value: place.text.replaceAll(written, () => corrected),
            }),
            { title: "Correct the name of the policy variable", effect: "repairs" },
          ),
        }),
  };
}

/** The name within two edits that no other is as near to; null for a beginning that several have, as `aws:user`. */
function clearlyNearest(key: string, names: readonly string[]): string | null {
  const begun = names.filter((name) => name.toLowerCase().startsWith(key.toLowerCase()));
  if (begun.length > 1) return null;
  const edits = (name: string) => editDistance(name.toLowerCase(), key.toLowerCase());
  const [first, second] = names.toSorted((one, other) => edits(one) - edits(other));
  if (first === undefined || edits(first) > 2) return null;
  return second === undefined || edits(first) < edits(second) ? first : null;
}

const faults: Readonly<Record<VariableFault, { problem: string; advice: string; code: string }>> = {
  brace: {
    problem: "has no closing brace",
    advice: "Close the variable with `}`.",
    code: "MISSING_BRACE_IN_VARIABLE",
  },
  quote: {
    problem: "has a default value without a single quote at each end",
    advice: "Write the default in single quotes, as in `${aws:username, 'nobody'}`.",
    code: "MISSING_QUOTE_IN_VARIABLE",
  },
  space: {
    problem: "contains a space in its name",
    advice: "Remove the space.",
    code: "UNSUPPORTED_SPACE_IN_VARIABLE",
  },
  empty: {
    problem: "contains no condition key",
    advice: "Write the name of a condition key, or `${$}{}` where this very text is meant.",
    code: "EMPTY_VARIABLE",
  },
};

function ofFault({ written, key }: VariableText, fault: VariableFault, place: Place): Told {
  const { problem, advice, code } = faults[fault];
  return {
    message: `The variable ${quote(written)} ${problem}, so AWS does not replace it.`,
    suggestion: advice,
    aws_issue_code: code,
    ...(fault === "space"
      ? {
          ...fixedBy(
            () => ({
              node: place.node,
              value: place.text.replaceAll(written, () => `\${${key}}`),
            }),
            { title: "Remove the spaces from the policy variable", effect: "repairs" },
          ),
        }
      : {}),
  };
}

/** The variable with its brace, where a name that is known is in front of what follows. */
function closed(
  { written }: VariableText,
  { text, node }: Place,
  context: Pick<CheckContext, "services">,
): FixProposal | null {
  if (text.indexOf(written) !== text.lastIndexOf(written)) return null;
  const [whole = "", name = ""] = /^\$\{([\w.-]+:[\w-]+)(?:\/[\w-]+)?/.exec(written) ?? [];
  const names = [whole.slice("${".length), name];
  const known = names.find(
    (key) =>
      key !== "" && kindOf({ written: `\${${key}}`, key, fault: null }, context).kind === "known",
  );
  if (known === undefined) return null;
  const rest = written.slice("${".length + known.length);
  return {
    title: "Close the policy variable",
    effect: "repairs",
    edits: [
      replaceValue(
        node,
        text.replace(written, () => `\${${known}}${rest}`),
      ),
    ],
  };
}

/** The variable without spaces in its name, and with quotes around its default. */
function wellFormed({ written, key }: VariableText): string | null {
  const comma = written.indexOf(",");
  if (comma < 0) return `\${${key}}`;
  const value = written.slice(comma + 1, -1).trim();
  const text = value.replace(/^["']|["']$/g, "");
  return text === "" || /["']/.test(text) ? null : `\${${key}, '${text}'}`;
}

function ofOperator({ written }: VariableText, { condition }: Place): Told | null {
  const operator = condition?.operator;
  if (!operator) return null;
  const { type } = operator.base;
  const name = quote(condition.operatorText);
  if (type === null || type === "Bool") {
    return {
      severity: "info",
      message: `${quote(written)} is a value under ${name}. AWS documents variables for String and ARN operators and for \`Bool\`; its own policy check reports them here.`,
      suggestion: "Write `true` or `false` where the value is known.",
      aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR",
    };
  }
  if (!literalTypes.has(type)) return null;
  return {
    message: `${quote(written)} is a value under ${name}, whose values AWS does not replace, so no request matches it.`,
    suggestion: `Write a value, or compare with a String operator where the key allows it.`,
    aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR",
  };
}
