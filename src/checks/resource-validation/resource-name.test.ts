import { expect, test } from "vitest";
import { impossibleName } from "./resource-name.ts";

const sns = "arn:aws:sns:eu-west-1:111122223333:";
const sqs = "arn:aws:sqs:eu-west-1:111122223333:";
const bucket = (name: string) =>
  `No bucket matches \`arn:aws:s3:::${name}\`: the name of a bucket cannot contain`;

test.each([
  [
    "arn:aws:s3:::111122223333:reports/*",
    `${bucket("111122223333:reports/*")} \`:\`.`,
    "reports",
    "arn:aws:s3:::reports/*",
  ],
  ["arn:aws:s3::::reports", `${bucket(":reports")} \`:\`.`, "reports", "arn:aws:s3:::reports"],
  [
    "arn:aws:s3:::bucket:reports",
    `${bucket("bucket:reports")} \`:\`.`,
    "reports",
    "arn:aws:s3:::reports",
  ],
  ["arn:aws:s3:::my reports", `${bucket("my reports")} a space.`, null, null],
  ["arn:aws:s3:::my: reports", `${bucket("my: reports")} \`:\` or a space.`, "reports", null],
  ["arn:aws:s3:::reports:", `${bucket("reports:")} \`:\`.`, null, null],
  ["arn:aws:s3:::x:my reports", `${bucket("x:my reports")} \`:\` or a space.`, null, null],
  [
    `${sns}topic/orders`,
    `No topic matches \`${sns}topic/orders\`: the name of a topic cannot contain \`/\`.`,
    "orders",
    `${sns}orders`,
  ],
  [
    `${sns}topic:orders`,
    `No topic matches \`${sns}topic:orders\`: the name of a topic cannot contain \`:\`.`,
    "orders",
    `${sns}orders`,
  ],
  [
    `${sqs}queue/orders`,
    `No queue matches \`${sqs}queue/orders\`: the name of a queue cannot contain \`/\`.`,
    "orders",
    `${sqs}orders`,
  ],
  [
    `${sqs}team/orders`,
    `No queue matches \`${sqs}team/orders\`: the name of a queue cannot contain \`/\`.`,
    "orders",
    null,
  ],
  [
    `${sqs}queues:a/b`,
    `No queue matches \`${sqs}queues:a/b\`: the name of a queue cannot contain \`/\` or \`:\`.`,
    "b",
    null,
  ],
  [
    `${sqs}queue/*`,
    `No queue matches \`${sqs}queue/*\`: the name of a queue cannot contain \`/\`.`,
    "*",
    null,
  ],
] as const)("%s: no resource has such a name", (text, message, last, corrected) => {
  const fault = impossibleName(text);
  const what = message.split(" ")[1];
  expect(fault?.message).toBe(message);
  expect(fault?.suggestion).toBe(
    last === null
      ? `Write the name of the ${what} alone after the fifth colon.`
      : `Write the name of the ${what} alone after the fifth colon, such as \`${last}\`.`,
  );
  expect(fault?.corrected ?? null).toBe(corrected);
});

test.each([
  "arn:aws:s3:::reports/a:b c",
  "arn:aws:s3:::*:x",
  "arn:aws:s3:::${bucket:name}/a",
  "arn:aws:s3:eu-west-1:111122223333:accesspoint:a b",
  `${sns}orders:8a21d249-4329-4871-acc6-7be709c6ea7f`,
  `${sns}topic:8a21d249-4329-4871-acc6-7be709c6ea7f`,
  `${sns}topic:*`,
  `${sns}topics:a*b`,
  `${sns}mytopic:orders`,
  `${sqs}orders`,
  `${sqs}\${aws:PrincipalTag/team}`,
  "arn:aws:lambda:eu-west-1:111122223333:function:a",
  "not an ARN",
])("%s may be the ARN of a resource", (text) => {
  expect(impossibleName(text)).toBeNull();
});
