import { gzipSync } from "node:zlib";
import { ReportFormat } from "../../spec/tools/validate-policies.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { open as openRequest, type RawRequest, raw } from "./http.ts";
import { eras, readOnly, rpc, rpcRequest } from "./rpc.ts";
import type { Target } from "./target.ts";
import { largeBody } from "./validate.ts";

/** A word that stands nowhere but in what callers send. */
export const canary = "CanaryZq7word";

/** How a caller may write it; what is logged in another form is logged all the same. */
const traces = [
  canary.toLowerCase(),
  Buffer.from(canary).toString("base64").replace(/=+$/, "").toLowerCase(),
  Buffer.from(canary).toString("hex"),
];

/** @returns the lines that hold the canary, in any letter case or common encoding. */
export function canaryLines(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => traces.some((form) => line.toLowerCase().includes(form)));
}

/** Every text of a JSON value made another one; keys too when asked. */
function rewritten(value: unknown, change: (text: string) => string, keys = false): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((part) => rewritten(part, change, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      keys ? change(key) : key,
      rewritten(member, change, keys),
    ]),
  );
}

function withSids(policy: unknown): unknown {
  if (typeof policy !== "object" || policy === null || !("Statement" in policy)) return policy;
  const { Statement: given } = policy;
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return { ...policy, Id: canary, Statement: list.map((one) => ({ ...Object(one), Sid: canary })) };
}

/** Policies of every check's own bad examples, with the canary where it leaves them bad, and all over. */
function policiesWithCanary(): unknown[] {
  const bad = builtinChecks.flatMap(({ examples }) => examples.bad.map(({ policy }) => policy));
  const text = JSON.stringify(withSids(readOnly));
  return [
    ...bad.map(withSids),
    ...bad.map((policy) => rewritten(policy, (each) => each + canary)),
    ...bad.map((policy) => rewritten(policy, () => canary)),
    ...bad.map((policy) => rewritten(policy, (each) => each + canary, true)),
    ...bad.map((policy) => JSON.stringify(withSids(policy), null, 2)),
    canary,
    `${canary}: [`,
    `{"${canary}": `,
    `${text.slice(0, -2)}${canary}`,
    `- ${canary}\n- &${canary} x\n- *${canary}\n- *no${canary}`,
    `! ${canary} %${canary}\n---\n${canary}\n...\n${canary}: !!${canary} x`,
    `{"${canary}":${"[".repeat(200)}"${canary}"${"]".repeat(200)}}`,
    [canary],
    { policy: [canary] },
    { policy: text, name: canary, policy_type: canary },
    { policy: text, name: [canary], [canary]: canary },
  ];
}

type Arguments = readonly [tool: string, args: unknown];

function* callsWithCanary(): Generator<Arguments> {
  const policies = policiesWithCanary();
  for (let at = 0; at < policies.length; at += 40) {
    const part = policies.slice(at, at + 40);
    // Entries that are not policies refuse the whole call; the others are validated one by one below.
    yield ["validate_policies", { policies: part, detail: "full" }];
  }
  const validated = policies.filter(
    (policy) => typeof policy === "string" || (policy && !Array.isArray(policy)),
  );
  for (const [index, format] of ReportFormat.options.entries()) {
    const part = validated
      .slice(index * 40, index * 40 + 40)
      .map((policy) => ({ policy, name: canary }));
    yield ["validate_policies", { policies: part, format, detail: "full" }];
  }
  for (const policy of policies.slice(-15)) {
    yield ["validate_policies", { policies: [policy] }];
    yield ["analyze_policy", { policy }];
  }
  const one = [withSids(readOnly)];
  yield ["validate_policies", { policies: one, policy_type: canary }];
  yield ["validate_policies", { policies: one, detail: canary }];
  yield ["validate_policies", { policies: one, format: canary }];
  yield ["validate_policies", { policies: one, [canary]: { [canary]: canary } }];
  yield ["validate_policies", { policies: canary }];
  yield ["validate_policies", { policies: Array(51).fill(canary) }];
  yield ["validate_policies", { policies: [JSON.stringify(one[0]).padEnd(1_100_000, canary)] }];
  yield ["analyze_policy", { policy: one[0], policy_type: canary }];
  yield ["analyze_policy", { policy: one[0], partition: canary }];
  yield ["analyze_policy", { policy: one[0], region: canary }];
  yield ["analyze_policy", { policy: one[0], timeout_seconds: canary, [canary]: 1 }];
  yield ["analyze_policy", { policy: one[0] }];
  yield ["query", { kind: canary, [canary]: canary }];
  for (const kind of ["service_actions", "condition_keys", "arn_formats"]) {
    yield ["query", { kind, service: canary }];
  }
  yield ["query", { kind: "service_actions", service: "s3", access_level: canary }];
  yield ["query", { kind: "service_actions", service: "s3", name_filter: canary }];
  const names = [canary, `s3:${canary}`, `${canary}:${canary}`, `s3:*${canary}*`];
  yield ["query", { kind: "action_details", actions: names, patterns: [canary] }];
  yield ["query", { kind: "action_details", actions: Array(501).fill(canary) }];
  yield ["query", { kind: "expand_wildcard", patterns: names, service: canary }];
  yield ["describe_checks", { check_ids: [canary, "sid_uniqueness"] }];
  yield ["describe_checks", { check_ids: canary, [canary]: canary }];
  yield ["get_config", { [canary]: canary }];
  yield [canary, { [canary]: canary }];
  yield ["validate_policies", canary];
  yield ["validate_policies", [canary]];
}

