/** What the clients of the soak ask: the kinds of request, how often each comes, and of what size. */
import { managedPolicies } from "../../test/support/managed-policies.ts";
import { rpcRequest } from "../../test/support/rpc.ts";
import { benign } from "../documents.ts";
import { token } from "./stage.ts";

/** One request, always the same bytes; the same bytes must come back. */
export interface Ask {
  /** Row of the report. */
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  /** Of a tool call, which leaves an audit record. */
  readonly call?: { readonly tool: string; readonly args: object };
  /** The tool refuses it, and should. */
  readonly refused: boolean;
}

/** What one client does in a row: a single request, or a handshake and what follows. */
export type Visit = readonly Ask[];

export interface Share {
  readonly weight: number;
  /** Taken in turn. */
  readonly visits: readonly Visit[];
}

type Revision = "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26";

interface AskOptions {
  readonly revision?: Revision;
  readonly accept?: string;
  readonly bearer?: string;
  readonly status?: number;
  readonly refused?: boolean;
}

function headersFor(revision: Revision, accept: string | undefined) {
  return {
    ...(accept !== undefined && { accept }),
    // 2025-03-26 does not know this header.
    ...(revision.startsWith("2025") &&
      revision !== "2025-03-26" && { "mcp-protocol-version": revision }),
  };
}

function ask(kind: string, method: string, params: object = {}, options: AskOptions = {}): Ask {
  const { revision = "2026-07-28", accept, bearer = token, status = 200 } = options;
  const { headers, body } = rpcRequest(method, params, {
    era: revision === "2026-07-28" ? "2026" : "2025",
    token: bearer,
    headers: headersFor(revision, accept),
  });
  const bytes = Buffer.from(body);
  return {
    kind,
    headers: { ...headers, "content-length": String(bytes.length) },
    body: bytes,
    status,
    refused: options.refused ?? false,
  };
}

function call(kind: string, tool: string, args: object, options: AskOptions = {}): Ask {
  const made = ask(kind, "tools/call", { name: tool, arguments: args }, options);
  return made.status === 200 ? { ...made, call: { tool, args } } : made;
}

const validate = (kind: string, policies: readonly unknown[], rest: object = {}, options = {}) =>
  call(kind, "validate_policies", { policies, ...rest }, options);

/** A notification has no id and no answer. */
function initialized(revision: Revision): Ask {
  const { headers } = ask("handshake", "notifications/initialized", {}, { revision });
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return {
    kind: "handshake",
    headers: { ...headers, "content-length": String(body.length) },
    body,
    status: 202,
    refused: false,
  };
}

/** What an SDK of the 2025 revisions does before its first call. */
function session(revision: Revision, last: Ask): Visit {
  const clientInfo = { name: "soak", version: "1" };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo };
  const hello = ask("handshake", "initialize", params, { revision: "2025-03-26" });
  return [hello, initialized(revision), ask("lists", "tools/list", {}, { revision }), last];
}

const sizeOf = (document: unknown) => Buffer.byteLength(JSON.stringify(document));

/** @returns as many managed policies of that size as asked for, spread over all there are. */
function documents(count: number, from: number, to: number): readonly unknown[] {
  const fitting = managedPolicies()
    .map(({ document }) => document)
    .filter((document) => sizeOf(document) >= from && sizeOf(document) < to);
  const step = Math.max(1, Math.floor(fitting.length / count));
  return fitting.filter((_, at) => at % step === 0).slice(0, count);
}

const indented = (document: unknown) => JSON.stringify(document, null, 2);

const yaml = `Version: "2012-10-17"
Statement:
  - Sid: Deploy
    Effect: Allow
    Action: [s3:PutObject, "iam:*", lambda:UpdateFunctionCode]
    Resource: "*"
  - Sid: Read
    Effect: Allow
    Action: s3:GetObjct
    Resource: arn:aws:s3:::reports/*
`;

const each = <Item>(items: readonly Item[], visit: (item: Item) => Ask): readonly Visit[] =>
  items.map((item) => [visit(item)]);

