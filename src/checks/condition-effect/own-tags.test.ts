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
  ],
  embeddedServices(),
);
