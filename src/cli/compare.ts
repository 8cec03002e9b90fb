import { readFile, stat } from "node:fs/promises";
import type { AccessAnswer } from "../../spec/access.ts";
import { createRegistry } from "../engine/registry.ts";
import type { Session } from "../local/session.ts";
import { validateText } from "../local/validate-text.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import type { Runtime } from "../runtime.ts";
import type { Environment } from "../settings.ts";
import { commitOf, fileAt } from "./git.ts";
import { openSession } from "./open-session.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";
import { readOutput, typeOf, type ValidateOptions } from "./validate-options.ts";
import { finish } from "./write-report.ts";

export interface CompareOptions extends ValidateOptions {
  readonly both?: boolean;
}

/**
 * The command `compare`: does the new version allow more than the old one?
 * @returns The exit status: 0 it does not, 1 it does, 2 it could not be decided which.
 * @throws {UsageError} Says what to fix.
 */
export async function runCompare(
  old: string,
  changed: string,
  options: CompareOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  if (old === "-" && changed === "-") throw new UsageError("only one side can be standard input");
  const output = readOutput(options);
  const declaredType = typeOf(options.policyType);
  const session = await openSession(options, environment, streams);
  const { max_policy_bytes } = session.runtime.settings;
  const before = await sideOf(old, max_policy_bytes, streams);
  const after = await sideOf(changed, max_policy_bytes, streams);
  const runtime = comparing(session);
  const compare = async (label: string, text: string, baseline: string) => {
    const limits = { declaredType, maxFileBytes: max_policy_bytes, maxDocuments: 1_000 };
    return validateText({ label, text, baseline }, runtime, limits);
  };
  const forward = await compare(changed, after, before);
  if (options.both !== true) {
    refuseUncompared(changed, forward);
    const outcome = { documents: forward, skipped: [] };
    const invocation = { options, environment, streams };
    return finish(outcome, output, { ...session, runtime }, invocation);
  }
  const relation = relationOf(forward, await compare(old, before, after));
  streams.stdout.write(`${relation}\n`);
  if (relation === "undecided") return 2;
  return relation === "equal" || relation === "narrower" ? 0 : 1;
}

/**
 * A document without an answer was not compared, and exit status 0 would say that it allows no more.
 * @throws {UsageError} Unless it has a finding that fails it, such as a syntax error.
 */
function refuseUncompared(word: string, documents: readonly ValidatedDocument[]): void {
  const silent = documents.find(({ answers, is_valid }) => answers.length === 0 && is_valid);
  if (silent === undefined && documents.length > 0) return;
  const reason =
    silent === undefined
      ? "it holds no policy"
      : silent.unwrapped === undefined
        ? `the old version has no document ${(silent.document ?? 0) + 1}`
        : "its policies are inside a template, plan or other file; compare takes files of one policy";
  throw new UsageError(`${word} was not compared: ${reason}`);
}

/** The runtime with the one check that compares. */
function comparing({ runtime }: Session): Runtime {
  const check = runtime.registry.get("no_new_access");
  if (!check) throw new UsageError("this build has no check no_new_access");
  const registry = createRegistry([{ ...check, enabled: true }]);
  return { ...runtime, registry, engine: { ...runtime.engine, registry } };
}

/** A file, `-`, or `git:REVISION:PATH`. */
async function sideOf(word: string, maxBytes: number, streams: CommandStreams): Promise<string> {
  if (word === "-") return readAll(streams.stdin, maxBytes);
  const [, revision, path] = /^git:([^:]+):(.+)$/s.exec(word) ?? [];
  if (revision !== undefined && path !== undefined) {
    const text = await fileAt(await commitOf(revision, process.cwd()), path, maxBytes);
    if (text === null) throw new UsageError(`${path} does not exist at ${revision}`);
    return text;
  }
  const found = await stat(word).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`${word} is not a file that can be read`);
  if (found.size > maxBytes) {
    throw new UsageError(`${word} has more than ${maxBytes} bytes (max_policy_bytes)`);
  }
  return readFile(word, "utf8");
}

/** How the new version relates to the old one. */
function relationOf(
  forward: readonly ValidatedDocument[],
  backward: readonly ValidatedDocument[],
): string {
  const [more, less] = [forward, backward].map(verdictOf);
  if (more === "undecided" || less === "undecided") return "undecided";
  if (more === "holds") return less === "holds" ? "equal" : "narrower";
  return less === "holds" ? "wider" : "different";
}

function verdictOf(documents: readonly ValidatedDocument[]): AccessAnswer["verdict"] {
  const verdicts = documents.map(({ answers: [answer] }) => answer?.verdict ?? "undecided");
  if (verdicts.includes("violated")) return "violated";
  return verdicts.length === 0 || verdicts.includes("undecided") ? "undecided" : "holds";
}
