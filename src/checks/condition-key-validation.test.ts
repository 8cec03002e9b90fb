import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { conditionKeyValidation } from "./condition-key-validation.ts";

const on = (Action: unknown, Condition: object, more: object = {}) => [
  { Effect: "Allow", Action, Resource: "*", Condition, ...more },
];
const equals = (...keys: string[]) => ({
  StringEquals: Object.fromEntries(keys.map((key) => [key, "x"])),
});
const invalid = (action: string, condition_key: string) => ({
  at: 0,
  issue_type: "invalid_condition_key",
  severity: "error" as const,
  field_name: "condition" as const,
  action,
  condition_key,
});

checkCases(conditionKeyValidation, [
  {
    name: "reports a claim of a provider that is nearly Cognito's, and accepts other providers",
    statement: [
      ...on("s3:GetObject", equals("cognito-identity.amazon.com:sub")),
      ...on("s3:GetObject", equals("cognito-identity.amazonaws.com:sub", "id.example.com:sub")),
    ],
    findings: [
      {
        ...invalid("s3:GetObject", "cognito-identity.amazon.com:sub"),
        suggestion: "Did you mean `cognito-identity.amazonaws.com:sub`?",
      },
    ],
  },
  {
    name: "accepts keys of the service, of the action, of its resource types, and global ones, in any case",
    statement: on(["iam:TagRole", "iam:PassRole"], equals("aws:TagKeys", "aws:userID")),
    findings: [],
  },
  {
    name: "reports a key of the service that no action sends: error in an Allow, high in a Deny (5.8)",
    statement: [
      ...on("s3:GetObject", equals("s3:prefix")),
      ...on("s3:GetObject", equals("s3:prefix"), { Effect: "Deny" }),
    ],
    findings: [
      {
        ...invalid("s3:GetObject", "s3:prefix"),
        suggestion: /`s3:prefix` belongs to `s3:ListBucket`/,
        aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
      },
      { at: 1, severity: "high" },
    ],
  },
  {
    name: "only mentions a key that some of the actions send",
    statement: on(["s3:GetObject", "s3:ListBucket"], equals("s3:prefix")),
    findings: [
      {
        ...invalid("s3:GetObject", "s3:prefix"),
        severity: "info" as const,
        suggestion: "Put `s3:GetObject` into a statement without this condition.",
      },
    ],
  },
  {
    name: "says of a test that such an action passes that it does not limit it",
    statement: on(["s3:GetObject", "s3:ListBucket"], {
      StringLikeIfExists: { "s3:prefix": "home/*" },
    }),
    findings: [
      {
        ...invalid("s3:GetObject", "s3:prefix"),
        severity: "info" as const,
        suggestion:
          "`StringLikeIfExists` holds without the key, so it does not limit `s3:GetObject`. Limit the action in another statement, or leave it out.",
      },
    ],
  },
  {
    name: "reports a key the service does not have, the nearest names, the action's keys and the date",
    statement: on("s3:ListBucket", equals("s3:prefx")),
    findings: [
      {
        ...invalid("s3:ListBucket", "s3:prefx"),
        message: /not a condition key of `s3:ListBucket` in the reference data of 2026-01-31/,
        suggestion: "Did you mean `s3:prefix`?",
        example: /"s3:prefix": "x"/,
        path: "/Statement/0/Condition/StringEquals/s3:prefx",
        aws_issue_code: "INVALID_SERVICE_CONDITION_KEY",
      },
    ],
  },
  ...["StringEqualsIfExists", "StringEqualIfExists"].map((operator) => ({
    name: `lets ${operator} have a key that one of the actions knows`,
    statement: on(["s3:GetObject", "ec2:RunInstances"], { [operator]: { "s3:prefix": "x" } }),
    findings: [],
  })),
  {
    name: "reports a key of another service",
    statement: on("s3:GetObject", equals("ec2:Region")),
    findings: [{ ...invalid("s3:GetObject", "ec2:Region"), aws_issue_code: null }],
  },
  {
    name: "reports a key of an unknown service, and one without a colon",
    statement: on("s3:GetObject", equals("nosuch:Key", "prefix")),
    findings: [
      { ...invalid("s3:GetObject", "nosuch:Key"), aws_issue_code: "INVALID_SERVICE" },
      { ...invalid("s3:GetObject", "prefix"), aws_issue_code: "INVALID_CONDITION_KEY_FORMAT" },
    ],
  },
  {
    name: "reports an unknown global key with the nearest one",
    statement: on("s3:GetObject", equals("aws:PrincipalOrgI")),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:PrincipalOrgI"),
        message: /not known as a global condition key/,
        suggestion: /`aws:PrincipalOrgID`/,
        aws_issue_code: "INVALID_GLOBAL_CONDITION_KEY",
      },
    ],
  },
  {
    name: "names the keys that took the place of aws:ARN",
    statement: on("s3:GetObject", equals("aws:ARN")),
    findings: [
      {
        suggestion: /`aws:PrincipalArn` and `aws:SourceArn`/,
        aws_issue_code: "UNSUPPORTED_GLOBAL_CONDITION_KEY",
      },
    ],
  },
  {
    name: "takes what stands before a plain slash for a name, not for a prefix",
    statement: on("ec2:RunInstances", equals("ec2:Add/userId")),
    findings: [invalid("ec2:RunInstances", "ec2:Add/userId")],
  },
  {
    name: "understands placeholders that are not tags, colons included",
    statement: on("kms:Decrypt", equals("kms:EncryptionContext:aws:s3:arn")),
    findings: [],
  },
  ...["a".repeat(128), "aws:team", "Équipe", "team/owner", "a b+-=._:/@"].map((tag) => ({
    name: `accepts the principal tag and the request tag ${tag.slice(0, 12)}`,
    statement: on("iam:TagRole", equals(`aws:PrincipalTag/${tag}`, `AWS:requesttag/${tag}`)),
    findings: [],
  })),
  ...["a".repeat(129), "te$am", ""].map((tag) => ({
    name: `reports the tag key ${JSON.stringify(tag.slice(0, 12))}`,
    statement: on("iam:TagRole", equals(`aws:RequestTag/${tag}`)),
    findings: [
      {
        ...invalid("iam:TagRole", `aws:RequestTag/${tag}`),
        message: /1 to 128 letters/,
        suggestion: /^Write the key of the tag /,
      },
    ],
  })),
  ...["aws:RequestTag", "ec2:ResourceTag"].map((family) => ({
    name: `says that the key of a tag takes no wildcards: ${family}`,
    statement: on("ec2:RunInstances", equals(`${family}/kubernetes.io/cluster/*`)),
    findings: [
      {
        message: /^In `.*` the key of the tag is missing or malformed/,
        suggestion:
          "Write the key of one tag as it is: a `*` or `?` in it matches only itself. For several tags, write a statement for each.",
      },
    ],
  })),
  ...["aws:RequestTag", "aws:ResourceTag/"].map((key) => ({
    name: `says how the key of a tag is written: ${key}`,
    statement: on("iam:TagRole", equals(key)),
    findings: [
      { suggestion: /^Write the key of the tag after a slash, such as `aws:Re\w+Tag\/team`\.$/ },
    ],
  })),
  {
    name: "reports request tags on an action that takes none, although its service lists them",
    statement: on("s3:GetObject", equals("aws:RequestTag/team")),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:RequestTag/team"),
        message: /takes no tags in its request/,
      },
    ],
  },
  {
    name: "reports tag keys under a test that fails without them",
    statement: on("s3:GetObject", { "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } }),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:TagKeys"),
        message: /Requests for `s3:GetObject` carry no tags.*this Allow grants nothing/,
      },
    ],
  },
  {
    name: "says so of a Deny, too",
    statement: on(
      "s3:GetObject",
      { "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } },
      { Effect: "Deny" },
    ),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:TagKeys"),
        severity: "high" as const,
        message: /this Deny stops no request/,
      },
    ],
  },
  ...[
    {
      name: "an optional test",
      condition: { "ForAnyValue:StringEqualsIfExists": { "aws:TagKeys": "x" } },
    },
    {
      name: "a negated test",
      condition: { "ForAnyValue:StringNotEquals": { "aws:TagKeys": "x" } },
    },
    { name: "a presence test", condition: { Null: { "aws:TagKeys": "true" } } },
    {
      name: "a test of all keys",
      condition: { "ForAllValues:StringEquals": { "aws:TagKeys": "x" } },
    },
  ].map(({ name, condition }) => ({
    name: `leaves ${name} alone where no action takes tags`,
    statement: on("s3:GetObject", condition),
    findings: [],
  })),
  {
    name: "reports resource tags where no resource of the action has tags",
    statement: on("s3:GetObject", equals("aws:ResourceTag/team")),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:ResourceTag/team"),
        aws_issue_code: "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
      },
    ],
  },
  {
    name: "merges keys that agree up to the slash, across operators, and names them all",
    statement: on("s3:GetObject", {
      ...equals("aws:RequestTag/owner", "aws:RequestTag/cost"),
      StringLike: { "aws:RequestTag/env": "x*" },
    }),
    findings: [
      {
        ...invalid("s3:GetObject", "aws:RequestTag/owner"),
        message: /`aws:RequestTag\/owner`, `aws:RequestTag\/cost` and `aws:RequestTag\/env`/,
      },
    ],
  },
  {
    name: "does not merge keys of another base or another action",
    statement: on(
      ["s3:GetObject", "sqs:SendMessage"],
      equals("aws:RequestTag/a", "aws:ResourceTag/b", "s3:prefix"),
    ),
    findings: [
      invalid("s3:GetObject", "aws:RequestTag/a"),
      invalid("s3:GetObject", "aws:ResourceTag/b"),
      invalid("sqs:SendMessage", "s3:prefix"),
    ],
  },
  {
    name: "names the first action, in document order, that the key is invalid for",
    statement: on(
      ["sts:TagSession", "s3:GetObject", "iam:TagRole", "iam:ListUsers"],
      equals("aws:RequestTag/a"),
    ),
    findings: [invalid("s3:GetObject", "aws:RequestTag/a")],
  },
  {
    name: "excuses a key under IfExists that one action carries",
    statement: on(["iam:TagRole", "iam:ListUsers"], {
      StringEqualsIfExists: { "aws:RequestTag/a": "x" },
    }),
    findings: [],
  },
  {
    name: "excuses a key whose absence an Allow asks for, if one action carries it",
    statement: on(["iam:TagRole", "iam:ListUsers"], { Null: { "aws:RequestTag/a": "true" } }),
    findings: [],
  },
  {
    name: "does not excuse it in a Deny, which then stops every call of the other action",
    statement: {
      Effect: "Deny",
      Action: ["iam:TagRole", "iam:ListUsers"],
      Resource: "*",
      Condition: { Null: { "aws:RequestTag/a": "true" } },
    },
    findings: [invalid("iam:ListUsers", "aws:RequestTag/a")],
  },
  {
    name: "does not excuse a key under IfExists that no action carries",
    statement: on(["iam:GetUser", "s3:GetObject"], {
      StringEqualsIfExists: { "aws:RequestTag/a": "x" },
    }),
    findings: [invalid("iam:GetUser", "aws:RequestTag/a")],
  },
  {
    name: "is content with one action that a pattern matches, and reports one where none is",
    statement: on(["iam:Tag*", "iam:Get*"], equals("aws:RequestTag/a")),
    findings: [invalid("iam:Get*", "aws:RequestTag/a")],
  },
  {
    name: "checks keys under Null and under unknown operators",
    statement: on("s3:GetObject", { Null: { "s3:Nope": "true" }, NoSuch: { "s3:Nada": "x" } }),
    findings: [invalid("s3:GetObject", "s3:Nope"), invalid("s3:GetObject", "s3:Nada")],
  },
  {
    name: "passes over actions that do not exist",
    statement: on(["s3:Bogus", "nosuch:Thing", "*:*"], equals("s3:Nope")),
    findings: [],
  },
  {
    name: "accepts claims of identity providers that look like a domain, for one action only",
    statement: on(
      "sts:AssumeRoleWithWebIdentity",
      equals(
        "oidc.eks.us-east-1.amazonaws.com/id/ABC:sub",
        "accounts.example.com:AUD",
        "cognito-identity.amazonaws.com:amr",
      ),
    ),
    findings: [],
  },
  {
    name: "knows the claims that stay with a session for every action, outside trust policies",
    statement: on("s3:GetObject", equals("saml:sub", "accounts.google.com:aud")),
    findings: [],
  },
  {
    name: "only mentions claims on actions that go along with a sign-in",
    type: "TRUST_POLICY",
    statement: on(
      ["sts:AssumeRoleWithWebIdentity", "sts:TagSession"],
      equals("accounts.example.com:sub"),
    ),
    findings: [
      {
        ...invalid("sts:TagSession", "accounts.example.com:sub"),
        severity: "info" as const,
        aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
      },
    ],
  },
  {
    name: "reports claims for other actions of a trust policy",
    type: "TRUST_POLICY",
    statement: on(
      ["sts:AssumeRoleWithWebIdentity", "sts:AssumeRole"],
      equals("accounts.example.com:sub"),
    ),
    findings: [
      {
        ...invalid("sts:AssumeRole", "accounts.example.com:sub"),
        aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
      },
    ],
  },
  {
    name: "reports other claims and providers that are not a domain",
    statement: on(
      "sts:AssumeRoleWithWebIdentity",
      equals("accounts.example.com:email", "notaprovider:sub"),
    ),
    findings: [
      invalid("sts:AssumeRoleWithWebIdentity", "accounts.example.com:email"),
      invalid("sts:AssumeRoleWithWebIdentity", "notaprovider:sub"),
    ],
  },
  ...[
    { Action: "*", Resource: "*" },
    { NotAction: "iam:*", Resource: "*" },
  ].map((elements) => ({
    name: `holds only keys of AWS against the global ones for ${JSON.stringify(elements)}`,
    statement: {
      Effect: "Deny",
      ...elements,
      Condition: equals(
        "aws:RequestRegion",
        "aws:RequestedRegion",
        "aws:RequestTag/a",
        "aws:ResourceTag/a",
        "aws:PrincipalTag/a",
        "s3:Nope",
      ),
    },
    findings: [
      {
        at: 0,
        issue_type: "invalid_condition_key",
        severity: "high" as const,
        action: null,
        condition_key: "aws:RequestRegion",
        message: new RegExp("NotAction" in elements ? "`NotAction`" : "`\\*`"),
        suggestion: /`aws:RequestedRegion`/,
      },
    ],
  })),
  {
    name: "says nothing of global keys unless asked",
    statement: on("s3:GetObject", equals("aws:PrincipalOrgID")),
    findings: [],
  },
  {
    name: "warns of global keys the action does not list, when asked, but not of those always there",
    statement: on(
      ["iam:TagRole", "s3:GetObject"],
      equals("aws:PrincipalOrgID", "aws:TagKeys", "aws:RequestedRegion"),
    ),
    options: { warn_on_global_condition_keys: true },
    findings: [
      {
        issue_type: "global_condition_key_with_action_specific",
        severity: "warning",
        action: "iam:TagRole",
        condition_key: "aws:PrincipalOrgID",
      },
    ],
  },
  {
    name: "gives warnings first when there are several invalid keys",
    statement: on("s3:GetObject", equals("s3:A", "aws:PrincipalOrgID", "s3:B")),
    options: { warn_on_global_condition_keys: true },
    findings: [
      { issue_type: "global_condition_key_with_action_specific" },
      invalid("s3:GetObject", "s3:A"),
      invalid("s3:GetObject", "s3:B"),
    ],
  },
  {
    name: "follows the configured severity where an action was asked",
    statement: [...on("s3:GetObject", equals("s3:A")), ...on("*", equals("aws:A"))],
    options: { severity: "low" },
    findings: [
      { at: 0, severity: "low" },
      { at: 1, severity: "low" },
    ],
  },
  {
    name: "leaves session keys that are named after a service to the global keys",
    statement: on("ec2:RunInstances", equals("ec2:SourceInstanceARN")),
    findings: [],
  },
]);

