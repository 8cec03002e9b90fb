import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { policyVariables } from "../policy-variables.ts";

const reports = "arn:aws:s3:::reports/";
const read = (elements: object) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: `${reports}*`,
  ...elements,
});
const elsewhere = "but AWS replaces variables only in resources and in condition values." as const;
const literal = { aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR" } as const;

checkCases(policyVariables, [
  {
    name: "reports a variable in a Sid",
    statement: read({ Sid: "${aws:username}" }),
    findings: [
      {
        field_name: "sid",
        path: "/Statement/0/Sid",
        message: `\`Sid\` holds the policy variable \`\${aws:username}\`, ${elsewhere}`,
        suggestion: "Write a statement id of letters and digits.",
        aws_issue_code: "VARIABLE_UNSUPPORTED_IN_ELEMENT",
      },
    ],
  },
  ...["Principal", "NotPrincipal"].map((element) => ({
    name: `reports a variable in ${element}`,
    type: "RESOURCE_POLICY" as const,
    statement: read({ [element]: { AWS: "arn:aws:iam::${aws:PrincipalAccount}:root" } }),
    findings: [
      {
        field_name: "principal" as const,
        path: `/Statement/0/${element}/AWS`,
        resource: null,
        message: `\`${element}\` holds the policy variable \`\${aws:PrincipalAccount}\`, ${elsewhere}`,
        suggestion:
          "Name the principals, or leave the choice to a condition on `aws:PrincipalArn` or `aws:PrincipalTag/…`.",
      },
    ],
  })),
  {
    name: "reports the resource and its field",
    statement: [
      read({ Resource: `${reports}\${aws:usrname}/*` }),
      read({ Resource: undefined, NotResource: [`${reports}x`, `${reports}\${aws:usrname}/*`] }),
    ],
    findings: [
      { field_name: "resource", resource: `${reports}\${aws:usrname}/*` },
      {
        field_name: "not_resource",
        resource: `${reports}\${aws:usrname}/*`,
        path: "/Statement/1/NotResource/1",
        message:
          "`${aws:usrname}` is not a known policy variable (reference data of 2026-01-31). AWS does not replace it, so no request matches it.",
      },
    ],
  },
  {
    name: "reports a name that is written without its braces in NotResource",
    statement: read({ Resource: undefined, NotResource: `${reports}$aws:username/*` }),
    findings: [
      {
        field_name: "not_resource",
        resource: `${reports}$aws:username/*`,
        message:
          "`$aws:username` is plain text to AWS, which replaces only names in `${…}`, so no request matches it.",
      },
    ],
  },
  {
    name: "reports a variable of a condition with its key",
    statement: read({
      Condition: { StringEquals: { "s3:prefix": ["reports", "${aws:usrname}"] } },
    }),
    findings: [
      {
        field_name: "condition",
        condition_key: "s3:prefix",
        path: "/Statement/0/Condition/StringEquals/s3:prefix/1",
      },
    ],
  },
  {
    name: "reports a variable once for each text",
    statement: read({ Resource: `${reports}\${aws:usrname}/\${aws:usrname}/\${aws:user_id}` }),
    findings: [{ suggestion: /username/ }, { suggestion: /userid/ }],
  },
  {
    name: "writes the tag family that is meant",
    statement: read({ Resource: `${reports}\${aws:PrincipalTags.team}` }),
    findings: [{ suggestion: "Write `${aws:PrincipalTag/team}`." }],
  },
  {
    name: "says what to use where no key is near",
    statement: read({ Resource: `${reports}\${aws:something-else-altogether}` }),
    findings: [
      {
        suggestion:
          "Use the name of a condition key that requests carry, such as `aws:username` or `aws:PrincipalTag/team`.",
        fix: null,
      },
    ],
  },
  {
    name: "says what to use in place of a key with several values",
    statement: read({ Resource: `${reports}\${aws:TagKeys}` }),
    findings: [
      {
        message:
          "`aws:TagKeys` has several values in one request, and AWS replaces only variables of keys with one value.",
        suggestion: "Use a key with one value, or list the values in the condition.",
      },
    ],
  },
  {
    name: "says what a malformed variable lacks",
    statement: read({ Resource: `${reports}\${aws: username}` }),
    findings: [
      {
        message:
          "The variable `${aws: username}` contains a space in its name, so AWS does not replace it.",
        suggestion: "Remove the space.",
      },
    ],
  },
  {
    name: "removes the spaces from a name that is not known either",
    statement: read({ Resource: `${reports}\${aws: usrname}/*` }),
    findings: [{ suggestion: "Remove the space.", example: `"${reports}\${aws:usrname}/*"` }],
  },
  ...[
    ["NumericLessThan", "aws:MultiFactorAuthAge", "${aws:EpochTime}"],
    ["DateLessThan", "aws:CurrentTime", "${aws:TokenIssueTime}"],
    ["IpAddress", "aws:SourceIp", "${aws:PrincipalTag/net}"],
    ["BinaryEquals", "kms:EncryptionContext:x", "${aws:PrincipalTag/key}"],
  ].map(([operator, key, value]) => ({
    name: `reports a variable under ${operator}, whose values are literal`,
    statement: read({ Condition: { [String(operator)]: { [String(key)]: value } } }),
    findings: [
      {
        ...literal,
        severity: "error" as const,
        message: `\`${value}\` is a value under \`${operator}\`, whose values AWS does not replace, so no request matches it.`,
        suggestion: "Write a value, or compare with a String operator where the key allows it.",
      },
    ],
  })),
  ...["Bool", "Null"].map((operator) => ({
    name: `notes a variable under ${operator}`,
    statement: read({
      Condition: { [operator]: { "aws:SecureTransport": "${aws:PrincipalTag/tls}" } },
    }),
    findings: [
      {
        ...literal,
        severity: "info" as const,
        message: `\`\${aws:PrincipalTag/tls}\` is a value under \`${operator}\`. AWS documents variables for String and ARN operators and for \`Bool\`; its own policy check reports them here.`,
        suggestion: "Write `true` or `false` where the value is known.",
      },
    ],
  })),
  {
    name: "takes variables under String and ARN operators",
    statement: read({
      Condition: {
        StringLike: { "s3:prefix": "${aws:username}/*" },
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/${aws:username}" },
      },
    }),
    findings: [],
  },
  ...[
    [
      "The policy has no `Version`",
      { Statement: [read({ Resource: `${reports}\${aws:username}` })] },
    ],
    [
      "`Version` is `2008-10-17`",
      { Version: "2008-10-17", Statement: [read({ Resource: `${reports}\${aws:username}` })] },
    ],
  ].map(([start, policy]) => ({
    name: `says why variables stay text: ${start}`,
    policy,
    findings: [
      {
        issue_type: "invalid_policy_variable",
        message: `${start}, so AWS does not replace policy variables and compares this one as plain text.`,
        suggestion: 'Set `"Version": "2012-10-17"`.',
      },
    ],
  })),
  ...[
    [
      "a version that does not exist",
      { Version: "2020-01-01", Statement: [read({ Resource: `${reports}\${aws:username}` })] },
    ],
    [
      "the old version without a variable",
      { Version: "2008-10-17", Statement: [read({ Resource: `${reports}\${bucket}` })] },
    ],
  ].map(([name, policy]) => ({
    name: `says nothing of variables under ${name}`,
    policy,
    findings: [],
  })),
]);

describe("variables of services", () => {
  checkCases(
    policyVariables,
    [
      {
        name: "takes the keys of a service, and names of parameters of others",
        statement: read({
          Resource: [
            `${reports}\${s3:prefix}`,
            `${reports}\${ec2:SourceInstanceARN}`,
            `${reports}\${ssm:/prod/bucket}`,
            `${reports}\${ssm:parameter-of-ours}`,
            `${reports}\${nosuchservice:prefix}`,
          ],
        }),
        findings: [],
      },
      {
        name: "reports a key of a service that is nearly right",
        statement: read({ Resource: `${reports}\${s3:prefx}` }),
        findings: [{ suggestion: "Did you mean `${s3:prefix}`?" }],
      },
      {
        name: "reports a key of a service that has several values",
        statement: read({ Resource: `${reports}\${s3:RequestObjectTagKeys}` }),
        findings: [{ message: /^`s3:RequestObjectTagKeys` has several values/ }],
      },
      {
        name: "takes the variables of devices for known ones",
        statement: read({ Resource: `${reports}\${iot:ClientId}`, Sid: "${iot:ClientId}" }),
        findings: [{ field_name: "sid" }],
      },
      {
        name: "does not take other keys for those of devices",
        statement: read({ Resource: `${reports}\${iot:Clients}`, Sid: "${iot:Clients}" }),
        findings: [],
      },
    ],
    embeddedServices(),
  );
});

describe("fixes", () => {
  const of = "policy_variables/invalid_policy_variable";
  const home = (name: string) => read({ Resource: `${reports}${name}/*` });
  fixCases([
    {
      name: "closes a variable whose name is known",
      of,
      before: home("${aws:username"),
      after: home("${aws:username}"),
      effect: "repairs",
    },
    {
      name: "closes a variable with a tag",
      of,
      before: home("${aws:PrincipalTag/team"),
      after: home("${aws:PrincipalTag/team}"),
    },
    {
      name: "does not close a variable whose name is not known",
      of,
      before: home("${aws:usrname"),
    },
    {
      name: "removes the spaces from a name everywhere in the text",
      of,
      before: home("${aws: username}/${aws: username}"),
      after: home("${aws:username}/${aws:username}"),
      effect: "repairs",
    },
    {
      name: "puts quotes around a default",
      of,
      before: home("${aws:username, unknown}"),
      after: home("${aws:username, 'unknown'}"),
    },
    {
      name: "takes wrong quotes from a default",
      of,
      before: home('${aws:username, "unknown"}'),
      after: home("${aws:username, 'unknown'}"),
    },
    {
      name: "does not guess a default that holds a quote",
      of,
      before: home("${aws:username, 'a'b}"),
    },
    {
      name: "corrects a name that is near to one alone",
      of,
      before: home("${aws:usrname}"),
      after: home("${aws:username}"),
      effect: "repairs",
    },
    {
      name: "does not choose between two names that begin so",
      of,
      before: home("${aws:user}"),
    },
    {
      name: "sets a version where the policy has none",
      of,
      document: {},
      documentAfter: { Version: "2012-10-17" },
      before: home("${aws:username}"),
      after: home("${aws:username}"),
      effect: "changes",
    },
    {
      name: "sets the current version in place of the old one",
      of,
      document: { Version: "2008-10-17" },
      documentAfter: { Version: "2012-10-17" },
      before: home("${aws:username}"),
      after: home("${aws:username}"),
      effect: "changes",
    },
  ]);
});
