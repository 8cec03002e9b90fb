import { describe, expect, test } from "vitest";
import { compareAccess, evaluateRequest, findGranted, findPublic, relate } from "./library.ts";

const count = 1_000;

/** Denies that overlap in every way, so that the search has no short cut. */
function hostile(Principal?: unknown): object {
  const by = Principal === undefined ? {} : { Principal };
  const denies = Array.from({ length: count }, (_, at) => ({
    ...by,
    Effect: "Deny",
    Action: `s3:*${at}*`,
    Resource: `arn:aws:s3:::*${at}*`,
    Condition: { StringLike: { "aws:PrincipalTag/team": `*${at}*`, "aws:UserAgent": `*${at}*` } },
  }));
  const allow = { ...by, Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::*" };
  return { Version: "2012-10-17", Statement: [allow, ...denies] };
}

const policy = hostile();
const baseline = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      NotAction: Array.from({ length: count }, (_, at) => `s3:*${at}*${at}`),
      Resource: "*",
    },
  ],
};
const open = hostile("*");
/** More than the questions use up before the signal fires. */
const maxSteps = 10_000_000;

const questions = [
  [
    "compareAccess",
    (signal: AbortSignal) =>
      compareAccess({ policy, baseline, policyType: "identity" }, { maxSteps, signal }),
  ],
  [
    "findGranted",
    (signal: AbortSignal) =>
      findGranted(
        {
          policy,
          policyType: "identity",
          forbidden: { actions: ["s3:*"], resources: ["arn:aws:s3:::*1*2*3*"] },
        },
        { maxSteps, signal },
      ),
  ],
  [
    "findPublic",
    (signal: AbortSignal) =>
      findPublic({ policy: open, policyType: "resource" }, { maxSteps, signal }),
  ],
  [
    "relate",
    (signal: AbortSignal) =>
      relate(
        { left: policy, right: baseline, policyType: "identity", of: "denied" },
        { maxSteps, signal },
      ),
  ],
] as const;

describe.each(questions)("%s", (_, ask) => {
  test("ends with the reason of a caller who cancels while it runs", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const answer = ask(controller.signal);
    // Fires only if the question hands back control.
    setImmediate(() => controller.abort(reason));
    await expect(answer).rejects.toBe(reason);
  });

  test("ends at a deadline", async () => {
    await expect(ask(AbortSignal.timeout(1))).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("is not begun for a caller who is gone", async () => {
    const reason = new Error("gone");
    await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test("evaluateRequest is not begun for a caller who is gone", async () => {
  const reason = new Error("gone");
  const request = {
    principal: { type: "AWS", arn: "arn:aws:iam::111122223333:role/app" },
    action: "s3:GetObject",
    resource: "*",
    context: {},
  } as const;
  const options = { signal: AbortSignal.abort(reason) };
  const evaluation = evaluateRequest({ policy, policyType: "identity", request }, options);
  await expect(evaluation).rejects.toBe(reason);
});
