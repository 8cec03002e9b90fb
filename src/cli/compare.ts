import type { AccessAnswer } from "../../spec/access.ts";
import { createRegistry } from "../engine/registry.ts";
import type { Session } from "../local/session.ts";
import type { Environment } from "../settings.ts";
import { compareFolders } from "./compare-folders.ts";
import { areFolders, compareFiles } from "./compare-sides.ts";
import { openSession } from "./open-session.ts";
import { changesInWords } from "./removed.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import type { Outcome } from "./validate-inputs.ts";
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
  const comparison = { declaredType, session: comparing(session), streams };
  const isFolders = await areFolders(old, changed);
  const compare = isFolders ? compareFolders : compareFiles;
  const forward = await compare(old, changed, comparison);
  if (forward.documents.length + (forward.removed?.length ?? 0) === 0) {
    throw new UsageError(`${changed} was not compared: it holds no policy`);
  }
  if (options.both !== true) {
    const invocation = { options, environment, streams };
    const status = await finish(forward, output, comparison.session, invocation);
    if (options.quiet) return status;
    for (const note of changesInWords(forward.documents, forward.removed ?? [])) {
      streams.stderr.write(`validator-mcp: ${note}\n`);
    }
    return status;
  }
  const relation = relationOf(forward, await compare(changed, old, comparison));
  streams.stdout.write(`${relation}\n`);
  if (relation === "undecided") return 2;
  return relation === "equal" || relation === "narrower" ? 0 : 1;
}

/** The runtime with the one check that compares. */
function comparing(session: Session): Session {
  const { runtime } = session;
  const check = runtime.registry.get("no_new_access");
  if (!check) throw new UsageError("this build has no check no_new_access");
  const registry = createRegistry([{ ...check, enabled: true }]);
  const engine = { ...runtime.engine, registry };
  return { ...session, runtime: { ...runtime, registry, engine } };
}

/** How the new version relates to the old one. */
function relationOf(forward: Outcome, backward: Outcome): string {
  const [more, less] = [forward, backward].map(verdictOf);
  if (more === "undecided" || less === "undecided") return "undecided";
  if (more === "holds") return less === "holds" ? "equal" : "narrower";
  return less === "holds" ? "wider" : "different";
}

function verdictOf({ documents, removed = [] }: Outcome): AccessAnswer["verdict"] {
  const verdicts = documents.map(({ answers: [answer] }) => answer?.verdict ?? "undecided");
  if (verdicts.includes("violated")) return "violated";
  const isNone = verdicts.length === 0 && removed.length === 0;
  return isNone || verdicts.includes("undecided") ? "undecided" : "holds";
}
