import { describe, expect, test } from "vitest";
import { LookUpOutput } from "../../spec/look-ups.ts";
import { embeddedServices } from "../services/embedded.ts";
import { lookUp } from "./look-up.ts";

const services = embeddedServices();
const ask = async (input: Parameters<typeof lookUp>[0]) => {
  const output = await lookUp(input, services);
  return LookUpOutput.parse(output);
};

describe("a condition key", () => {
  test("has its type, and the actions and resource types that take it, in any letter case", async () => {
    const output = await ask({ kind: "condition_key", key: "S3:Prefix", service: "s3" });
    expect(output).toMatchObject({ key: "s3:prefix", types: ["String"], multivalued: false });
    expect(output).toMatchObject({
      global: false,
      actions: expect.arrayContaining(["s3:ListBucket"]),
    });
    expect(output.kind === "condition_key" && output.actions).not.toContain("s3:GetObject");
  });

  test("is searched in all services", async () => {
    const output = await ask({ kind: "condition_key", key: "aws:ResourceTag/team" });
    if (output.kind !== "condition_key") throw new Error("another kind");
    expect(output.key).toBe("aws:ResourceTag/${TagKey}");
    const owners = new Set(output.resource_types.map((type) => type.split(":")[0]));
    expect(owners.size).toBeGreaterThan(100);
    expect(output.actions).toContain("ec2:TerminateInstances");
    expect(output.actions).toEqual(output.actions.toSorted());
  });

  test("that any request can carry is global", async () => {
    expect(await ask({ kind: "condition_key", key: "aws:sourceip" })).toMatchObject({
      key: "aws:SourceIp",
      types: ["IPAddress"],
      global: true,
      actions: [],
    });
    expect(await ask({ kind: "condition_key", key: "aws:TagKeys", service: "sqs" })).toMatchObject({
      global: true,
      multivalued: true,
      actions: expect.arrayContaining(["sqs:TagQueue"]),
    });
  });
});

test("a resource type has its ARN formats, its keys and the actions that work on it", async () => {
  const output = await ask({ kind: "resource_type", resource_type: "sqs:QUEUE" });
  expect(output).toMatchObject({
    resource_type: "sqs:queue",
    arn_formats: [expect.stringContaining(":sqs:")],
    condition_keys: ["aws:ResourceTag/${TagKey}"],
    actions: expect.arrayContaining(["sqs:SendMessage"]),
  });
  expect(output.kind === "resource_type" && output.actions).not.toContain("sqs:ListQueues");
});

test("actions without resource types support only the resource `*`", async () => {
  const output = await ask({ kind: "wildcard_only_actions", service: "SQS" });
  expect(output).toMatchObject({ service: "sqs", actions: ["sqs:ListQueues"], total: 1 });
});

test.each([
  [{ kind: "condition_key", key: "s3:prefx" }, /s3:prefx.*Did you mean `s3:prefix`/],
  [{ kind: "condition_key", key: "s3:prefix", service: "s33" }, /`s33`.*Did you mean `s3`/],
  [{ kind: "resource_type", resource_type: "sqs:queu" }, /Did you mean `sqs:queue`/],
  [{ kind: "resource_type", resource_type: "sqs" }, /written `service:name`/],
  [{ kind: "wildcard_only_actions", service: "" }, /needs `service`/],
] as const)("%j is refused with what was meant", async (input, message) => {
  await expect(ask(input)).rejects.toThrow(message);
});
