import { policyTypeWords } from "../../spec/policy.ts";
import { partitionDefaults } from "../../spec/tools/analyze-policy.ts";
import { queryAccessLevels } from "../../spec/tools/query.ts";
import { Detail, ReportFormat } from "../../spec/tools/validate-policies.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { canary } from "../../test/support/canary-traffic.ts";
import { eras, rpcRequest } from "../../test/support/rpc.ts";
import { tokens } from "../../test/support/target.ts";
import type { Random } from "../random.ts";
import type { WireRequest } from "../wire-request.ts";
import { bodyOf } from "./bodies.ts";
import type { Corpus } from "./corpus.ts";
import { changedHeaders } from "./headers.ts";
import { mutate } from "./mutate.ts";
import { oddName, oddText, oddValue } from "./odd.ts";
import { Policies } from "./policies.ts";
import { brokenText } from "./texts.ts";

type Make = (random: Random) => unknown;
type Params = Readonly<Record<string, unknown>>;

/** Makes requests of the protocol: what clients of both eras send, then changed at every level. */
export class Messages {
  readonly #corpus: Corpus;
  readonly #policies: Policies;
  readonly #arguments: Readonly<Record<string, (random: Random) => Params>>;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    this.#policies = new Policies(corpus);
    this.#arguments = {
      validate_policies: (random) => this.#validate(random),
      analyze_policy: (random) => this.#analyze(random),
      query: (random) => this.#query(random),
      describe_checks: (random) =>
        maybe(random, { check_ids: (r) => r.list(r.small(4), () => checkId(r)) }),
      get_config: () => ({}),
    };
  }

  request(random: Random): WireRequest {
    const era = random.pick(eras);
    const [method, params] = this.#message(random);
    const id = random.weighted<string | number>([
      [4, () => random.below(1_000)],
      [2, () => canary],
      [1, () => oddText(random)],
      [1, () => random.pick([0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER])],
    ]);
    const token = random.chance(0.85)
      ? tokens.all
      : random.pick([...Object.values(tokens), canary]);
    const { headers, body } = rpcRequest(method, params, { era, id, token });
    const message: unknown = JSON.parse(body);
    const changed = random.chance(0.35) ? mutate(message, random) : message;
    return {
      method: random.chance(0.98)
        ? "POST"
        : random.pick(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]),
      path: random.chance(0.98)
        ? "/mcp"
        : random.pick(["/", "/mcp/", "/health", "/ready", "/mcp?a=b"]),
      headers: changedHeaders(Object.entries(headers), random),
      ...bodyOf(changed, random),
    };
  }

  #message(random: Random): [method: string, params: Params] {
    if (random.chance(0.6)) {
      const tool = random.pick(Object.keys(this.#arguments));
      const given = this.#arguments[tool]?.(random) ?? {};
      const args = random.chance(0.3) ? mutate(given, random) : given;
      return [
        "tools/call",
        { name: random.chance(0.97) ? tool : oddText(random), arguments: args },
      ];
    }
    return [
      random.chance(0.95) ? random.pick(methods) : oddText(random),
      random.chance(0.7) ? this.#params(random) : (Object(oddValue(random)) as Params),
    ];
  }

  #params(random: Random): Params {
    const uris = [
      "iam://checks",
      "iam://checks/sid_uniqueness",
      `iam://checks/${canary}`,
      "iam://sensitive-actions",
      "iam://sensitive-actions/data_access",
      `iam://${canary}`,
      oddText(random),
    ];
    const prompts = [
      "generate_secure_policy",
      "fix_policy_issues_workflow",
      "review_policy_security",
    ];
    const prompt = {
      policy_json: oddText,
      issues_description: oddText,
      service: oddText,
      operations: oddText,
      resources: oddText,
      principal_type: oddText,
    };
    const handshake = {
      capabilities: (r: Random) => oddValue(r, 2),
      clientInfo: (r: Random) => oddValue(r, 2),
    };
    return random.weighted<Params>([
      [2, () => ({})],
      [3, () => ({ uri: random.pick(uris) })],
      [3, () => ({ name: random.pick(prompts), arguments: maybe(random, prompt) })],
      [
        2,
        () => ({
          protocolVersion: random.pick(["2025-06-18", canary]),
          ...maybe(random, handshake),
        }),
      ],
      [
        2,
        () => ({
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: canary, version: "1" },
        }),
      ],
      [1, () => ({ cursor: oddText(random) })],
      [1, () => ({ requestId: oddText(random), reason: oddText(random) })],
      [1, () => ({ [oddName(random)]: oddValue(random) })],
    ]);
  }

  #validate(random: Random): Params {
    const entry = (): unknown => {
      const value = this.#policies.any(random);
      const policy = random.weighted<unknown>([
        [5, () => value],
        [3, () => JSON.stringify(value)],
        [1, () => brokenText(value, random)],
      ]);
      if (random.chance(0.6)) return policy;
      return { policy, ...maybe(random, { name: oddText, policy_type: typeWord }) };
    };
    return {
      policies: random.list(random.chance(0.98) ? 1 + random.small(4) : 51, entry),
      ...maybe(random, {
        detail: (r) => r.pick(Detail.options),
        format: (r) => r.pick(ReportFormat.options),
        policy_type: typeWord,
      }),
    };
  }

  #analyze(random: Random): Params {
    const value = this.#policies.any(random);
    return {
      policy: random.chance(0.5) ? value : JSON.stringify(value),
      ...maybe(random, {
        policy_type: typeWord,
        partition: (r) => (r.chance(0.8) ? r.pick(Object.keys(partitionDefaults)) : oddText(r)),
        region: (r) => (r.chance(0.8) ? r.pick(["eu-west-1", "us-east-1"]) : oddText(r)),
        timeout_seconds: (r) => r.pick([0.001, 1, 30, 1e9, -1, 0]),
      }),
    };
  }

  #query(random: Random): Params {
    const action = () => (random.chance(0.8) ? random.pick(this.#corpus.actions) : oddText(random));
    const service = () => action().split(":")[0];
    const list = () => random.list(random.chance(0.98) ? random.small(8) : 501, action);
    return {
      kind: random.pick([
        "service_actions",
        "action_details",
        "condition_keys",
        "arn_formats",
        "expand_wildcard",
        canary,
      ]),
      ...(random.chance(0.9) && { service: service() }),
      ...(random.chance(0.7) && { actions: list() }),
      ...(random.chance(0.7) && { patterns: list() }),
      ...maybe(random, {
        access_level: (r) => (r.chance(0.8) ? r.pick(queryAccessLevels) : oddText(r)),
        name_filter: oddText,
      }),
    };
  }
}

const methods = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "subscriptions/listen",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "tools/call",
  "toString",
] as const;

function typeWord(random: Random): string {
  return random.chance(0.8) ? random.pick(policyTypeWords) : oddText(random);
}

function checkId(random: Random): string {
  return random.chance(0.7) ? random.pick(builtinChecks).check_id : oddText(random);
}

/** Each member is there or not, or is null. */
function maybe(random: Random, members: Readonly<Record<string, Make>>): Params {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, make]) =>
      random.chance(0.5) ? [[name, random.chance(0.93) ? make(random) : null]] : [],
    ),
  );
}
