import { z } from "zod";
import type { Answer } from "../../src/access/answers.ts";
import { accountsIn } from "../../src/access/asking.ts";
import { namedRoles } from "../../src/access/caller-kinds.ts";
import { type Caller, caller, readSessionArn } from "../../src/access/callers.ts";
import { type AccessDocument, type AccessType, readDocument } from "../../src/access/document.ts";
import { evaluate } from "../../src/access/evaluate.ts";
import { askNewAccess, askWithin } from "../../src/access/questions.ts";
import type { AccessRequest } from "../../src/access/request.ts";
import { runQuestionSync } from "../../src/access/run.ts";
import { settingOf } from "../../src/access/setting.ts";
import { isWellFormed } from "../../src/access/well-formed.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { holds } from "../broken.ts";
import { AccessMaker } from "../make/access.ts";
import { Random } from "../random.ts";
import type { Target } from "../target.ts";

const AccessCase = z.strictObject({
  type: z.enum(["identity", "resource", "trust", "scp", "rcp"]),
  policy: z.unknown(),
  baseline: z.unknown(),
  /** Where the requests come from. */
  seed: z.int(),
  requests: z.int(),
});
type AccessCase = z.infer<typeof AccessCase>;

const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };

/** What a case showed, for callers that count. */
export interface Seen {
  readonly verdict: Answer["verdict"];
  readonly constructs: readonly string[];
  /** Requests that were well-formed and so were compared. */
  readonly compared: number;
}

export function generateAccess(random: Random, requests = 100): AccessCase {
  const maker = new AccessMaker(random);
  const type = maker.type();
  const policy = maker.policy(type);
  const baseline = random.chance(0.7) ? maker.changed(policy, type) : maker.policy(type);
  const [first, second] = random.chance(0.5) ? [policy, baseline] : [baseline, policy];
  return { type, policy: first, baseline: second, seed: random.below(1_000_000_000), requests };
}

/**
 * Asks for new access, and holds the answer against requests and the evaluator.
 * @throws {Broken} when a request contradicts the answer.
 */
export function runAccess(input: AccessCase): Seen {
  const { type } = input;
  const policy = readDocument(input.policy, type);
  const baseline = readDocument(input.baseline, type);
  const answer = runQuestionSync(askNewAccess(policy, baseline, type, options));
  const denied = runQuestionSync(askWithin(policy, baseline, type, "denied", options));
  const setting = settingOf([policy, baseline], type, options);
  for (const { witness } of answer.violations) {
    holds(isNew(witness, policy, baseline, type, setting.keys), "a witness does not replay", () =>
      JSON.stringify(witness),
    );
  }
  let compared = 0;
  if (answer.verdict === "holds" || denied.verdict === "holds") {
    const maker = new AccessMaker(new Random(input.seed));
    const facts = {
      keys: setting.keys,
      usedKeys: setting.usedKeys,
      named: {
        roles: namedRoles([policy, baseline]),
        accounts: [...accountsIn([policy, baseline])],
      },
    };
    for (let count = 0; count < input.requests; count++) {
      const request = maker.request(type, setting.usedKeys);
      if (!isWellFormed(request, callerOf(request), facts)) continue;
      compared++;
      if (answer.verdict === "holds") {
        holds(
          !isNew(request, policy, baseline, type, setting.keys),
          "a request contradicts a proof",
          () => JSON.stringify(request),
        );
      }
      if (denied.verdict === "holds") {
        const [left, right] = [policy, baseline].map(
          (document) => evaluate(document, type, request, setting.keys).outcome,
        );
        holds(
          left !== "denied" || right === "denied" || right === "unknown",
          "a request contradicts a proof about denials",
          () => JSON.stringify(request),
        );
      }
    }
  }
  return {
    verdict: answer.verdict,
    constructs: answer.undecided_by.map(({ construct }) => construct),
    compared,
  };
}

function isNew(
  request: AccessRequest,
  policy: AccessDocument,
  baseline: AccessDocument,
  type: AccessType,
  keys: Parameters<typeof evaluate>[3],
): boolean {
  if (evaluate(policy, type, request, keys).outcome !== "allowed") return false;
  const before = evaluate(baseline, type, request, keys).outcome;
  return before === "denied" || before === "not_allowed";
}

export function callerOf({ principal }: AccessRequest): Caller {
  if (principal.type === "Anonymous") return caller("anonymous");
  if (principal.type === "Service") return caller("service", principal.name);
  if (principal.type === "Federated") return caller("federated", principal.name);
  if (principal.type === "CanonicalUser") return caller("canonical", principal.name);
  const { arn, session } = principal;
  if (arn.endsWith(":root")) return caller("root");
  if (arn.includes(":user/")) return caller("user");
  const account = arn.split(":")[4] ?? "";
  const name = `arn:aws:sts::${account}:assumed-role/${arn.slice(arn.lastIndexOf("/") + 1)}/${session}`;
  return { ...caller("session", name), session: readSessionArn(name) };
}

export async function open(): Promise<Target<AccessCase>> {
  return {
    schema: AccessCase,
    generate: (random) => generateAccess(random),
    run: async (input) => void runAccess(input),
    close: async () => {},
  };
}
