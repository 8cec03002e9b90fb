import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionValidation } from "../action-validation.ts";

/** An entry, what the message says of it, and the suggestion; `s3:GetObject` alone means that it is to be written. */
const malformed: readonly (readonly [string, RegExp, string])[] = [
  ["“s3:GetObject”", /it contains a character that AWS does not accept there\.$/, "s3:GetObject"],
  ["s3:GetОbject", /it contains a character that AWS does not accept there\.$/, "s3:GetObject"],
  ["s3.GetObject", /the colon is missing\.$/, "s3:GetObject"],
  ["s3;GetObject", /the colon is missing\.$/, "s3:GetObject"],
  [
    "s3.Get Object",
    /the colon is missing\.$/,
    "Put the service prefix in front, for instance `s3:GetObject`.",
  ],
  [
    "GetObject*",
    /the colon is missing\.$/,
    "Put the service prefix in front, for instance `s3:GetObject`.",
  ],
  ["**", /the colon is missing\.$/, "Write `*` for every action, or better name the actions."],
  ["s3: Get \t Object", /it contains a space\.$/, "s3:GetObject"],
  [
    "*:Get*",
    /has a wildcard in the service prefix, which AWS refuses/,
    "Write one action per service, for instance `s3:Get*`. Wildcards after the colon are fine.",
  ],
  [
    "s?:",
    /has a wildcard in the service prefix/,
    "Write one action per service, for instance `s3:*`. Wildcards after the colon are fine.",
  ],
  [
    ":GetObject",
    /the service prefix before the colon is missing\.$/,
    "Write `service:Name`, for instance `s3:GetObject`.",
  ],
  [
    "s3:",
    /the name after the colon is missing\.$/,
    "Write `service:Name`, for instance `s3:GetObject`.",
  ],
  ["s3::GetObject", /the service prefix takes letters/, "s3:GetObject"],
  ["arn:aws:s3:GetObject", /the service prefix takes letters/, "s3:GetObject"],
  ["s3:GetObject()", /the service prefix takes letters/, "s3:GetObject"],
  [
    "s3:${name}",
    /the service prefix takes letters/,
    "Write `service:Name`, for instance `s3:GetObject`; policy variables are not replaced in actions.",
  ],
];

checkCases(
  actionValidation,
  malformed.map(([action, message, suggestion]) => {
    const meant = suggestion === "s3:GetObject";
    return {
      name: `says what is wrong with ${JSON.stringify(action)}`,
      statement: { Effect: "Allow", Action: [action], Resource: "arn:aws:s3:::b/*" },
      findings: [
        {
          action,
          message,
          suggestion: meant ? "Write `s3:GetObject`." : suggestion,
          example: meant ? '"s3:GetObject"' : null,
        },
      ],
    };
  }),
  embeddedServices(),
);
