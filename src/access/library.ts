import { policyTypeOf } from "../../spec/policy.ts";
import { parseDocument } from "../policy/document.ts";
import { embeddedServices } from "../services/embedded.ts";
import type { ServiceLookup } from "../services/model.ts";
import type { Answer, QuestionOptions } from "./answers.ts";
import { type AccessDocument, type AccessType, readBlock, readDocument } from "./document.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { askPublic } from "./public.ts";
import { askGranted, askNewAccess, askWithin } from "./questions.ts";
import { type Related, related } from "./relate.ts";
import type { AccessRequest } from "./request.ts";
import { runQuestion } from "./run.ts";
import { settingOf } from "./setting.ts";
import { accessTypeOf } from "./types.ts";

export type { Answer, UndecidedBy, Violation } from "./answers.ts";
export type { Evaluation, StatementOutcome } from "./evaluate.ts";
export type { Related, Relation } from "./relate.ts";
export type { AccessRequest, RequestPrincipal } from "./request.ts";

/** A policy document, or its JSON or YAML text. */
export type PolicyInput = object | string;

export interface AccessOptions {
  /** Work that one question may take; default 200,000. */
  readonly maxSteps?: number;
  /** Violated statements that are reported; default 20. */
  readonly maxStatements?: number;
  /** Of `findPublic`: further keys whose fixed values count as a limit. */
  readonly extraTrustedKeys?: readonly string[];
  /** AWS reference data; default: the data of this package. */
  readonly services?: Pick<ServiceLookup, "get"> & Partial<Pick<ServiceLookup, "prefixes">>;
  readonly signal?: AbortSignal;
}

let embedded: ServiceLookup | undefined;

/** The data of this package, opened on first use. */
function packageServices(): ServiceLookup {
  embedded ??= embeddedServices();
  return embedded;
}

function optionsOf(
  options: AccessOptions,
): QuestionOptions & { extraTrustedKeys: readonly string[] } {
  return {
    services: options.services ?? packageServices(),
    maxSteps: options.maxSteps ?? 200_000,
    maxStatements: options.maxStatements ?? 20,
    extraTrustedKeys: options.extraTrustedKeys ?? [],
  };
}

/** @throws {TypeError} for a word that is not a policy type. */
function typeOf(word: string): AccessType {
  const type = policyTypeOf(word);
  if (!type) throw new TypeError(`${JSON.stringify(word)} is not a policy type.`);
  return accessTypeOf(type);
}

async function documentOf(input: PolicyInput, type: AccessType): Promise<AccessDocument> {
  const raw = typeof input === "string" ? (await parseDocument(input)).raw : input;
  return readDocument(raw, type);
}

/** Does the policy allow a request that its baseline does not? */
export async function compareAccess(
  question: {
    readonly policy: PolicyInput;
    readonly baseline: PolicyInput;
    readonly policyType: string;
  },
  options: AccessOptions = {},
): Promise<Answer> {
  const type = typeOf(question.policyType);
  const policy = await documentOf(question.policy, type);
  const baseline = await documentOf(question.baseline, type);
  return runQuestion(askNewAccess(policy, baseline, type, optionsOf(options)), options.signal);
}

/** What must not be granted. */
export interface ForbiddenAccess {
  readonly actions?: readonly string[];
  readonly resources?: readonly string[];
  /** Condition blocks under which the grant is fine. */
  readonly unless?: readonly object[];
}

/** Does the policy allow what is forbidden? */
export async function findGranted(
  question: {
    readonly policy: PolicyInput;
    readonly policyType: string;
    readonly forbidden: ForbiddenAccess;
  },
  options: AccessOptions = {},
): Promise<Answer> {
  const type = typeOf(question.policyType);
  const { actions = [], resources = [], unless = [] } = question.forbidden;
  const blocks = unless.map((block) => {
    const conditions = readBlock(block);
    if (!conditions) throw new TypeError("A block of unless is not a condition block.");
    return conditions;
  });
  const policy = await documentOf(question.policy, type);
  const forbidden = { actions, resources, unless: blocks };
  return runQuestion(askGranted(policy, forbidden, type, optionsOf(options)), options.signal);
}

/** Does a resource or trust policy let in somebody whom it does not name? */
export async function findPublic(
  question: { readonly policy: PolicyInput; readonly policyType: string },
  options: AccessOptions = {},
): Promise<Answer> {
  const type = typeOf(question.policyType);
  const policy = await documentOf(question.policy, type);
  return runQuestion(askPublic(policy, type, optionsOf(options)), options.signal);
}

/** How what two policies allow, or what their Deny statements deny, relates. */
export async function relate(
  question: {
    readonly left: PolicyInput;
    readonly right: PolicyInput;
    readonly policyType: string;
    readonly of: "allowed" | "denied";
  },
  options: AccessOptions = {},
): Promise<Related> {
  const type = typeOf(question.policyType);
  const left = await documentOf(question.left, type);
  const right = await documentOf(question.right, type);
  const settings = optionsOf(options);
  const forward = askWithin(left, right, type, question.of, settings);
  const backward = askWithin(right, left, type, question.of, settings);
  return related(
    await runQuestion(forward, options.signal),
    await runQuestion(backward, options.signal),
  );
}

/** What one policy says about one request, statement by statement. */
export async function evaluateRequest(
  question: {
    readonly policy: PolicyInput;
    readonly policyType: string;
    readonly request: AccessRequest;
  },
  options: AccessOptions = {},
): Promise<Evaluation> {
  const type = typeOf(question.policyType);
  const policy = await documentOf(question.policy, type);
  options.signal?.throwIfAborted();
  const { keys } = settingOf([policy], type, optionsOf(options));
  return evaluate(policy, type, question.request, keys);
}
