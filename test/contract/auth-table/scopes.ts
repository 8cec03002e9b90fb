import {
  allTools,
  insufficient,
  lacksRequired,
  rpcError,
  sees,
  status,
  validateTools,
} from "./answers.ts";
import type { Case, Revision } from "./types.ts";

const revisions: readonly Revision[] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const both: readonly Revision[] = ["2025-11-25", "2026-07-28"];

/** What a token opens, and what the lack of a scope is answered with. */
export const scopeCases: readonly Case[] = [
  // Gating: hidden is absent.
  ...(
    [
      ["static validate", validateTools],
      ["static query", ["query"]],
      ["static analyze", ["analyze_policy"]],
      ["static config", ["get_config"]],
      ["static none", []],
    ] as const
  ).map(
    ([token, tools]): Case => ({
      reason: "listed only with the scope",
      servers: ["token", "token, step-up"],
      tokens: [token],
      revisions,
      answer: sees(...tools),
    }),
  ),
  ...(
    [
      ["static query", "validate_policies"],
      ["static query", "describe_checks"],
      ["static validate", "query"],
      ["static validate", "get_config"],
      ["static config", "analyze_policy"],
      ["static none", "get_config"],
      ["static none", "no_such_tool"],
      ["static all", "no_such_tool"],
    ] as const
  ).map(
    ([token, calls]): Case => ({
      reason: "unreachable by name, no authorization error",
      servers: ["token"],
      tokens: [token],
      revisions: both,
      calls,
      answer: rpcError(200, -32602),
    }),
  ),
  {
    reason: "reachable with the scope",
    servers: ["token", "token, step-up"],
    tokens: ["static config", "static all"],
    revisions: both,
    calls: "get_config",
    answer: status(200, "result"),
  },
  // Step-up: the same lack as a challenge, for those who asked for it.
  ...(
    [
      ["static query", "validate_policies", "iam:validate"],
      ["static validate", "query", "iam:query"],
      ["static config", "analyze_policy", "iam:analyze"],
      ["static none", "get_config", "iam:config"],
    ] as const
  ).map(
    ([token, calls, scope]): Case => ({
      reason: "MCP authorization: step-up names the scope",
      servers: ["token, step-up"],
      tokens: [token],
      revisions: both,
      calls,
      answer: insufficient("token, step-up", scope, `${calls} needs the scope ${scope}.`),
    }),
  ),
  {
    reason: "RFC 6750 3, MCP authorization: all that the call needs, the floor too",
    servers: ["token, floor and step-up"],
    tokens: ["static query", "static other"],
    revisions: both,
    calls: "get_config",
    answer: insufficient(
      "token, floor and step-up",
      "iam:query iam:config",
      "get_config needs the scope iam:config.",
    ),
  },
  {
    reason: "the floor comes before the step",
    servers: ["token, floor and step-up"],
    tokens: ["static config"],
    revisions: both,
    calls: "get_config",
    answer: insufficient("token, floor and step-up", "iam:query", lacksRequired),
  },
  {
    reason: "RFC 9728 5.1: step-up shows the way",
    servers: ["jwt, step-up"],
    tokens: ["good"],
    revisions: both,
    calls: "get_config",
    answer: insufficient("jwt, step-up", "iam:config", "get_config needs the scope iam:config."),
  },
  {
    reason: "an unknown tool is refused whatever the scopes",
    servers: ["token, step-up"],
    tokens: ["static none", "static all"],
    revisions: both,
    calls: "no_such_tool",
    answer: rpcError(200, -32602),
  },
  {
    reason: "what a profile leaves out is refused whatever the scopes",
    servers: ["token, step-up in a profile"],
    tokens: ["static none", "static all"],
    revisions: both,
    calls: "get_config",
    answer: rpcError(200, -32602),
  },
  {
    reason: "step-up names the scope within a profile too",
    servers: ["token, step-up in a profile"],
    tokens: ["static none"],
    revisions: both,
    calls: "validate_policies",
    answer: insufficient(
      "token, step-up in a profile",
      "iam:validate",
      "validate_policies needs the scope iam:validate.",
    ),
  },
  // Resources: what a tool would tell, under the tool's scope.
  ...(
    [
      ["static validate", "iam://checks"],
      ["static validate", "iam://checks/sid_uniqueness"],
      ["static validate", "iam://sensitive-actions/priv_esc"],
      ["static config", "iam://config-schema"],
      ["static all", "iam://config-examples"],
    ] as const
  ).map(
    ([token, reads]): Case => ({
      reason: "a resource is reachable with the scope",
      servers: ["token"],
      tokens: [token],
      revisions: both,
      reads,
      answer: status(200, "contents"),
    }),
  ),
  ...(
    [
      ["static config", "iam://checks"],
      ["static query", "iam://checks/sid_uniqueness"],
      ["static none", "iam://sensitive-actions/priv_esc"],
      ["static validate", "iam://config-schema"],
      ["static all", "iam://no-such-resource"],
    ] as const
  ).map(
    ([token, reads]): Case => ({
      reason: "hidden and absent resources look alike, step-up or not",
      servers: ["token", "token, step-up"],
      tokens: [token],
      revisions: both,
      reads,
      answer: rpcError(200, -32602),
    }),
  ),
  // Required scopes: the floor of every request.
  {
    reason: "RFC 6750 3.1: required scopes, all of them",
    servers: ["token, scopes required"],
    tokens: ["static validate", "static query", "static config", "static none"],
    revisions,
    answer: insufficient("token, scopes required", "iam:validate iam:query", lacksRequired),
  },
  {
    reason: "the floor does not look at the method",
    servers: ["token, scopes required"],
    methods: ["GET"],
    tokens: ["static query"],
    accept: "text/event-stream",
    on: "server",
    answer: insufficient("token, scopes required", "iam:validate iam:query", lacksRequired),
  },
  {
    reason: "required scopes held",
    servers: ["token, scopes required"],
    tokens: ["static all"],
    revisions,
    answer: sees(...allTools),
  },
  {
    reason: "the floor hides and shows nothing",
    servers: ["token, scopes required"],
    tokens: ["static other"],
    revisions,
    answer: sees("validate_policies", "query", "describe_checks"),
  },
  {
    reason: "RFC 6750 3.1: scopes of a signed token, letter by letter",
    servers: ["jwt, scope required"],
    tokens: ["lacking the scope", "with the scope in capitals", "good, no scopes"],
    revisions: both,
    answer: insufficient("jwt, scope required", "iam:validate", lacksRequired),
  },
  {
    reason: "required scope held",
    servers: ["jwt, scope required"],
    tokens: ["good", "good, scp for scope"],
    answer: sees(...validateTools),
  },
  {
    reason: "the scope map grants by subject, and nothing to others",
    servers: ["jwt, scope map"],
    tokens: ["good"],
    answer: sees("validate_policies", "describe_checks", "get_config"),
  },
];
