import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionEffect } from "../condition-effect.ts";

const self = "arn:aws:iam::*:user/${aws:username}";
const tag = (Resource: string, more: object = {}) => ({
  Sid: "OwnTags",
  Effect: "Allow",
  Action: ["iam:GetUser", "iam:TagUser"],
  Resource,
  ...more,
});
const secrets = (Condition: object) => ({
  Effect: "Allow",
  Action: "secretsmanager:GetSecretValue",
  Resource: "*",
  Condition,
});
const byTeam = secrets({
  StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" },
});
const found = { issue_type: "tag_set_by_caller", severity: "high" as const };

checkCases(
  conditionEffect,
  [
    ...[self, "*", "arn:aws:iam::111122223333:user/*"].map((resource) => ({
      name: `access by a tag that users set on ${resource}`,
      statement: [tag(resource), byTeam],
      findings: [
        {
          at: 1,
          ...found,
          condition_key: "aws:ResourceTag/team",
          message: /^Statement `OwnTags` lets users set any tag of their own with `iam:TagUser`/,
        },
      ],
    })),
    {
      name: "a test of the caller's tag that users set",
      statement: [tag(self), secrets({ StringEquals: { "aws:PrincipalTag/admin": "true" } })],
      findings: [{ at: 1, ...found, condition_key: "aws:PrincipalTag/admin" }],
    },
    ...(
      [
        [
          "sets only listed keys",
          [
            tag(self, { Condition: { "ForAllValues:StringEquals": { "aws:TagKeys": "phone" } } }),
            byTeam,
          ],
        ],
        ["requires no value", [tag(self), secrets({ StringEquals: { "aws:PrincipalTag/a": [] } })]],
        [
          "passes without the tag anyway",
          [tag(self), secrets({ StringEqualsIfExists: { "aws:PrincipalTag/team": "web" } })],
        ],
        [
          "asks for a tag at all",
          [tag(self), secrets({ Null: { "aws:PrincipalTag/team": "false" } })],
        ],
        [
          "goes by a tag of the caller or by a fixed one",
          [
            tag(self),
            secrets({
              StringEquals: { "aws:ResourceTag/team": ["${aws:PrincipalTag/team}", "web"] },
            }),
          ],
        ],
        [
          "limits the tags by themselves",
          [tag(self, { Condition: { StringEquals: { "aws:PrincipalTag/admin": "true" } } })],
        ],
        [
          "denies by a tag of the caller",
          [
            tag(self),
            { ...secrets({ StringEquals: { "aws:PrincipalTag/team": "web" } }), Effect: "Deny" },
          ],
        ],
        ["has all of IAM", [tag(self, { Action: "iam:*" }), byTeam]],
        ["has all but one action", [tag(self, { Action: undefined, NotAction: "s3:*" }), byTeam]],
        [
          "keeps users from all but one action",
          [tag(self), byTeam, { Effect: "Deny", NotAction: "s3:*", Resource: "*" }],
        ],
        ["tags users of another path", [tag("arn:aws:iam::*:user/robots/ci"), byTeam]],
        ["only reads tags", [tag(self, { Action: "iam:ListUserTags" }), byTeam]],
        [
          "keeps users from tagging",
          [tag(self), byTeam, { Effect: "Deny", Action: "iam:Tag*", Resource: "*" }],
        ],
        [
          "goes by a fixed tag of the resource",
          [tag(self), secrets({ StringEquals: { "aws:ResourceTag/team": "web" } })],
        ],
        [
          "excludes a tag of the caller",
          [tag(self), secrets({ StringNotEquals: { "aws:PrincipalTag/team": "web" } })],
        ],
      ] as const
    ).map(([name, statement]) => ({
      name: `accepts a policy that ${name}`,
      statement,
      findings: [],
    })),
    {
      name: "a pattern of tagging actions, in other letters",
      statement: [tag(self, { Action: "IAM:tag*" }), byTeam],
      findings: [{ at: 1, ...found }],
    },
    {
      name: "one finding for two statements by tags, with what to do",
      statement: [tag(self), byTeam, { ...byTeam, Action: "secretsmanager:DescribeSecret" }],
      findings: [
        {
          at: 1,
          ...found,
          message:
            /with `iam:TagUser` on `.*`, so they choose the tag that the test of `aws:ResourceTag\/team` goes by\.$/,
          suggestion:
            "Leave `iam:TagUser` to administrators, or limit it by the keys in `aws:TagKeys`.",
        },
      ],
    },
    {
      name: "the policy of a resource, whose statements are for other callers",
      type: "RESOURCE_POLICY",
      statement: [tag(self), byTeam].map((one) => ({ ...one, Principal: "*" })),
      findings: [],
    },
  ],
  embeddedServices(),
);
