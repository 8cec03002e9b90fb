import type { Answer } from "../../src/access/answers.ts";
import { type AccessDocument, type AccessType, readDocument } from "../../src/access/document.ts";
import { evaluate } from "../../src/access/evaluate.ts";
import { askNewAccess, askWithin } from "../../src/access/questions.ts";
import type { AccessRequest } from "../../src/access/request.ts";
import { runQuestionSync } from "../../src/access/run.ts";
import { settingOf } from "../../src/access/setting.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { holds } from "../broken.ts";
import { AccessMaker } from "../make/access.ts";
import type { Random } from "../random.ts";
import type { Target } from "../target.ts";
import { AccessCase, requestsOf, runGranted, runPublic } from "./access-alone.ts";

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
  const seed = random.below(1_000_000_000);
  return {
    type,
    policy: first,
    baseline: second,
    forbidden: maker.forbidden(),
    seed,
    requests,
  };
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
    for (const request of requestsOf(input, [policy, baseline], setting)) {
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

export async function open(): Promise<Target<AccessCase>> {
  return {
    schema: AccessCase,
    generate: (random) => generateAccess(random),
    run: async (input) => {
      runAccess(input);
      runGranted(input);
      runPublic(input);
    },
    close: async () => {},
  };
}
