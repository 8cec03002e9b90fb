import { z } from "zod";
import { withoutTrailing } from "../ascii.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { hasVariable, replaceVariables, splitArn, startsWithVariable } from "../policy/arn.ts";
import { isExpression } from "../policy/expression.ts";
import type { Statement } from "../policy/model.ts";
import { arnRegionReport } from "./resource-validation/arn-region.ts";
import { impossibleForm } from "./resource-validation/name-forms.ts";
import { impossibleName } from "./resource-validation/resource-name.ts";
import { type ArnFault, arnFault, maxArnLength } from "./shared/arn-rule.ts";
import { correctedNode } from "./shared/corrected.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { separated, withoutEmptyTexts } from "./shared/list-fixes.ts";
import { partitionOf } from "./shared/placeholders.ts";
import { quote, thousands } from "./shared/quote.ts";

/** Characters of an over-long resource that the finding carries. */
const shownLength = 100;

const options = z.strictObject({
  arn_pattern: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "Regular expression (RE2 syntax, letter case counts) that replaces the built-in ARN rule; matched from the start, open at the end. One that does not compile is ignored.",
    ),
  allow_template_variables: z
    .boolean()
    .default(true)
    .describe(
      "Accept ${...} in any part of an ARN; settings.allow_template_variables, where set, wins over it.",
    ),
});
type Options = z.output<typeof options>;

