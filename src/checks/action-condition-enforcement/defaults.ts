import type { ConfiguredSeverity } from "../../../spec/severity.ts";
import { ActionRequirement } from "./requirement.ts";

const plainHttp =
  "The statement lets requests over plain HTTP in. Set `aws:SecureTransport` to `true`, or leave it out here and deny plain HTTP in the bucket policy.";
const everyAddress =
  "A range of all addresses limits nothing. Give the ranges of your own networks, or remove the condition.";

const passRole: ActionRequirement = {
  actions: ["iam:PassRole"],
  severity: "high",
  required_conditions: [
    {
      condition_key: "iam:PassedToService",
      description:
        "Passing a role hands its permissions to a service. Say which service may receive it with `iam:PassedToService`, if possible which resource with `iam:AssociatedResourceArn`, and name the roles in `Resource`.",
    },
  ],
  // The only policy of a role as a resource is its trust policy.
  policy_types: ["IDENTITY_POLICY"],
};

const bucketBoundary: ActionRequirement = {
  actions: ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"],
  severity: "low",
  required_conditions: {
    any_of: [
      {
        condition_key: "aws:ResourceOrgID",
        description: "keeps data in buckets of your organisation",
      },
      {
        condition_key: "aws:ResourceOrgPaths",
        description: "keeps data in one part of your organisation",
      },
      {
        condition_key: "aws:SourceIp",
        description: "limits the network; better together with `aws:ResourceAccount`",
      },
      {
        condition_key: "aws:SourceVpc",
        description: "limits the network; better together with `aws:ResourceAccount`",
      },
      {
        condition_key: "aws:SourceVpce",
        description: "limits the network; better together with `aws:ResourceAccount`",
      },
      {
        condition_key: "aws:ResourceAccount",
        description: "keeps data in buckets of one account",
      },
    ],
  },
  // A bucket policy stands on its bucket: there the account is fixed.
  policy_types: ["IDENTITY_POLICY"],
};

/** Requirements that apply unless the config gives others, in order. */
export const defaultRequirements: readonly ActionRequirement[] = [
  passRole,
  bucketBoundary,
  {
    action_patterns: ["^ssm:StartSession$", "^ssm:Run.*$", "^rds-db:Connect$"],
    severity: "low",
    required_conditions: [
      {
        condition_key: "aws:SourceIp",
        description:
          "This opens interactive or database access from anywhere. Limit it to the public address ranges you work from with `aws:SourceIp`.",
      },
    ],
    // Instances and database users have no policies.
    policy_types: ["IDENTITY_POLICY"],
  },
  {
    actions: ["s3:GetObject", "s3:PutObject"],
    severity: "critical",
    required_conditions: {
      none_of: [
        { condition_key: "aws:SecureTransport", expected_value: false, description: plainHttp },
      ],
    },
  },
  {
    action_patterns: ["^s3:.*"],
    severity: "high",
    required_conditions: {
      none_of: [
        {
          condition_key: "aws:SourceIp",
          expected_value: ["0.0.0.0/0", "::/0"],
          description: everyAddress,
        },
      ],
    },
  },
];

/** The built-in requirements by their content: a parsed config has copies of them. */
const builtin: ReadonlyMap<string, ActionRequirement> = new Map(
  defaultRequirements.map((one) => [JSON.stringify(ActionRequirement.parse(one)), one]),
);

const known = new WeakMap<ActionRequirement, ActionRequirement | null>();

/** @returns the built-in requirement that this is a copy of; null for one that an operator wrote. */
function builtinOf(requirement: ActionRequirement): ActionRequirement | null {
  let found = known.get(requirement);
  if (found === undefined) {
    found = builtin.get(JSON.stringify(ActionRequirement.parse(requirement))) ?? null;
    known.set(requirement, found);
  }
  return found;
}

/** @returns whether the requirement is a built-in one: those follow what is granted, and how far. */
export function isDefault(requirement: ActionRequirement): boolean {
  return builtinOf(requirement) !== null;
}

/** @returns whether one finding per policy says all there is to say. */
export function isOncePerPolicy(requirement: ActionRequirement): boolean {
  return builtinOf(requirement) === bucketBoundary;
}

/** @returns the severity on resources that are named; undefined where it is the same. */
export function severityOnNamed(requirement: ActionRequirement): ConfiguredSeverity | undefined {
  return builtinOf(requirement) === passRole ? "medium" : undefined;
}
