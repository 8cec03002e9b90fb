import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ConfigFolder, configFolder } from "../support/config-folder.ts";
import { customCheckModule } from "../support/custom-check.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, type RpcOptions, readOnly, toolError } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";

/** A check that does to its thread what the Sid says. */
const deadly = `*runStatement({ sid }) {
  if (sid === "throwlater") setTimeout(() => { throw new Error("later"); });
  if (sid === "rejectlater") void Promise.reject(new Error("later"));
  const [, ms] = /^(?:wait|exit)(\\d+)$/.exec(sid ?? "") ?? [];
  if (ms === undefined) return;
  process.stderr.write("begun\\n");
  const end = performance.now() + Number(ms);
  while (performance.now() < end) yield* [];
  if (sid.startsWith("exit")) process.exit(3);
}`;

let folder: ConfigFolder;
let target: ServerProcess;
beforeAll(async () => {
  folder = await configFolder();
  await folder.write("deadly.mjs", customCheckModule({ id: "deadly", run: deadly }));
  const config_source = await folder.write("c.yaml", "custom_checks:\n  - module: ./deadly.mjs\n");
  target = await startProcess({
    flags: { config_source },
    environment: { VALIDATOR_MCP_WORKERS: "1" },
  });
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});
beforeEach(() => {
  target.audit.all.length = 0;
  target.log.all.length = 0;
});

const policyWith = (Sid: string) => ({
  ...readOnly,
  Statement: [{ ...readOnly.Statement[0], Sid }],
});

/** A call that is large enough for a worker. */
function validate(sid: string, options?: RpcOptions) {
  const text = JSON.stringify(policyWith(sid));
  const policies = [`${text.slice(0, -1)}${" ".repeat(90_000)}}`];
  return call(target, "validate_policies", { policies }, options);
}

const succeeds = async (answer: ReturnType<typeof validate>) => {
  expect((await answer).body.result?.isError).toBe(false);
};

async function outcomes(count: number): Promise<string[]> {
  return auditRecords(await target.audit.atLeast(count)).map(({ outcome }) => outcome);
}

test("a worker that dies in the middle of a call: an internal error, one record, and the next call is answered", async () => {
  const { status, body, text } = await validate("exit0");
  expect(status).toBe(200);
  expect(body.result).toEqual(
    toolError(expect.stringMatching(/^validate_policies failed .* in the log/)),
  );
  const [id = "none"] = /[0-9a-f-]{36}/.exec(text) ?? [];
  expect(target.log.text).toContain(id);
  await succeeds(validate("Fine"));
  expect(await outcomes(2)).toEqual(["internal_error", "success"]);
});

test("small calls beside it, on the main thread, notice nothing", async () => {
  const dying = validate("exit0");
  const small = call(target, "validate_policies", { policies: [policyWith("Small")] });
  await succeeds(small);
  expect((await dying).body.result?.isError).toBe(true);
});

test("calls that wait for the worker that dies are answered by the next one", async () => {
  const dying = validate("exit1000");
  await target.log.atLeast(1);
  for (const each of ["One", "Two", "Three"].map((sid) => validate(sid))) await succeeds(each);
  expect((await dying).body.result?.isError).toBe(true);
  expect(await outcomes(4)).toEqual(["internal_error", "success", "success", "success"]);
});

test("calls that wait for a worker whose caller leaves are answered by the next one", async () => {
  const leaving = new AbortController();
  const left = validate("wait20000", { signal: leaving.signal }).catch(() => "left");
  await target.log.atLeast(1);
  const waiting = ["One", "Two"].map((sid) => validate(sid));
  // Large bodies are read one after the other: when this one is answered, those are waiting.
  await call(target, "get_config", { surprise: "x".repeat(100_000) });
  leaving.abort();
  expect(await left).toBe("left");
  for (const each of waiting) await succeeds(each);
  expect((await outcomes(4)).toSorted()).toEqual(["cancelled", "success", "success", "tool_error"]);
});

test.each(["throwlater", "rejectlater"])(
  "an uncaught exception in a worker (%s) ends that worker, not the server",
  async (sid) => {
    const next = async () => (await validate("Next")).body.result?.isError;
    // The exception meets the call that the worker has by then, or none: so more than one is thrown.
    const logged = async () => {
      await validate(sid);
      await next();
      return target.log.text;
    };
    await expect.poll(logged, { timeout: 15_000 }).toMatch(/"correlation_id"/);
    await expect.poll(next, { timeout: 15_000 }).toBe(false);
    expect(target.child.exitCode).toBeNull();
  },
);
