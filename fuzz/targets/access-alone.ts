import { z } from "zod";
import { accountsIn } from "../../src/access/asking.ts";
import { namedRoles } from "../../src/access/caller-kinds.ts";
import { type Caller, caller, readSessionArn } from "../../src/access/callers.ts";
import { type AccessDocument, readBlock, readDocument } from "../../src/access/document.ts";
import { evaluate } from "../../src/access/evaluate.ts";
import { askPublic } from "../../src/access/public.ts";
import { askGranted } from "../../src/access/questions.ts";
import type { AccessRequest } from "../../src/access/request.ts";
import { runQuestionSync } from "../../src/access/run.ts";
import { type Setting, settingOf } from "../../src/access/setting.ts";
import { isUntrusted } from "../../src/access/untrusted.ts";
import { isWellFormed } from "../../src/access/well-formed.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { holds } from "../broken.ts";
import { AccessMaker } from "../make/access.ts";
import { Random } from "../random.ts";

/** The questions about one policy. */

const ForbiddenCase = z.strictObject({
  actions: z.array(z.string()),
  resources: z.array(z.string()),
  unless: z.array(z.looseObject({})),
});

export const AccessCase = z.strictObject({
  type: z.enum(["identity", "resource", "trust", "scp", "rcp"]),
  policy: z.unknown(),
  baseline: z.unknown(),
  forbidden: ForbiddenCase.optional(),
  /** Where the requests come from. */
  seed: z.int(),
  requests: z.int(),
});
export type AccessCase = z.infer<typeof AccessCase>;

const options = {
  services: embeddedServices(),
  maxSteps: 200_000,
  maxStatements: 20,
  extraTrustedKeys: [],
};

/** Well-formed requests made of the words of the documents. */
export function* requestsOf(
  { type, seed, requests }: AccessCase,
  documents: readonly AccessDocument[],
  { keys, usedKeys }: Setting,
): Generator<AccessRequest> {
  const maker = new AccessMaker(new Random(seed));
  const named = { roles: namedRoles(documents), accounts: [...accountsIn(documents)] };
  for (let count = 0; count < requests; count++) {
    const request = maker.request(type, usedKeys);
    if (isWellFormed(request, callerOf(request), { keys, usedKeys, named })) yield request;
  }
}

/**
 * Asks for what is forbidden, and holds the answer against requests. What is forbidden, and each exception, is
 * a policy to the evaluator.
 */
export function runGranted(input: AccessCase): void {
  const { type, forbidden } = input;
  if (!forbidden) return;
  const policy = readDocument(input.policy, type);
  const unless = forbidden.unless.map((block) => readBlock(block) ?? []);
  const answer = runQuestionSync(askGranted(policy, { ...forbidden, unless }, type, options));
  const setting = settingOf([policy], type, options, unless.flat());
  const allow = (rest: object) =>
    readDocument(
      { Statement: { Effect: "Allow", Action: "*", Resource: "*", ...rest } },
      "identity",
    );
  const { actions, resources } = forbidden;
  const wanted = allow({
    ...(actions.length > 0 && { Action: actions }),
    ...(resources.length > 0 && { Resource: resources }),
  });
  const exceptions = forbidden.unless.map((block) => allow({ Condition: block }));
  const said = (document: AccessDocument, request: AccessRequest) =>
    evaluate(document, "identity", request, setting.keys).outcome;
  const isForbidden = (request: AccessRequest) =>
    evaluate(policy, type, request, setting.keys).outcome === "allowed" &&
    said(wanted, request) === "allowed" &&
    exceptions.every((one) => said(one, request) === "not_allowed");
  for (const { witness } of answer.violations) {
    holds(isForbidden(witness), "a witness of a forbidden grant does not replay", () =>
      JSON.stringify(witness),
    );
  }
  if (answer.verdict !== "holds") return;
  for (const request of requestsOf(input, [policy], setting)) {
    holds(
      !isForbidden(request),
      "a request contradicts a proof that nothing forbidden is granted",
      () => JSON.stringify(request),
    );
  }
}

/** Asks who is let in, and holds the answer against requests of callers that the policy does not name. */
export function runPublic(input: AccessCase): void {
  const { type } = input;
  if (type !== "resource" && type !== "trust") return;
  const policy = readDocument(input.policy, type);
  const answer = runQuestionSync(askPublic(policy, type, options));
  const setting = settingOf([policy], type, options);
  const letsIn = (request: AccessRequest) =>
    evaluate(policy, type, request, setting.keys).outcome === "allowed" &&
    isUntrusted(request, policy, []);
  for (const { witness } of answer.violations) {
    holds(letsIn(witness), "a witness of public access does not replay", () =>
      JSON.stringify(witness),
    );
  }
  if (answer.verdict !== "holds") return;
  for (const request of requestsOf(input, [policy], setting)) {
    // How many addresses a policy leaves, no single request shows.
    if ("aws:SourceIp" in request.context) continue;
    holds(!letsIn(request), "a request contradicts a proof that a policy is not public", () =>
      JSON.stringify(request),
    );
  }
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
