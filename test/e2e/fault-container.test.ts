import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type ContainerTarget, startContainer } from "../support/container.ts";
import { call, readOnly, toolError } from "../support/rpc.ts";
import {
  type ServiceReference,
  serviceReference,
  unavailable,
} from "../support/service-reference.ts";
import { startFlood } from "../support/start-flood.ts";
import { auditRecords } from "../support/target.ts";
import { largeBody } from "../support/validate.ts";

const noEngine = inject("noEngine");

describe.skipIf(noEngine !== null)("the container, with a read-only root and little space", () => {
  let reference: ServiceReference;
  let target: ContainerTarget;
  beforeAll(async () => {
    reference = await serviceReference();
    target = await startContainer({
      hostNetwork: true,
      environment: {
        VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url,
        // The image has its own data, which would come first.
        VALIDATOR_MCP_AWS_SERVICES_DIR: "",
      },
    });
  });
  afterAll(async () => {
    await target.stop();
    await reference.stop();
  });

  const inside = async (script: string) =>
    (await target.container.exec(["sh", "-c", script])).output.trim();
  const cached = () => inside("find /tmp/iam-validator-cache -type f -size +0 | grep -c json");
  const lookUp = (service: string) => call(target, "query", { kind: "service_actions", service });

  test("does without its cache directory when that is full, and uses it again later", async () => {
    const before = await cached();
    expect(Number(before)).toBeGreaterThan(0);
    await inside("head -c 100000000 /dev/zero >/tmp/ballast; true");
    expect((await lookUp("ssm")).body.result?.isError).toBe(false);
    const policies = [JSON.stringify(readOnly).padEnd(largeBody)];
    const { body } = await call(target, "validate_policies", { policies });
    expect(body.result?.isError).toBe(false);
    await expect.poll(() => target.log.text).toMatch(/cache directory is not writable/);
    expect(target.log.text).toContain("ENOSPC");
    expect(await cached()).toBe(before);
    expect(await inside("find /tmp/iam-validator-cache -name '*.part'")).toBe("");
    await inside("rm /tmp/ballast");
    expect((await lookUp("execute-api")).body.result?.isError).toBe(false);
    expect(Number(await cached())).toBe(Number(before) + 1);
  });

  test("serves others while 10,000 connections are held half-open", async () => {
    const flood = startFlood(new URL(target.url).port, 10_000);
    try {
      while (flood.lines.all.length === 0) {
        expect((await fetch(`${target.url}/health`)).status).toBe(200);
        expect((await lookUp("s3")).body.result?.isError).toBe(false);
        await pause(50);
      }
    } finally {
      await flood.stop();
    }
  });

  test("validates what it has in memory when the reference data is gone", async () => {
    reference.answer("/", unavailable);
    reference.answer("/s3.json", unavailable);
    const { body } = await call(target, "validate_policies", { policies: [readOnly] });
    expect(body.result?.isError).toBe(false);
    const unknown = await lookUp("nosuchservice");
    expect(unknown.body.result).toEqual(toolError(expect.stringContaining("nosuchservice")));
    for (const { outcome } of auditRecords(target.audit.all))
      expect(outcome).not.toBe("internal_error");
  });
});
