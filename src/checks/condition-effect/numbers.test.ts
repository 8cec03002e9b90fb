import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const change = (Condition: object) => ({
  Effect: "Allow",
  Action: "iam:ChangePassword",
  Resource: "arn:aws:iam::111122223333:user/alice",
  Condition,
});
const age = (operator: string, value: unknown) =>
  change({ [operator]: { "aws:MultiFactorAuthAge": value } });
const read = (Condition: object) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const never = { issue_type: "condition_never_true", severity: "error" } as const;

checkCases(conditionEffect, [
  {
    name: "reports numbers that the key never has",
    statement: [age("NumericLessThan", "0"), age("NumericEquals", ["-1", "-2"])],
    findings: [
      {
        ...never,
        at: 0,
        message: /^No value of `aws:MultiFactorAuthAge` meets `NumericLessThan` `0`/,
      },
      { ...never, at: 1 },
    ],
  },
  {
    name: "passes where one of several numbers can be met, or is not a number",
    statement: [
      age("NumericLessThan", ["0", "3600"]),
      age("NumericLessThanEquals", "0"),
      age("NumericLessThan", "${aws:PrincipalTag/age}"),
    ],
    findings: [],
  },
  {
    name: "reads more numbers than a call takes arguments",
    statement: age("NumericLessThan", new Array(200_000).fill("0")),
    findings: [never],
  },
  ...(
    [
      ["NumericLessThan", "s3:TlsVersion", "1", "No"],
      ["NumericLessThanEquals", "s3:TlsVersion", "0.9", "No"],
      ["NumericGreaterThan", "s3:TlsVersion", "1.3", "No"],
      ["NumericGreaterThanEquals", "s3:TlsVersion", "12", "No"],
      ["NumericEquals", "s3:TlsVersion", "12", "No"],
      ["NumericEquals", "s3:TlsVersion", ["0.9", "1.4"], "No"],
      ["NumericLessThan", "s3:TlsVersion", "1.4", "Every"],
      ["NumericLessThanEquals", "s3:TlsVersion", "1.3", "Every"],
      ["NumericLessThanEquals", "s3:TlsVersion", ["1.1", "1.3"], "Every"],
      ["NumericGreaterThan", "s3:TlsVersion", "0.9", "Every"],
      ["NumericGreaterThanEquals", "s3:TlsVersion", "1.0", "Every"],
      ["NumericGreaterThanEquals", "s3:TlsVersion", ["1.2", "1.0"], "Every"],
    ] as const
  ).map(([operator, key, value, which]) => ({
    name: `${which === "No" ? "no" : "every"} TLS version meets ${operator} ${value}`,
    statement: read({ [operator]: { [key]: value } }),
    findings: [
      {
        issue_type: which === "No" ? never.issue_type : "condition_always_true",
        message: new RegExp(
          `^${which} value of \`s3:TlsVersion\` meets \`${operator}\` .*: its values are TLS versions from \`1\\.0\` to \`1\\.3\`\\.`,
        ),
        suggestion: "Write the version as `1.2` or `1.3`.",
      },
    ],
  })),
  ...(
    [
      ["NumericLessThan", "s3:TlsVersion", "1.3"],
      ["NumericLessThan", "s3:TlsVersion", ["1", "1.2"]],
      ["NumericLessThanEquals", "s3:TlsVersion", "1.2"],
      ["NumericLessThanEquals", "s3:TlsVersion", "1"],
      ["NumericGreaterThan", "s3:TlsVersion", "1"],
      ["NumericGreaterThan", "s3:TlsVersion", ["1.3", "1.2"]],
      ["NumericGreaterThanEquals", "s3:TlsVersion", "1.3"],
      ["NumericEquals", "s3:TlsVersion", ["1", "12"]],
      ["NumericEquals", "s3:TlsVersion", "1.3"],
      ["NumericNotEquals", "s3:TlsVersion", "1"],
      ["ForAnyValue:NumericLessThan", "s3:TlsVersion", "1"],
      ["NumericGreaterThan", "s3:max-keys", "0"],
      ["NumericGreaterThanEquals", "s3:max-keys", "0"],
      ["NumericLessThanEquals", "s3:max-keys", "1000"],
      ["NumericLessThan", "s3:object-lock-remaining-retention-days", "0"],
      ["NumericLessThan", "s3:TlsVersion", "TLS 1.2"],
      ["NumericLessThan", "s3:TlsVersion", ["0", "TLS 1.2"]],
      ["NumericLessThan", "s3:TlsVersion", ["0", "${aws:PrincipalTag/tls}"]],
      ["NumericLessThan", "s3:TlsVersion", []],
      ["StringEquals", "s3:TlsVersion", "12"],
    ] as const
  ).map(([operator, key, value]) => ({
    name: `passes ${operator} ${JSON.stringify(value)} on ${key}, which some requests meet and others do not`,
    statement: read({ [operator]: { [key]: value } }),
    findings: [],
  })),
  ...(
    [
      [
        "s3:max-keys",
        "numbers from 0",
        "Write the greatest number of keys that a list may ask for, such as `100`.",
      ],
      [
        "s3:signatureAge",
        "milliseconds from 0",
        "Write the greatest age of the signature in milliseconds, such as `600000`.",
      ],
      [
        "aws:MultiFactorAuthAge",
        "the seconds since the sign-in with MFA, from 0",
        "Write the greatest age in seconds, such as `3600`.",
      ],
    ] as const
  ).map(([key, words, suggestion]) => ({
    name: `no request has ${key} below 0`,
    statement: read({ NumericLessThan: { [key]: "0" } }),
    findings: [
      {
        ...never,
        message: `No value of \`${key}\` meets \`NumericLessThan\` \`0\`: its values are ${words}. The condition never holds, so this Allow grants nothing.`,
        suggestion,
      },
    ],
  })),
  {
    name: "a number that is never met under IfExists leaves the requests without the key",
    statement: read({ NumericLessThanIfExists: { "s3:TlsVersion": "1" } }),
    findings: [
      { message: /`NumericLessThanIfExists` then holds only for requests without the key\.$/ },
    ],
  },
]);