// The types of EC2 and their keys are those of the real reference.
checkCases(
  conditionKeyValidation,
  [
    {
      name: "reports a key that the action sends for other types of resources than those of the statement",
      statement: [
        ...on("ec2:RunInstances", equals("ec2:MetadataHttpTokens"), {
          Effect: "Deny",
          Resource: "arn:aws:ec2:*:*:image/*",
        }),
        ...on(
          "ec2:RunInstances",
          { StringNotEquals: { "ec2:MetadataHttpTokens": "required" } },
          { Effect: "Deny", Resource: "arn:aws-cn:ec2:*:*:image/*" },
        ),
        ...on("ec2:RunInstances", equals("ec2:InstanceType"), {
          Resource: "arn:aws:ec2:*:*:subnet/*",
        }),
      ],
      findings: [
        {
          at: 0,
          severity: "high",
          message: /for the resource type `instance` only.*so the Deny stops no request/,
          suggestion: /^Write `arn:aws:ec2:\*:\*:instance\/\*` as the resource/,
        },
        {
          at: 1,
          severity: "high",
          message: /the test holds for every request/,
          suggestion: /aws-cn/,
        },
        { at: 2, severity: "error", message: /so the Allow grants nothing/ },
      ],
    },
    {
      name: "reports a Deny that stops every launch, since images lack the key",
      statement: [
        { StringNotEquals: { "ec2:InstanceType": "t3.micro" } },
        { StringNotEquals: { "ec2:MetadataHttpTokens": "required" } },
        { BoolIfExists: { "ec2:Encrypted": "false" } },
        { Null: { "ec2:InstanceProfile": "true" } },
      ].flatMap((Condition) => on("ec2:RunInstances", Condition, { Effect: "Deny" })),
      findings: [0, 1, 2, 3].map((at) => ({
        at,
        severity: "high" as const,
        message: /`image`.*so this Deny stops launches whatever the value is\.$/,
        suggestion: at === 2 ? /`arn:aws:ec2/ : /instance\/\*` as the resource/,
      })),
    },
    {
      name: "accepts a Deny of launches that spares what lacks the key",
      statement: [
        { Bool: { "ec2:Encrypted": "false" } },
        { StringEquals: { "ec2:MetadataHttpTokens": "optional" } },
        { StringNotEquals: { "ec2:Region": "eu-west-1" } },
        {
          StringNotEquals: { "ec2:InstanceType": "t3.micro" },
          Null: { "ec2:InstanceType": "false" },
        },
      ].flatMap((Condition) => on("ec2:RunInstances", Condition, { Effect: "Deny" })),
      findings: [],
    },
    {
      name: "accepts a key that requests have for some resource of the statement",
      statement: [
        ["arn:aws:ec2:*:*:instance/*"],
        ["arn:aws:ec2:*:*:instance/*", "arn:aws:ec2:*::image/*"],
        ["arn:aws:ec2:*:*:*"],
        ["arn:aws:ec2:*:*:i*/*"],
        ["arn:aws:ec2:*:*:${type}/*"],
      ].flatMap((Resource) =>
        on("ec2:RunInstances", equals("ec2:MetadataHttpTokens"), { Effect: "Deny", Resource }),
      ),
      findings: [],
    },
    {
      name: "accepts a key that the action itself lists, and tests that hold for requests without the key",
      statement: [
        ...on("ec2:RunInstances", equals("ec2:Region"), { Resource: "arn:aws:ec2:*:*:subnet/*" }),
        ...on(
          "ec2:RunInstances",
          { StringEqualsIfExists: { "ec2:InstanceType": "t3.micro" } },
          { Resource: "arn:aws:ec2:*:*:subnet/*" },
        ),
      ],
      findings: [],
    },
    {
      name: "reports a misspelt key of a service where the actions say nothing about its keys",
      statement: [
        {
          Effect: "Deny",
          Action: "*",
          Resource: "*",
          Condition: { NumericLessThan: { "ec2:RoleDelivry": "2.0" } },
        },
        {
          Effect: "Deny",
          NotAction: "iam:*",
          Resource: "*",
          Condition: { Null: { "ec2:SourceInstanceRN": "false" } },
        },
        {
          Effect: "Allow",
          Action: "*",
          Resource: "*",
          Condition: { StringEquals: { "s3:DataAccessPointAcount": "111122223333" } },
        },
      ],
      findings: [
        {
          at: 0,
          issue_type: "invalid_condition_key",
          severity: "high",
          message:
            /^`ec2:RoleDelivry` is not a condition key of `ec2` in the reference data of .*\. No request carries an unknown key\.$/,
          suggestion: "Did you mean `ec2:RoleDelivery`?",
        },
        { at: 1, severity: "high", suggestion: "Did you mean `ec2:SourceInstanceARN`?" },
        { at: 2, severity: "error", suggestion: "Did you mean `s3:DataAccessPointAccount`?" },
      ],
    },
    {
      name: "accepts keys of services beside every action, also ones that may be new or whose end the author chooses",
      statement: {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: {
          StringEquals: {
            "ec2:InstanceType": "t3.micro",
            "ec2:ANewKeyOfAWS": "a",
            "kms:EncryptionContext:app": "a",
            "s3:ExistingObjectTag/team": "a",
            "token.actions.githubusercontent.com:sub": "a",
            "lambda:SourceFunctionArn": "arn:aws:lambda:eu-west-1:111122223333:function:app",
          },
        },
      },
      findings: [],
    },
  ],
  embeddedServices(),
);