function otherMethods(): [method: string, params: object][] {
  const meta = { _meta: { [canary]: canary, progressToken: canary, traceparent: canary } };
  const handshake = { protocolVersion: canary, capabilities: { [canary]: {} } };
  return [
    ["initialize", { ...handshake, clientInfo: { name: canary, version: canary, title: canary } }],
    ["initialize", { ...handshake, clientInfo: canary }],
    ["server/discover", { [canary]: canary, ...meta }],
    ["tools/list", { cursor: canary, ...meta }],
    ["resources/list", { cursor: canary }],
    ...[
      `iam://${canary}`,
      `iam://checks/${canary}`,
      `iam://sensitive-actions/${canary}`,
      canary,
    ].map((uri): [string, object] => ["resources/read", { uri }]),
    ["resources/read", { uri: { [canary]: 1 } }],
    ["resources/subscribe", { uri: canary }],
    ["prompts/get", { name: canary, arguments: { [canary]: canary } }],
    ["prompts/get", { name: "review_policy_security", arguments: { policy_json: canary } }],
    ["prompts/get", { name: "review_policy_security", arguments: { [canary]: canary } }],
    [
      "prompts/get",
      {
        name: "generate_secure_policy",
        arguments: {
          service: canary,
          operations: canary,
          resources: canary,
          principal_type: canary,
        },
      },
    ],
    [
      "prompts/get",
      {
        name: "fix_policy_issues_workflow",
        arguments: { policy_json: canary, issues_description: canary },
      },
    ],
    ["prompts/get", { name: "review_policy_security", arguments: canary }],
    ["completion/complete", { ref: { type: canary }, argument: { name: canary, value: canary } }],
    ["logging/setLevel", { level: canary }],
    [`${canary}/${canary}`, { [canary]: canary }],
    [`notifications/${canary}`, { [canary]: canary }],
    ["ping", { [canary]: canary }],
  ];
}

function rawRequests(token: string): RawRequest[] {
  const { headers } = rpcRequest("tools/list", {}, { token });
  const list = rpcRequest("tools/list", {}, { token }).body;
  const invalid = Buffer.concat([Buffer.from(canary), Buffer.from([0xff, 0xfe])]);
  const bodies = [
    canary,
    `"${canary}"`,
    `{"${canary}":`,
    `{"${canary}":"${canary}"}`,
    `[${list},{"method":"${canary}"}]`,
    `{"jsonrpc":"${canary}","id":"${canary}","method":"${canary}"}`,
    `{"jsonrpc":"2.0","id":"${canary}","method":"tools/call","params":"${canary}"}`,
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${canary}","reason":"${canary}"}}`,
    `{"jsonrpc":"2.0","id":"${canary}","result":{"${canary}":1}}`,
    invalid,
    gzipSync(canary),
    canary.repeat(largeBody / 10),
    `{"${canary}":${"[".repeat(50_000)}`,
    `{"jsonrpc":"2.0","id":"${canary}","method":"tools/list","params":{"${canary}":"${canary.repeat(7000)}"}}`,
    `{"jsonrpc":"2.0","id":"${canary}","method":"tools/call","params":{"name":"query","arguments":{"kind":"${canary.repeat(7000)}"}}}`,
  ];
  const names = [
    "accept",
    "authorization",
    "baggage",
    "content-encoding",
    "content-type",
    "cookie",
    "forwarded",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "origin",
    "host",
    "traceparent",
    "tracestate",
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-host",
    `x-${canary}`,
  ];
  const post = { method: "POST", headers };
  return [
    ...bodies.map((body) => ({ ...post, body })),
    ...names.map((name) => ({ ...post, body: list, headers: { ...headers, [name]: canary } })),
    { ...post, body: list, headers: { ...headers, authorization: `Bearer ${canary}` } },
    { ...post, body: list, headers: { ...headers, origin: `https://${canary}.example` } },
    { method: canary.toUpperCase(), headers },
    { method: "DELETE", headers: { ...headers, "mcp-session-id": canary } },
  ];
}

/** A request that its sender gives up before it is whole. */
export async function breakOff({ url }: Pick<Target, "url">, token: string): Promise<void> {
  const { headers } = rpcRequest("tools/call", {}, { token });
  const request = openRequest(`${url}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-length": "100000" },
  });
  const gone = new Promise<void>((resolve) => {
    request.on("error", () => resolve());
    request.on("close", () => resolve());
  });
  request.write(`{"${canary}": "${canary}`);
  await new Promise<void>((resolve) =>
    request.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => resolve());
      else resolve();
    }),
  );
  request.destroy();
  await gone;
}

/**
 * Puts the canary into every field of every request, in both eras.
 * @param token Of a caller who may use everything.
 * @returns answers by status, and how many of them show the canary back.
 */
export async function sendCanaries(
  target: Pick<Target, "url">,
  token: string,
): Promise<{ readonly answers: number; readonly echoed: number }> {
  let answers = 0;
  let echoed = 0;
  const note = (text: string) => {
    answers++;
    if (text.includes(canary)) echoed++;
  };
  for (const era of eras) {
    for (const [name, args] of callsWithCanary()) {
      const params = { name, arguments: args, _meta: { [canary]: canary } };
      note((await rpc(target, "tools/call", params, { era, token, id: canary })).text);
    }
    for (const [method, params] of otherMethods()) {
      const headers = { "mcp-name": canary };
      note((await rpc(target, method, params, { era, token, id: canary })).text);
      note((await rpc(target, method, params, { era, token, headers })).text);
    }
  }
  for (const request of rawRequests(token)) note((await raw(`${target.url}/mcp`, request)).text);
  for (const path of [
    `/${canary}`,
    `/mcp?${canary}=${canary}`,
    `/mcp/${canary}`,
    `/health?${canary}`,
    `/ready/${canary}`,
    `/%${canary}`,
  ]) {
    note((await raw(target.url + path, { headers: { [`x-${canary}`]: canary } })).text);
  }
  return { answers, echoed };
}
