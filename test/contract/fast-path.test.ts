import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type Era, eras, readOnly, rpcRequest } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server?.stop());

/** Means nothing to anyone, but no call that has it is plain. */
const unheardOf = { "io.modelcontextprotocol/unheard-of": true };

/** Calls a tool and gives back all that anyone can tell of it. */
async function tryOut(era: Era, name: string, args: object, roundabout: boolean) {
  const before = server.audit.all.length;
  const params = { name, arguments: args };
  const { headers, body } = rpcRequest("tools/call", params, { era, id: 'id "é"' });
  const message = JSON.parse(body);
  if (roundabout) message.params._meta = { ...message.params._meta, ...unheardOf };
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers,
    body: JSON.stringify(message),
  });
  const { "content-type": type, "content-length": length } = Object.fromEntries(response.headers);
  const records = auditRecords(server.audit.all.slice(before));
  return {
    status: response.status,
    type,
    length,
    text: await response.text(),
    records: records.map(({ timestamp: _at, duration_s: _s, ...record }) => record),
  };
}

const strange = { Version: "2012-10-17", Statement: [{ Effect: "allow", Action: '"é🙂\u2028"' }] };
const long = { ...readOnly, Statement: Array.from({ length: 700 }, () => readOnly.Statement[0]) };

const cases: readonly [what: string, tool: string, args: object][] = [
  ["an output", "query", { kind: "action_details", actions: ["s3:GetObject"] }],
  ["an output with findings", "validate_policies", { policies: [strange], detail: "full" }],
  ["an output made in a worker", "validate_policies", { policies: [long], detail: "full" }],
  ["an output written once", "get_config", {}],
  ["some checks", "describe_checks", { check_ids: ["wildcard_action", "service_wildcard"] }],
  ["all checks", "describe_checks", {}],
  ["arguments that do not fit", "query", { kind: 'no "such" kind', é: 1 }],
  ["a tool error", "query", { kind: "service_actions", service: "no-such-service" }],
  ["a tool error made in a worker", "validate_policies", { policies: [long], detail: "none" }],
  ["a tool that does not exist", "no_such_tool", {}],
];

for (const era of eras) {
  test.each(cases)(`%s is the same whether or not the SDK answers (${era})`, async (...each) => {
    const [, name, args] = each;
    const plain = await tryOut(era, name, args, false);
    expect(plain).toEqual(await tryOut(era, name, args, true));
    expect(plain.status).toBe(200);
  });
}
