import { type LeanFinding, leanFinding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import { runQuestion } from "../access/run.ts";
import { type AnalysisRequest, issuesOf } from "../access-analyzer/analyze.ts";
import { detectPolicyType, hasTrustForm, isTrustPolicy } from "../policy/detect-type.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { normalisePolicy, statementsOf } from "../policy/normalise.ts";
import { isRecord } from "../record.ts";
import { loadServices } from "../services/load-services.ts";
import { keepActions, type ReadAction } from "../services/statement-actions.ts";
import { Yielder } from "../yielder.ts";
import { analysisOf } from "./aws-codes.ts";
import type { QuestionAnswer } from "./check.ts";
import { Collector } from "./collect.ts";
import { type Contexts, createContexts } from "./context.ts";
import { exceptFindings } from "./except-findings.ts";
import { giveFixes } from "./give-fixes.ts";
import { oncePerEntry } from "./once-per-entry.ts";
import { oncePerPlace } from "./once-per-place.ts";
import { isOnlyForEndpoint } from "./only-endpoint.ts";
import { type Plan, planOf } from "./plan.ts";
import { prefixesOf } from "./prefixes.ts";
import { type Projection, toFull, toLean } from "./project.ts";
import { publicAnswers } from "./public-answers.ts";
import type { RegisteredCheck } from "./registry.ts";
import { supersede } from "./supersede.ts";
import type { Engine, PolicyToValidate, ValidatedPolicy } from "./types.ts";
import { allPass, countSeverities } from "./verdict.ts";

/** Determines the policy type: as declared, else by config, use, name and content, else identity. */
function resolveType(
  { declaredType, declaredBy = "cli-flag", name, usedAs }: PolicyToValidate,
  statements: readonly Statement[],
  engine: Engine,
): [PolicyType, PolicyTypeSource] {
  if (declaredType) return [declaredType, declaredBy];
  const mayTrust = () => hasTrustForm(statements);
  const byConfig = name === null ? undefined : engine.typeByConfig(name, mayTrust);
  if (byConfig) return [byConfig, "config-glob"];
  if (usedAs) return [usedAs, "container"];
  const byName = name === null ? undefined : engine.typeByName(name, mayTrust);
  // A folder can have policies of several types, so its name does not overrule what a trust policy says.
  if (byName && (byName === "TRUST_POLICY" || !isTrustPolicy(statements)))
    return [byName, "config-glob"];
  const detected = detectPolicyType(statements);
  return detected === "IDENTITY_POLICY" ? [detected, "default"] : [detected, "auto-detect"];
}

/**
 * Whether there is a policy to check: an object with at least one statement, each of them an object.
 * Anything else is invalid, whatever findings it has and even if they are hidden.
 */
function isPolicyDocument(raw: unknown): boolean {
  if (!isRecord(raw) || !Object.hasOwn(raw, "Statement")) return false;
  const { Statement } = raw;
  if (!Array.isArray(Statement)) return isRecord(Statement);
  return Statement.length > 0 && Statement.every(isRecord);
}

/**
 * Runs every enabled check on one policy.
 * @param signal Stops the work at the next yield, at most about 10 ms of work later.
 * @throws {ToolError} `not_ready` if reference data of an existing service cannot be loaded.
 * @throws The signal's reason when it fires. No document causes any other error.
 */
export function validatePolicy(
  input: PolicyToValidate,
  engine: Engine,
  signal?: AbortSignal,
): Promise<ValidatedPolicy> {
  return validate(input, engine, toFull, signal);
}

/** Like {@link validatePolicy}, with the fields of `detail: findings`. */
export async function validatePolicyLean(
  input: PolicyToValidate,
  engine: Engine,
  signal?: AbortSignal,
): Promise<ValidatedPolicy<LeanFinding>> {
  if (!engine.exceptions.isActive) return validate(input, engine, toLean, signal);
  // Exceptions match fields that the short form does not have.
  const { findings: full, aboutNames, ...rest } = await validate(input, engine, toFull, signal);
  const findings = full.map(leanFinding);
  const named = new Set(findings.filter((_, at) => full[at] && aboutNames.has(full[at])));
  return { ...rest, findings, aboutNames: named };
}

async function validate<Shown extends LeanFinding>(
  input: PolicyToValidate,
  engine: Engine,
  project: Projection<Shown>,
  signal: AbortSignal | undefined,
): Promise<ValidatedPolicy<Shown>> {
  signal?.throwIfAborted();
  const statements = statementsOf(input.document);
  const [type, typeSource] = resolveType(input, statements, engine);
  const { name, attached = null, service = null, network = null, isWhole = false } = input;
  const about = { type, typeSource, name, attached, service, network, isWhole };
  const policy = normalisePolicy(input.document, about, statements);
  const yielder = new Yielder(signal);
  if (yielder.shouldYield) await yielder.yieldNow();
  await loadServices(engine.services, allPrefixes(policy, input), signal);

  // A text that does not parse has no statements, so only the checks of the document itself run.
  const whole = isRecord(input.document.raw);
  const planned = isOnlyForEndpoint(policy) ? "ENDPOINT_POLICY" : type;
  const plan = planOf(engine.registry, planned, whole);
  const answers = new Map<RegisteredCheck, readonly QuestionAnswer[]>();
  const { label, baseline = null, comparison = null } = input;
  const { byId } = plan;
  const contexts = createContexts({ policy, byId, label, engine, baseline, comparison, answers });
  const collector = new Collector(policy, label, engine, project);
  const run = { policy, plan, contexts, collector, engine, yielder, signal };
  await matchActions(run);
  await ask(run, answers);
  await runChecks(run);
  if (whole && plan.byAwsCode.size > 0 && !collector.isFull) {
    await addIssues(run, statements, analysisOf(policy, input.resourceType));
  }

  const standing = engine.settings.suppress_superseded_findings
    ? supersede(collector.findings, collector.superseding, engine.onCheckError)
    : collector.findings;
  // After superseding: a finding that is left out explains no other.
  const reported = oncePerEntry(standing, collector.entries);
  const was_checked = isPolicyDocument(input.document.raw) && !collector.isIncomplete;
  // After superseding, so that an exception for a broad finding does not bring back the narrow ones.
  const applies = engine.exceptions.isActive && input.exceptions !== false && was_checked;
  const { findings: left, suppressed } = applies
    ? await exceptFindings(reported, input.label, engine, yielder)
    : { findings: reported, suppressed: [] };
  if (input.fixes !== false) {
    await giveFixes(collector.proposed, left, policy, engine, signal);
  }
  const findings = oncePerPlace(left);
  return {
    policy,
    findings,
    aboutNames: collector.aboutNames,
    suppressed,
    answers: [...answers].flatMap(([{ check }, given]) => publicAnswers(check, given)),
    severity_counts: countSeverities(findings),
    was_checked,
    is_valid: was_checked && allPass(findings, engine.settings),
  };
}

/** Prefixes of the policy and of what it is compared with. */
function allPrefixes(policy: Policy, { baseline }: PolicyToValidate): Set<string> {
  const prefixes = prefixesOf(policy);
  if (policy.service) prefixes.add(policy.service);
  if (!baseline) return prefixes;
  for (const prefix of prefixesOf({ statements: statementsOf(baseline) })) prefixes.add(prefix);
  return prefixes;
}

/** One validation: what its parts share. */
interface Run<Shown extends LeanFinding> {
  readonly policy: Policy;
  readonly plan: Plan;
  readonly contexts: Contexts;
  readonly collector: Collector<Shown>;
  readonly engine: Engine;
  readonly yielder: Yielder;
  readonly signal: AbortSignal | undefined;
}

/**
 * Looks up all actions before the checks, which yield between their reports only: each pattern is compared
 * with every action of a service.
 */
async function matchActions<Shown extends LeanFinding>(run: Run<Shown>): Promise<void> {
  const { policy, yielder } = run;
  const { match } = run.contexts;
  for (const statement of policy.statements) {
    const { actions, notActions } = statement;
    const read: ReadAction[] = [];
    // By index: in an async function each step of an iterator is an object, some 40 for a policy here.
    for (let at = 0; at < actions.length; at++) {
      const entry = actions[at];
      if (entry) read.push({ entry, meaning: match(entry.text) });
      if (yielder.shouldYield) await yielder.yieldNow();
    }
    keepActions(statement, read);
    for (const { text } of notActions) {
      match(text);
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
}

/** Answers the questions of the checks about access; the contexts read `answers`. */
async function ask<Shown extends LeanFinding>(
  { plan, contexts, collector, signal }: Run<Shown>,
  answers: Map<RegisteredCheck, readonly QuestionAnswer[]>,
): Promise<void> {
  for (const registered of plan.asking) {
    try {
      const given: QuestionAnswer[] = [];
      const questions = registered.check.ask?.(contexts.for(registered)) ?? [];
      for (const { id, asking, isInternal = false } of questions) {
        given.push({ id, answer: await runQuestion(asking, signal), isInternal });
      }
      answers.set(registered, given);
    } catch (error) {
      signal?.throwIfAborted();
      collector.fail(registered, error);
    }
  }
}

async function runChecks<Shown extends LeanFinding>(run: Run<Shown>): Promise<void> {
  const { policy, plan, contexts, collector, yielder } = run;
  for (const registered of plan.byPolicy) {
    let left = collector.collect(registered, null, contexts.for(registered), yielder);
    for (; left; left = collector.resume(left, yielder)) await yielder.yieldNow();
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  const { byStatement } = plan;
  const own = byStatement.map((registered) => contexts.for(registered));
  for (const statement of policy.statements) {
    if (collector.isFull) return;
    // By index, as above: a policy has some hundred pairs of statement and check.
    for (let at = 0; at < byStatement.length; at++) {
      const registered = byStatement[at];
      const context = own[at];
      if (!registered || !context) continue;
      const { element } = registered.check;
      if (element !== undefined && !statement.has(element)) continue;
      let left = collector.collect(registered, statement, context, yielder);
      for (; left; left = collector.resume(left, yielder)) await yielder.yieldNow();
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
}

/** Adds what AWS's own policy checks find, computed here. */
async function addIssues<Shown extends LeanFinding>(
  { policy, plan, contexts, collector, engine, yielder, signal }: Run<Shown>,
  statements: readonly Statement[],
  request: AnalysisRequest,
): Promise<void> {
  try {
    const { match } = contexts;
    const options = { statements, match, areLoaded: true, signal };
    const issues = await issuesOf(policy.document, request, engine.services, options);
    if (issues.length > 0) await collector.addIssues(issues, plan.byAwsCode, yielder);
  } catch (error) {
    signal?.throwIfAborted();
    const [first] = plan.byAwsCode.values();
    if (first) collector.fail(first, error);
  }
}
