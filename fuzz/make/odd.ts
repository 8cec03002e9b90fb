import { canary } from "../../test/support/canary-traffic.ts";
import type { Random } from "../random.ts";

/** Texts that have broken parsers, matchers, reports or logs somewhere. */
const oddTexts: readonly string[] = [
  "",
  " ",
  "*",
  "**",
  "?",
  "*:*",
  ":",
  "s3:",
  ":Get*",
  "s3:*",
  "S3:GETOBJECT",
  "ec2:*:*",
  "iam:PassRole",
  "sts:AssumeRole*",
  "arn:",
  "arn:aws:s3:::*",
  "arn:*:*:*:*:*",
  "arn:aws:iam::123456789012:root",
  "arn:aws:iam::*:role/*",
  "arn:aws-cn:s3:::${aws:username}/*",
  "123456789012",
  "${",
  "${}",
  "${aws:PrincipalTag/x, 'y'}",
  "${*}",
  "{{x}}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\ud800",
  "\udfff\ud800",
  "\u0000",
  "\u0000\u001b[2J",
  "\ufeff",
  "\u2028\u2029",
  "\u202e",
  "e\u0301\u0327",
  "🙂",
  "\r\n",
  "\n    at x (/x.ts:1:1)",
  "`'\"<script>|,;=@+-\t",
  "=cmd|' /C calc'!A0",
  "](javascript:alert(1))",
  "</script><!--",
  "%00%s%n",
  "0.0.0.0/0",
  "::/0",
  "::ffff:1.2.3.4/96",
  "10.0.0.1/33",
  "true",
  "TRUE",
  "null",
  "2012-10-17",
  "2008-10-17",
  "2019-02-29T25:61:61Z",
  "99999999999999999999",
  "1e999",
  "-0",
  "0x10",
  "1_000",
  "NaN",
  "aws:",
  "aws:SourceIp",
  "aws:RequestTag/",
  "aws:ResourceTag/${aws:PrincipalTag/a}",
  "ForAllValues:",
  "ForAnyValue:StringLikeIfExists",
  "StringEqualsIfExistsIfExists",
  canary,
  `s3:${canary}`,
  `arn:aws:s3:::${canary}/*`,
  `\`${canary}\`\n    at ${canary} (/x.ts:1:1)`,
];

/** Units that make long texts: what costs more than its length shows itself when repeated. */
const units: readonly string[] = [
  "*",
  "?",
  "a*",
  "*a",
  "*?",
  ":",
  "/",
  "${",
  "}",
  "${a}",
  "a",
  "\u00e9",
  "🙂",
  "\ud800",
  "\\",
  "`",
  "\n",
  "{{",
];

const prefixes = ["", "s3:", "ec2:", "arn:aws:s3:::", "arn:aws:iam::", "aws:", "${"] as const;

export function oddText(random: Random): string {
  return random.weighted([
    [10, () => random.pick(oddTexts)],
    [2, () => random.pick(prefixes) + random.pick(units).repeat(random.small(400))],
    [1, () => String.fromCharCode(...random.list(random.small(12), () => random.below(0x10000)))],
    [1, () => random.pick(oddTexts) + random.pick(oddTexts)],
    [2, () => canary + random.below(100)],
  ]);
}

const oddNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e21,
  1e308,
  5e-324,
  -1e-7,
  Number.MAX_SAFE_INTEGER + 2,
  123456789012,
  2 ** 31,
];

/** Member names that policies do and do not have. */
const names = [
  "Version",
  "Id",
  "Statement",
  "Sid",
  "Effect",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Principal",
  "NotPrincipal",
  "Condition",
  "AWS",
  "Service",
  "Federated",
  "CanonicalUser",
  "StringEquals",
  "statement",
  "policy",
  "policy_type",
  "name",
] as const;

export function oddName(random: Random): string {
  return random.chance(0.7) ? random.pick(names) : oddText(random);
}

/** Any JSON value. */
export function oddValue(random: Random, depth = 3): unknown {
  return random.weighted<unknown>([
    [6, () => oddText(random)],
    [2, () => random.pick(oddNumbers)],
    [2, () => random.pick([true, false, null])],
    [depth > 0 ? 3 : 0, () => random.list(random.small(5), () => oddValue(random, depth - 1))],
    [depth > 0 ? 3 : 0, () => oddObject(random, depth - 1)],
    [depth === 3 ? 0.2 : 0, () => nested(random)],
    [0.1, () => []],
    [0.1, () => ({})],
  ]);
}

function oddObject(random: Random, depth: number): unknown {
  return Object.fromEntries(
    random.list(random.small(5), () => [oddName(random), oddValue(random, depth)]),
  );
}

/** About as deep as documents may be, or much deeper. */
function nested(random: Random): unknown {
  let value: unknown = oddText(random);
  const levels = random.chance(0.7) ? random.between(90, 110) : random.between(2, 2_000);
  for (let level = 0; level < levels; level++) {
    value = random.chance(0.5) ? [value] : { [random.pick(names)]: value };
  }
  return value;
}
