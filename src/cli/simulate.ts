import { readFile } from "node:fs/promises";
import { AccessRequest } from "../../spec/access.ts";
import { type Evaluation, evaluateRequest, type StatementOutcome } from "../access/library.ts";
import { tryParseJson } from "../json/parse.ts";
import { detectPolicyType } from "../policy/detect-type.ts";
import { parseDocument } from "../policy/document.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { statementsOf } from "../policy/normalise.ts";
import { isRecord } from "../record.ts";
import type { Environment } from "../settings.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";
import { typeOf } from "./validate-options.ts";

export interface SimulateOptions extends ConfigOptions {
  readonly request: string;
  readonly policyType?: string;
  readonly format?: string;
}

/**
 * The command `simulate`: what one policy says about one request.
 * @returns The exit status: 0 allowed, 1 denied or not allowed, 2 unknown.
 * @throws {UsageError} Says what to fix.
 */
export async function runSimulate(
  policyPath: string,
  options: SimulateOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  if (policyPath === "-" && options.request === "-") {
    throw new UsageError("only one of the policy and the request can be standard input");
  }
  const declared = typeOf(options.policyType);
  const { runtime } = await openSession(options, environment, streams);
  const { max_policy_bytes } = runtime.settings;
  const read = async (path: string) =>
    path === "-" ? readAll(streams.stdin, max_policy_bytes) : readText(path);
  const document = await parseDocument(await read(policyPath));
  const request = requestIn(await read(options.request), options.request);
  const raw = document.raw;
  if (typeof raw !== "object" || raw === null) {
    throw new UsageError(`${policyPath} is not a policy document`);
  }
  const evaluation = await evaluateRequest(
    {
      policy: raw,
      policyType: declared ?? detectPolicyType(statementsOf(document)),
      request,
    },
    { services: runtime.services },
  );
  const text =
    options.format === "json" ? JSON.stringify(evaluation, null, 2) : textOf(evaluation).join("\n");
  streams.stdout.write(`${text}\n`);
  if (evaluation.outcome === "allowed") return 0;
  return evaluation.outcome === "unknown" ? 2 : 1;
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => {
    throw new UsageError(`${path} cannot be read`);
  });
}

/** The first violation in what `compare`, `validate` or a tool returned: a report, a result or an answer. */
function firstViolation(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value.violations)) return value.violations[0];
  const inner = [value.structuredContent, value.results, value.answers].flat();
  for (const part of inner) {
    const found = firstViolation(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A request, a violation with its witness, or the first violation of an answer or a report. */
function requestIn(text: string, path: string): AccessRequest {
  const value = tryParseJson(text);
  if (value === undefined) throw new UsageError(`${path} is not JSON`);
  const found = firstViolation(value) ?? value;
  const request = AccessRequest.safeParse(
    isRecord(found) && isRecord(found.witness) ? found.witness : found,
  );
  if (request.success) return request.data;
  throw new UsageError(
    `${path} has neither a request (principal, action, resource) nor a report with a violation`,
  );
}

const words: Readonly<Record<Evaluation["outcome"], string>> = {
  allowed: "allowed",
  denied: "denied",
  not_allowed: "not allowed: no Allow statement matches",
  unknown: "unknown: the policy holds something that cannot be read",
};

function textOf({ outcome, statements, absentKeys }: Evaluation): string[] {
  const lines = [words[outcome], ...statements.map(statementText)];
  if (absentKeys.length > 0) {
    lines.push(`absent keys that were asked for: ${absentKeys.map(escapeInvisible).join(", ")}`);
  }
  return lines;
}

function statementText({
  index,
  sid,
  effect,
  outcome,
  element,
  construct,
}: StatementOutcome): string {
  const name = `statement ${index + 1}${sid === null ? "" : ` (${escapeInvisible(sid)})`}`;
  if (outcome === "yes") return `${name}: ${effect === "deny" ? "denies" : "allows"}`;
  if (outcome === "no") return `${name}: does not match, by its ${element}`;
  return `${name}: may match (${construct})`;
}
