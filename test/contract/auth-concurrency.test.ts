import { afterAll, beforeAll, expect, test } from "vitest";
import { startProcess } from "../support/process.ts";
import { call, type Era, eras, type RpcOptions, readOnly, rpc } from "../support/rpc.ts";
import { auditRecords, type Target, tokens, withTokens } from "../support/target.ts";

/** Seconds of hammering; a soak makes it 30. */
const durationS = process.env.VALIDATOR_SOAK === "1" ? 30 : 3;
/** Requests of one caller under way at once. */
const lanes = 8;

let target: Target;
beforeAll(async () => {
  target = await startProcess(withTokens);
});
afterAll(() => target.stop());

interface Hammer {
  readonly token: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  /** Its own call, and one that only the other caller can make. */
  readonly own: readonly [name: string, args: object];
  readonly foreign: readonly [name: string, args: object];
  readonly foreignResource: string;
}

const author: Hammer = {
  token: tokens.validate,
  subject: "client-validate",
  scopes: ["iam:validate"],
  tools: ["validate_policies", "describe_checks"],
  resources: ["iam://checks", "iam://sensitive-categories"],
  own: ["validate_policies", { policies: [readOnly] }],
  foreign: ["get_config", {}],
  foreignResource: "iam://config-schema",
};
const auditor: Hammer = {
  token: tokens.config,
  subject: "client-config",
  scopes: ["iam:config"],
  tools: ["get_config"],
  resources: ["iam://config-schema", "iam://config-examples"],
  own: ["get_config", {}],
  foreign: ["validate_policies", { policies: [readOnly] }],
  foreignResource: "iam://checks",
};

/** One round of everything a caller sees; every answer is checked. */
async function round(
  { token, tools, resources, own, foreign, foreignResource }: Hammer,
  era: Era,
  id: string,
) {
  const options: RpcOptions = { token, era, id };
  const listed = await rpc(target, "tools/list", {}, options);
  expect(listed.body.id).toBe(id);
  expect(namesIn(listed.body.result?.tools)).toEqual(tools);
  const read = await rpc(target, "resources/list", {}, options);
  expect(namesIn(read.body.result?.resources, "uri")).toEqual(resources);
  const mine = await call(target, ...own, options);
  expect(mine.body).toMatchObject({ id, result: { isError: false } });
  const hidden = await call(target, ...foreign, options);
  expect(hidden.body).toMatchObject({ id, error: { code: -32602 } });
  const closed = await rpc(target, "resources/read", { uri: foreignResource }, options);
  expect(closed.body).toMatchObject({ id, error: { code: -32602 } });
}

function namesIn(items: unknown, key: "name" | "uri" = "name"): unknown[] {
  return (items as Record<string, unknown>[]).map((item) => item[key]);
}

/** @returns calls that have left a record. */
async function hammer(caller: Hammer, until: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      let rounds = 0;
      // On a busy machine a round may take longer than the whole time.
      while (rounds < 2 || performance.now() < until) {
        const era = eras[(lane + rounds) % eras.length] ?? "2025";
        await round(caller, era, `${caller.subject}-${lane}-${rounds}`);
        rounds += 1;
      }
      return rounds;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

test("two callers of different scopes at once never see nor sign for each other", {
  timeout: (durationS + 120) * 1_000,
}, async () => {
  const until = performance.now() + durationS * 1_000;
  const calls = await Promise.all([hammer(author, until), hammer(auditor, until)]);
  const records = auditRecords(await target.audit.atLeast(calls[0] + calls[1]));
  expect(records).toHaveLength(calls[0] + calls[1]);
  for (const [index, { subject, scopes, own }] of [author, auditor].entries()) {
    const signed = records.filter((record) => record.subject === subject);
    expect(signed).toHaveLength(calls[index] ?? 0);
    expect(signed.length).toBeGreaterThan(lanes);
    expect(new Set(signed.map(({ tool }) => tool))).toEqual(new Set([own[0]]));
    expect(new Set(signed.map((record) => record.scopes.join(" ")))).toEqual(
      new Set([scopes.join(" ")]),
    );
  }
});