/** All that is asked, with weights that add up to about 1,000. */
export function mix(): readonly Share[] {
  const small = documents(24, 100, 1_500);
  const medium = documents(8, 4_000, 9_000);
  const tall = documents(4, 8_000, 30_000);
  const old: AskOptions = { revision: "2025-11-25" };
  const share = (weight: number, visits: readonly Visit[]): Share => ({ weight, visits });
  return [
    share(
      220,
      each(small, (one) => validate("validate, small object", [one])),
    ),
    share(
      120,
      each(small, (one) => validate("validate, small text", [indented(one)])),
    ),
    share(20, [[validate("validate, small text", [yaml])]]),
    share(
      150,
      each(small, (one) => validate("validate, small object", [one], {}, old)),
    ),
    share(
      20,
      each(small, (one) =>
        validate(
          "validate, as event stream",
          [one],
          {},
          { ...old, accept: "text/event-stream, application/json;q=0.5" },
        ),
      ),
    ),
    share(
      30,
      each(small, (policy) =>
        validate("validate, small object", [{ policy, name: "a.json", policy_type: "identity" }], {
          detail: "full",
        }),
      ),
    ),
    share(
      80,
      each(medium, (one) => validate("validate, medium object", [one])),
    ),
    share(
      40,
      each(medium, (one) => validate("validate, medium text", [indented(one)], {}, old)),
    ),
    share(20, [[validate("validate, 10 policies", small.slice(0, 10))]]),
    // From 16 KiB of text and 64 KiB of body on a worker thread validates.
    share(
      6,
      each(tall, (one) => validate("validate, large", [`${indented(one)}${" ".repeat(9_000)}`])),
    ),
    share(4, [[validate("validate, large", [benign(100_000)])]]),
    share(2, [[validate("validate, large", [benign(200_000)], { detail: "summary" }, old)]]),
    share(1, [[validate("validate, large", [benign(100_000), JSON.stringify(benign(300_000))])]]),
    share(
      15,
      each(["sarif", "markdown", "csv", "html"], (format) =>
        validate("report", small.slice(3, 6), { format }),
      ),
    ),
    share(
      50,
      each(["service_wildcard", "sensitive_action", "policy_size"], (id) =>
        call("describe_checks", "describe_checks", { check_ids: [id] }),
      ),
    ),
    share(80, [
      [call("query", "query", { kind: "action_details", actions: ["s3:GetObject", "iam:Pass*"] })],
      [call("query", "query", { kind: "service_actions", service: "sqs" }, old)],
      [call("query", "query", { kind: "expand_wildcard", patterns: ["dynamodb:*Item"] })],
      [call("query", "query", { kind: "condition_keys", service: "kms" })],
      [call("query", "query", { kind: "arn_formats", service: "s3" }, old)],
    ]),
    share(15, [
      [call("get_config", "get_config", {})],
      [call("get_config", "get_config", {}, old)],
    ]),
    share(50, [
      [ask("lists", "tools/list")],
      [ask("lists", "tools/list", {}, old)],
      [ask("lists", "server/discover")],
      [ask("lists", "resources/list")],
    ]),
    share(25, [
      session("2025-11-25", validate("validate, small object", [small[1]], {}, old)),
      session(
        "2025-06-18",
        validate("validate, small text", [yaml], {}, { revision: "2025-06-18" }),
      ),
      session("2025-03-26", call("get_config", "get_config", {}, { revision: "2025-03-26" })),
    ]),
    share(20, [
      [call("tool error", "validate_policies", {}, { refused: true })],
      [call("tool error", "query", { kind: "condition_keys", service: "s33" }, { refused: true })],
      [
        validate(
          "tool error",
          Array.from({ length: 51 }, () => ({})),
          {},
          { ...old, refused: true },
        ),
      ],
      [validate("tool error", [small[0]], { policy_type: "poem" }, { refused: true })],
    ]),
    share(5, [
      [ask("no access", "tools/list", {}, { bearer: "unknown-token-of-no-one", status: 401 })],
    ]),
  ];
}