export const resourceValidation = defineCheck({
  check_id: "resource_validation",
  default_severity: "error",
  description: "Resources are well-formed ARNs.",
  docstring: `Reports values of \`Resource\` and \`NotResource\` that are not ARNs. \`*\` always passes. The rule, with letter
case: six parts between colons.

| Part | Accepted |
| --- | --- |
| 1 | \`arn\` |
| partition | a partition of AWS, or a pattern that matches one |
| service | lower-case letters, digits and hyphens; never a wildcard |
| region | empty, or the name of a Region, or a pattern that matches one |
| account | empty, \`*\`, 12 digits, \`aws\`, or digits mixed with wildcards |
| resource | anything but nothing |

No value may be longer than 2,048 characters. The name of a bucket cannot contain a colon, that of a topic
a slash, and that of a queue either of them: an ARN with such a name matches nothing
(\`arn:aws:sns:...:topic/orders\`). The same goes for the address of a bucket in place of its name, for
\`parameter//name\`, for \`repository/name\` of CodeCommit, and for a secret without the hyphen and six random
characters that end its ARN. Templates are understood: \`\${...}\` may be any part, and a
value that begins with one may be a whole ARN that is not known here. Resource policies may use API Gateway's
short form \`execute-api:/...\`.`,
  risk_explanation:
    "AWS refuses a malformed ARN, or the statement applies to nothing: an Allow grants nothing, a Deny protects nothing.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html",
  remediation_steps: [
    "Take the ARN format of the resource from the service authorization reference.",
    "Fill in partition, service, region, account and resource; leave region or account empty where the format has none.",
    "Use `*` alone only where every resource is meant.",
  ],
  options,
  *optionWarnings({ arn_pattern }) {
    if (arn_pattern !== null && !isExpression(arn_pattern)) {
      yield {
        option: "arn_pattern",
        message: "does not compile (RE2 syntax); the built-in rule holds",
      };
    }
  },
  issue_types: {
    invalid_resource: {
      severity: "check",
      when: "A resource is not a well-formed ARN, is longer than 2,048 characters, or has a name that no bucket, topic, queue, parameter, repository or secret can have.",
    },
    invalid_region: {
      severity: ["error", "warning"],
      when: "The Region of an ARN does not exist, or is not in the partition of the ARN: error within two edits of a Region, else a warning.",
    },
  },
  examples: {
    bad: [
      {
        title: "The name of a bucket is not its ARN, and a colon is missing.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: ["reports/*", "arn:aws:s3::reports/*"],
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Whole ARNs, one with wildcards, one with a policy variable.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObject", "sqs:SendMessage"],
              Resource: [
                "arn:aws:s3:::reports/${aws:username}/*",
                "arn:aws:sqs:*:123456789012:jobs",
              ],
            },
          ],
        },
      },
    ],
  },

  concerns: ({ resources, notResources }) =>
    notResources.length > 0 || resources.some(({ text }) => text !== "*"),

  *runStatement(statement, context) {
    yield* check(statement, "Resource", context);
    if (statement.notResources.length > 0) yield* check(statement, "NotResource", context);
  },
});

function* check(
  statement: Statement,
  element: "Resource" | "NotResource",
  context: CheckContext<Options>,
): Iterable<Report> {
  const isResource = element === "Resource";
  const field_name = isResource ? "resource" : "not_resource";
  const entries = isResource ? statement.resources : statement.notResources;
  for (const { text, node } of entries) {
    if (text === "*") continue;
    if (text.length <= maxArnLength && several.test(replaceVariables(text, "x"))) {
      yield {
        issue_type: "invalid_resource",
        node,
        field_name,
        resource: text,
        message: `The resource ${quote(text)} joins several ARNs in one text. AWS reads it as one ARN, which no resource has.`,
        suggestion: "Write each ARN as an entry of a list.",
        fix: () => separated(statement.raw[element], statement.at(element), isArn),
      };
      continue;
    }
    const fault = tooLong(text) ?? spaceBehind(text) ?? malformed(text, context);
    if (!fault) continue;
    const { corrected, ...report } = fault;
    yield {
      issue_type: "invalid_resource",
      node,
      field_name,
      resource: text,
      ...report,
      ...(text === "" ? { fix: () => withoutEmptyTexts(entries) } : {}),
      ...(corrected === undefined
        ? {}
        : fixedBy(() => correctedNode(node, corrected), {
            title: "Write the ARN that is meant",
            effect: "repairs",
          })),
    };
  }
}

/** An ARN behind a separator: no name of a resource has one. */
const several = /[\s,;|"']arn:[a-z-]*:/;

function isArn(text: string): boolean {
  return arnFault(text, true) === null;
}

type Fault = Pick<Report, "message" | "suggestion" | "aws_issue_code" | "resource" | "severity"> & {
  readonly issue_type?: string;
  /** The ARN that is meant. */
  readonly corrected?: string;
};

function tooLong(text: string): Fault | null {
  if (text.length <= maxArnLength) return null;
  const characters = Array.from(text);
  if (characters.length <= maxArnLength) return null;
  return {
    resource: `${characters.slice(0, shownLength).join("")}...`,
    message: `The resource ${quote(text)} has ${thousands(characters.length)} characters; an ARN has at most ${thousands(maxArnLength)}.`,
    suggestion: "Name the resource by its ARN; shorten a path with `*`.",
  };
}

/** The policy's author cannot see it: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html */
function spaceBehind(text: string): Fault | null {
  if (!text.endsWith(" ")) return null;
  const bare = withoutTrailing(text, " ");
  if (!isArn(bare)) return null;
  return {
    message: `A space follows the resource ${quote(bare)}. AWS compares it as written, so it matches only names that end with a space.`,
    suggestion: "Remove the space.",
    corrected: bare,
  };
}

function malformed(text: string, context: CheckContext<Options>): Fault | null {
  const { policy, options } = context;
  const variables = options.allow_template_variables;
  if (variables && startsWithVariable(text)) return null;
  // API Gateway expands this short form, in its own resource policies only.
  if (policy.type === "RESOURCE_POLICY" && text.startsWith("execute-api:/")) return null;
  const replaced = variables && hasVariable(text);
  const note = replaced ? " (template variables were filled in first)" : "";

  const pattern = usablePattern(options);
  if (pattern !== null) {
    // Letter case counts in ARNs, whatever the default for expressions of the config.
    const matches = context.matches(
      `(?-i:${pattern})`,
      replaced ? withExampleValues(text) : text,
      "start",
    );
    if (matches) return null;
    return {
      message: `The resource ${quote(text)} does not match the configured \`arn_pattern\` ${quote(pattern)}${note}.`,
      suggestion: "Write an ARN of the form that this configuration asks for.",
    };
  }
  const fault = arnFault(text, variables);
  if (!fault) return impossibleName(text) ?? impossibleForm(text) ?? arnRegionReport(text);
  return {
    message: `The resource ${quote(text)} is not an ARN${note}: it ${fault.problem}.`,
    aws_issue_code: fault.code,
    ...advised(fault, text, context),
  };
}

function advised(
  { advice, corrected }: ArnFault,
  text: string,
  context: CheckContext<Options>,
): Pick<Fault, "suggestion" | "corrected"> {
  if (corrected === undefined) return { suggestion: advice };
  const arn = inPartition(corrected, text, context);
  return { corrected: arn, suggestion: `Write ${quote(arn)}.` };
}

/** An ARN that was written without its partition is in that of the others. */
function inPartition(
  arn: string,
  written: string,
  { policy }: Pick<CheckContext, "policy">,
): string {
  return /^(?:arn:)?(?:s3|iam):/i.test(written) ? arn.replace("aws", partitionOf(policy)) : arn;
}

const patterns = new WeakMap<Options, string | null>();

/** The configured pattern, unless it does not compile: then the built-in rule holds. */
function usablePattern(options: Options): string | null {
  if (options.arn_pattern === null) return null;
  let pattern = patterns.get(options);
  if (pattern === undefined) {
    pattern = isExpression(options.arn_pattern) ? options.arn_pattern : null;
    patterns.set(options, pattern);
  }
  return pattern;
}

/** The ARN with something plausible in place of each variable. */
function withExampleValues(text: string): string {
  const arn = splitArn(text);
  if (!arn) return replaceVariables(text, "example");
  return [
    replaceVariables(arn.prefix, "arn"),
    replaceVariables(arn.partition, "aws"),
    replaceVariables(arn.service, "example"),
    replaceVariables(arn.region, "us-east-1"),
    replaceVariables(arn.account, "123456789012"),
    replaceVariables(arn.resource, "example"),
  ].join(":");
}
