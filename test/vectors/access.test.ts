import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer } from "../../src/access/answers.ts";
import { readBlock, readDocument } from "../../src/access/document.ts";
import { askPublic } from "../../src/access/public.ts";
import { askGranted, askNewAccess } from "../../src/access/questions.ts";
import type { AccessRequest } from "../../src/access/request.ts";
import { runQuestionSync } from "../../src/access/run.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

const dir = process.env.VALIDATOR_VECTORS_DIR;
const type = z.enum(["identity", "resource", "trust", "scp", "rcp"]);

/** What some violation's witness has to meet; patterns are plain, over the whole text. */
const Constraints = z.strictObject({
  action_like: z.string().optional(),
  resource_like: z.string().optional(),
  principal: z
    .strictObject({
      type: z.string().optional(),
      name: z.string().optional(),
      arn_like: z.string().optional(),
    })
    .optional(),
  absent: z.array(z.string()).default([]),
  present: z.record(z.string(), z.array(z.string())).default({}),
});

const Vectors = z.looseObject({
  vectors: z.array(
    z.looseObject({
      id: z.string(),
      question: z.enum(["no_new_access", "access_not_granted", "no_public_access"]),
      policy_type: type,
      baseline: z.unknown().optional(),
      forbidden: z
        .strictObject({
          actions: z.array(z.string()).default([]),
          resources: z.array(z.string()).default([]),
          unless: z.array(z.unknown()).default([]),
        })
        .optional(),
      policy: z.unknown(),
      verdict: z.string(),
      undecided_by: z.array(z.string()).default([]),
      witness_constraints: Constraints.optional(),
      why: z.string(),
    }),
  ),
});

const Oracle = z.looseObject({
  cases: z.array(
    z.looseObject({
      file: z.string(),
      policy_type: type,
      reference: z.unknown(),
      candidates: z.array(
        z.looseObject({ n: z.int(), verdict: z.string(), document: z.unknown() }),
      ),
    }),
  ),
});

function read<Schema extends z.ZodType>(
  schema: Schema,
  file: string,
): z.output<Schema> | undefined {
  if (!dir) return undefined;
  return schema.parse(JSON.parse(readFileSync(join(dir, file), "utf8")));
}

const vectors = read(Vectors, "access-vectors.json")?.vectors ?? [];
const cases = read(Oracle, "access-oracle-sample.json")?.cases ?? [];
const options = {
  services: embeddedServices(),
  maxSteps: 200_000,
  maxStatements: 20,
  extraTrustedKeys: [],
};

function answerOf(vector: (typeof vectors)[number]): Answer {
  const policy = readDocument(vector.policy, vector.policy_type);
  if (vector.question === "no_public_access") {
    return runQuestionSync(askPublic(policy, vector.policy_type, options));
  }
  if (vector.question === "no_new_access") {
    const baseline = readDocument(vector.baseline, vector.policy_type);
    return runQuestionSync(askNewAccess(policy, baseline, vector.policy_type, options));
  }
  const { actions = [], resources = [], unless = [] } = vector.forbidden ?? {};
  const blocks = unless.map((block) => readBlock(block) ?? []);
  return runQuestionSync(
    askGranted(policy, { actions, resources, unless: blocks }, vector.policy_type, options),
  );
}

function isLike(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s").test(text);
}

function meets(request: AccessRequest, wanted: z.output<typeof Constraints>): boolean {
  const { principal } = request;
  const held = new Map(
    Object.entries(request.context).map(([key, values]) => [key.toLowerCase(), values]),
  );
  const name = "name" in principal ? principal.name : "";
  const arn = principal.type === "AWS" ? principal.arn : "";
  return (
    isLike((wanted.action_like ?? "*").toLowerCase(), request.action.toLowerCase()) &&
    isLike(wanted.resource_like ?? "*", request.resource) &&
    (wanted.principal?.type ?? principal.type) === principal.type &&
    (wanted.principal?.name ?? name) === name &&
    isLike(wanted.principal?.arn_like ?? "*", arn) &&
    wanted.absent.every((key) => !held.has(key.toLowerCase())) &&
    Object.entries(wanted.present).every(([key, patterns]) =>
      patterns.some((pattern) =>
        (held.get(key.toLowerCase()) ?? []).some((value) => isLike(pattern, value)),
      ),
    )
  );
}

describe.skipIf(!dir)("access vectors (VALIDATOR_VECTORS_DIR names their folder)", () => {
  test.each(vectors)("$id: $why", (vector) => {
    const answer = answerOf(vector);
    expect(answer).toMatchObject({ verdict: vector.verdict });
    const constructs = answer.undecided_by.map(({ construct }) => construct);
    expect(constructs).toEqual(expect.arrayContaining(vector.undecided_by));
    const wanted = vector.witness_constraints;
    if (!wanted) return;
    const witnesses = answer.violations.map(({ witness }) => witness);
    expect(witnesses).toSatisfy((all: AccessRequest[]) => all.some((one) => meets(one, wanted)));
  });
});

describe.skipIf(!dir)("pairs of policies with a known answer", () => {
  const pairs = cases.flatMap(({ file, policy_type, reference, candidates }) =>
    candidates.map((candidate) => ({ file, policy_type, reference, ...candidate })),
  );
  test.each(pairs)("$file $n: $verdict", ({ file, policy_type, reference, document, verdict }) => {
    const read = file.includes("role-trust-policies") ? "trust" : policy_type;
    const answer = runQuestionSync(
      askNewAccess(readDocument(document, read), readDocument(reference, read), read, options),
    );
    expect(answer.verdict).toBe(verdict === "PASS" ? "holds" : "violated");
  });
});
