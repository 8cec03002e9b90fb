import { beforeAll, expect, test } from "vitest";
import { benchEngine, validate } from "../../bench/engine.ts";
import { readDocument } from "../../src/access/document.ts";
import { askNewAccess } from "../../src/access/questions.ts";
import { runQuestion } from "../../src/access/run.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { loopTurnsOf } from "../support/loop-turns.ts";

/** No step holds the event loop for more than 15 ms; three times that, for a machine under load. */
const mostMs = 45;

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

const policy = (...Statement: readonly object[]) => ({ Version: "2012-10-17", Statement });
const allow = (Resource: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource,
  ...more,
});
const narrow = policy(allow("arn:aws:s3:::reports/*"));

/** A policy and its baseline, such that comparing them takes all the steps there are. */
const hostile: Readonly<Record<string, readonly [policy: object, baseline: object]>> = {
  "patterns of stars": [
    policy(
      ...many(20, (at) => ({
        Effect: at % 2 === 0 ? "Allow" : "Deny",
        Action: `s3:${"*a".repeat(60)}${at}*`,
        Resource: many(10, (index) => `arn:aws:s3:::${"*b?".repeat(40)}${index}*`),
      })),
    ),
    narrow,
  ],
  "long ARNs of stars on both sides": [
    policy(
      ...many(20, (at) => allow(many(20, (r) => `arn:aws:s3:::${"a*".repeat(200)}${at}${r}`))),
    ),
    policy(
      ...many(20, (at) => allow(many(20, (r) => `arn:aws:s3:::${"*a".repeat(150)}${r}${at}`))),
    ),
  ],
  "3,000 resources against 3,000": [
    policy(allow(many(3_000, (at) => `arn:aws:s3:::b${at}*x`))),
    policy(allow(many(3_000, (at) => `arn:aws:s3:::*y${at}`))),
  ],
  "10,000 actions against 10,000": [
    policy(allow("*", { Action: many(10_000, (at) => `s3:Act${at}`) })),
    policy(allow("*", { Action: many(10_000, (at) => `s3:*ct${at + 1}`) })),
  ],
  "3,000 values of a condition": [
    policy(
      allow("*", {
        Condition: {
          StringLike: { "aws:PrincipalTag/a": many(3_000, (at) => `*${at}*`) },
          StringNotLike: { "aws:PrincipalTag/a": many(3_000, (at) => `${at}*`) },
        },
      }),
    ),
    narrow,
  ],
  "1,000 overlapping Denies": [
    policy({ Effect: "Allow", Action: "s3:*", Resource: "*" }),
    policy(
      { Effect: "Allow", Action: "s3:*", Resource: "*" },
      ...many(1_000, (at) => ({
        Effect: "Deny",
        Action: `s3:*${at}*`,
        Resource: `arn:aws:s3:::*${at}*`,
        Condition: { StringLike: { "aws:PrincipalTag/t": `*${at}*` } },
      })),
    ),
  ],
};

const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };

function ask([now, before]: readonly [object, object], maxSteps = options.maxSteps) {
  const [left, right] = [now, before].map((one) => readDocument(one, "identity"));
  if (!left || !right) throw new Error("two documents");
  return runQuestion(askNewAccess(left, right, "identity", { ...options, maxSteps }));
}

// Compiled and loaded first: what is measured is the work of a running server.
beforeAll(async () => {
  for (const documents of Object.values(hostile)) await ask(documents, 5_000);
}, 120_000);

test.for(Object.entries(hostile))(
  "%s: a question about access lets the event loop run",
  {
    timeout: 120_000,
    // A full garbage collection may fall into one run, not into three.
    retry: 2,
  },
  async ([, documents]) => {
    const { longestMs } = await loopTurnsOf(() => ask(documents));
    expect(longestMs).toBeLessThan(mostMs);
  },
);

/** Policies whose checks work long inside one statement, or on one step for all statements. */
const long: Readonly<Record<string, object>> = {
  "10,000 unknown actions": policy(
    allow("*", { Action: many(10_000, (at) => `s3:GetObjct${at}`) }),
  ),
  "10,000 unknown services": policy(
    allow("*", { Action: many(10_000, (at) => `svc${at}:GetObject`) }),
  ),
  "500 condition keys": policy(
    allow("*", {
      Condition: {
        StringEquals: Object.fromEntries(many(500, (at) => [`aws:PrincipalTag/${at}`, "a"])),
      },
    }),
  ),
  "500 unknown condition keys": policy(
    allow("*", {
      Condition: {
        StringEquals: Object.fromEntries(many(500, (at) => [`aws:SourcIp${at}`, "a"])),
      },
    }),
  ),
  "4,000 statements": policy(...many(4_000, (at) => allow(`arn:aws:s3:::bucket${at}/*`))),
  // Texts that regular expressions can read in a number of ways, which grows faster than their length.
  "a bucket that is nearly an endpoint": policy(
    allow(`arn:aws:s3:::x.s3${"-a".repeat(26)}.amazonaws.co/*`),
  ),
  "a variable of colons and white space": policy({
    ...allow(`arn:aws:s3:::a/\${a${":".repeat(1_000)}${" ".repeat(1_000)},}`),
    Principal: "*",
  }),
  "a variable in a thousand others": policy({
    ...allow(`arn:aws:s3:::a/${"${".repeat(10_000)}}`),
    Principal: "*",
  }),
  "nothing but stars before a letter": policy(
    ...["aws:SourceVpce", "aws:userid", "aws:ResourceTag/a", "aws:PrincipalArn"].map((key) =>
      allow("*", { Condition: { StringLike: { [key]: `vpce-${"*".repeat(10_000)}x` } } }),
    ),
  ),
  "a long rest behind a star": policy({
    Effect: "Allow",
    Principal: {
      Federated: "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com",
    },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: {
      StringLike: { "token.actions.githubusercontent.com:sub": `repo:*${"a".repeat(20_000)}` },
    },
  }),
};
const engine = benchEngine();

test.for(Object.entries(long))(
  "%s: the checks let the event loop run",
  { timeout: 120_000, retry: 3 },
  async ([, document]) => {
    const { longestMs } = await loopTurnsOf(() => validate(document, engine));
    expect(longestMs).toBeLessThan(mostMs);
  },
);
