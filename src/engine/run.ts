import type { AccessAnswer, AccessRequest } from "../../spec/access.ts";
import { type LeanFinding, leanFinding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { AccessRequest as Request } from "../access/request.ts";
import { runQuestion } from "../access/run.ts";
import { issuesOf } from "../access-analyzer/analyze.ts";
import { detectPolicyType, isTrustPolicy, namesPrincipals } from "../policy/detect-type.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { normalisePolicy, statementsOf } from "../policy/normalise.ts";
import { isObject } from "../policy/statement.ts";
import { loadServices } from "../services/load-services.ts";
import { Yielder } from "../yielder.ts";
import { analysisOf } from "./aws-codes.ts";
import type { Check, CheckContext, QuestionAnswer } from "./check.ts";
import { Collector } from "./collect.ts";
import { createContexts } from "./context.ts";
import { exceptFindings } from "./except-findings.ts";
import { giveFixes } from "./give-fixes.ts";
import { oncePerPlace } from "./once-per-place.ts";
import { isOnlyForEndpoint } from "./only-endpoint.ts";
import { planOf } from "./plan.ts";
import { prefixesOf } from "./prefixes.ts";
import { type Projection, toFull, toLean } from "./project.ts";
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
  const hasPrincipal = () => statements.some(namesPrincipals);
  const byConfig = name === null ? undefined : engine.typeByConfig(name, hasPrincipal);
  if (byConfig) return [byConfig, "config-glob"];
  if (usedAs) return [usedAs, "container"];
  const byName = name === null ? undefined : engine.typeByName(name, hasPrincipal);
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
  if (!isObject(raw) || !Object.hasOwn(raw, "Statement")) return false;
  const { Statement } = raw;
  if (!Array.isArray(Statement)) return isObject(Statement);
  return Statement.length > 0 && Statement.every(isObject);
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
  const { findings, ...rest } = await validate(input, engine, toFull, signal);
  return { ...rest, findings: findings.map(leanFinding) };
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
  const policy = normalisePolicy(
    input.document,
    { type, typeSource, name: input.name, attached: input.attached ?? null },
    statements,
  );
  const yielder = new Yielder(signal);
  if (yielder.shouldYield) await yielder.yieldNow();
  await loadServices(engine.services, allPrefixes(policy, input), signal);

  // A text that does not parse has no statements, so only the checks of the document itself run.
  const whole = isObject(input.document.raw);
  const planned = isOnlyForEndpoint(policy) ? "ENDPOINT_POLICY" : type;
  const plan = planOf(engine.registry, planned, whole);
  const asked = new Map<RegisteredCheck, QuestionAnswer[]>();
  const baseline = input.baseline ?? null;
  const contexts = createContexts(policy, plan.byId, input.label, engine, baseline, asked);
  const collector = new Collector(policy, input.label, engine, project);

  // Look up all actions before the checks, which yield between their reports only: each pattern is
  // compared with every action of a service.
  for (const { actions, notActions } of policy.statements) {
    for (const entries of [actions, notActions]) {
      for (const { text } of entries) {
        contexts.match(text);
        if (yielder.shouldYield) await yielder.yieldNow();
      }
    }
  }
  for (const registered of plan.asking) {
    try {
      asked.set(registered, await answersOf(registered, contexts.for(registered), signal));
    } catch (error) {
      signal?.throwIfAborted();
      collector.fail(registered, error);
    }
  }
  for (const registered of plan.byPolicy) {
    let left = collector.collect(registered, null, contexts.for(registered), yielder);
    for (; left; left = collector.resume(left, yielder)) await yielder.yieldNow();
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  const byStatement = plan.byStatement.map((registered) => ({
    registered,
    context: contexts.for(registered),
    element: registered.check.element,
  }));
  for (const statement of policy.statements) {
    for (const { registered, context, element } of byStatement) {
      if (element !== undefined && !statement.has(element)) continue;
      let left = collector.collect(registered, statement, context, yielder);
      for (; left; left = collector.resume(left, yielder)) await yielder.yieldNow();
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
  if (whole && plan.homes.size > 0) {
    try {
      const { services } = engine;
      const { match } = contexts;
      const issues = await issuesOf(input.document, analysisOf(policy), services, {
        statements,
        match,
        areLoaded: true,
        signal,
      });
      if (issues.length > 0) await collector.addIssues(issues, plan.homes, yielder);
    } catch (error) {
      signal?.throwIfAborted();
      const [home] = plan.homes.values();
      if (home) collector.fail(home, error);
    }
  }
  const reported = engine.settings.suppress_superseded_findings
    ? supersede(collector.findings, collector.superseding, engine.onCheckError)
    : collector.findings;
  const was_checked = isPolicyDocument(input.document.raw) && !collector.hasFailures;
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
    suppressed,
    answers: [...asked].flatMap(([{ check }, answers]) =>
      answers.flatMap((one) => (one.isInternal ? [] : [wire(check, one)])),
    ),
    severity_counts: countSeverities(findings),
    was_checked,
    is_valid: was_checked && allPass(findings, engine.settings),
  };
}

/** Prefixes of the policy and of what it is compared with. */
function allPrefixes(policy: Policy, { baseline }: PolicyToValidate): Set<string> {
  const prefixes = prefixesOf(policy);
  if (!baseline) return prefixes;
  for (const prefix of prefixesOf({ statements: statementsOf(baseline) })) prefixes.add(prefix);
  return prefixes;
}

async function answersOf(
  { check }: RegisteredCheck,
  context: CheckContext,
  signal: AbortSignal | undefined,
): Promise<QuestionAnswer[]> {
  const answers: QuestionAnswer[] = [];
  for (const { id, asking, isInternal = false } of check.ask?.(context) ?? []) {
    answers.push({ id, answer: await runQuestion(asking, signal), isInternal });
  }
  return answers;
}

function wire({ check_id }: Check, { id, answer }: QuestionAnswer): AccessAnswer {
  const { verdict, violations, undecided_by, steps } = answer;
  return {
    check_id,
    question_id: id,
    verdict,
    violations: violations.map(({ resource_entry: _r, principal_entry: _p, ...violation }) => ({
      ...violation,
      entries: [...violation.entries],
      witness: wireRequest(violation.witness),
    })),
    undecided_by: undecided_by.map(({ construct, path, side, text }) => ({
      construct,
      path,
      side,
      text,
    })),
    steps,
  };
}

function wireRequest({ context, ...rest }: Request): AccessRequest {
  const copy: Record<string, string[]> = {};
  for (const [key, values] of Object.entries(context)) copy[key] = [...values];
  const { placeholders, ...request } = rest;
  return {
    ...request,
    context: copy,
    ...(placeholders && { placeholders: { ...placeholders } }),
  };
}
