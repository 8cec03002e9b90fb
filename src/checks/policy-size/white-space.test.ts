import { describe, expect, test } from "vitest";
import { createValidator } from "../../library/index.ts";

const policy = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Deny",
      Action: "s3:DeleteBucket",
      Resource: Array.from({ length: 200 }, (_, at) => `arn:aws:s3:::customer-${at}-reports`),
    },
  ],
};
const indented = `${JSON.stringify(policy, null, 40)}\n`;

async function fixed(policy: string | object) {
  const validator = await createValidator();
  const { results } = await validator.validate(policy, {
    policy_type: "SERVICE_CONTROL_POLICY",
    fix: ["equivalent"],
  });
  return results[0]?.fixed_policy;
}

describe("the fix of an SCP that is too large", () => {
  test("removes the white space of the text, and keeps its final newline", async () => {
    expect(indented.length).toBeGreaterThan(10_240);
    const text = await fixed(indented);
    expect(text).toBe(`${JSON.stringify(policy)}\n`);
    expect(await fixed(String(text))).toBeNull();
  });

  test("is not there where that is not enough, or there is no white space", async () => {
    const [statement] = policy.Statement;
    const larger = { ...policy, Statement: [statement, { ...statement, Action: "s3:PutObject" }] };
    expect(await fixed(JSON.stringify(larger, null, 2))).toBeNull();
    expect(await fixed(larger)).toBeNull();
  });
});
