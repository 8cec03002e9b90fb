import type { AccessAnswer } from "../../spec/access.ts";
import type { LeanFinding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { Opened } from "../containers/open.ts";
import { PlaceDocument } from "../containers/place-document.ts";
import { type Rendered, render, renderText } from "../containers/render.ts";
import { madeUpAccounts, type Style } from "../containers/sample-values.ts";
import { Shown } from "../containers/shown.ts";
import type { Alternative, AttachedTo, Place } from "../containers/types.ts";
import { ContainerFixes, isFixable } from "../fixes/in-container.ts";
import type { Lines } from "../json/text-tree.ts";
import type { AttachedResource } from "../policy/model.ts";
import { namedResource, nounOf } from "../policy/named-resource.ts";
import { isRecord } from "../record.ts";
import { loadServices } from "../services/load-services.ts";
import { incompleteIssueTypes } from "./collect.ts";
import { inAll, union } from "./merge-findings.ts";
import { analyzedTypeOf } from "./resource-types.ts";
import type { Engine, PolicyToValidate, ValidatedPolicy } from "./types.ts";
import { allPass, countSeverities } from "./verdict.ts";

/** `validatePolicy` or `validatePolicyLean`. */
export type Validate<Finding extends LeanFinding> = (
  input: PolicyToValidate,
  engine: Engine,
  signal?: AbortSignal,
) => Promise<ValidatedPolicy<Finding>>;

export interface PlaceToValidate {
  readonly opened: Pick<Opened, "source" | "container" | "unknowns">;
  readonly place: Place;
  /** Of the container's text; null without text. */
  readonly lines: Lines | null;
  readonly name: string | null;
  readonly label: string;
  /** Declared by the caller, for places that do not say their type. */
  readonly declaredType: PolicyType | null;
  /** By the use of the file, for the same places; null or absent: not known. */
  readonly usedAs?: PolicyType | null;
  /** False: no finding gets a fix. */
  readonly fixes: boolean;
}

export interface ValidatedPlace<Finding extends LeanFinding> extends ValidatedPolicy<Finding> {
  /** Number of values in the document that the container does not give. */
  readonly unresolved: number;
}

interface AlternativeResult<Finding extends LeanFinding> {
  readonly validated: ValidatedPolicy<Finding>;
  readonly findings: readonly Finding[];
  readonly unresolved: number;
}

/**
 * Validates a document whose values are not all known. A finding is reported only if it holds whatever
 * the unknown values are: it must appear with each of several samples in their place.
 * @throws As `validatePolicy`.
 */
export async function validatePlace<Finding extends LeanFinding>(
  input: PlaceToValidate,
  engine: Engine,
  validate: Validate<Finding>,
  signal?: AbortSignal,
): Promise<ValidatedPlace<Finding>> {
  const results: (AlternativeResult<Finding> & Pick<Alternative, "choices" | "byDefault">)[] = [];
  for (const alternative of input.place.alternatives) {
    const result = await validateAlternative(input, alternative, engine, validate, signal);
    const { choices, byDefault } = alternative;
    results.push({ ...result, choices, byDefault });
  }
  const [first] = results;
  if (!first) throw new Error("a place without alternatives was not read");
  const findings = results.length === 1 ? first.findings : union(results);
  const was_checked = results.every(({ validated }) => validated.was_checked);
  return {
    policy: first.validated.policy,
    findings,
    aboutNames: first.validated.aboutNames,
    suppressed: [],
    answers: answersOf(results.map(({ validated }) => validated.answers)),
    severity_counts: countSeverities(findings),
    was_checked,
    is_valid: was_checked && allPass(findings, engine.settings),
    unresolved: Math.max(...results.map(({ unresolved }) => unresolved)),
  };
}

async function validateAlternative<Finding extends LeanFinding>(
  input: PlaceToValidate,
  alternative: Alternative,
  engine: Engine,
  validate: Validate<Finding>,
  signal: AbortSignal | undefined,
): Promise<AlternativeResult<Finding>> {
  const { opened, place, lines, name, label, fixes } = input;
  const { container, unknowns } = opened;
  const hasFixes = fixes && isFixable(place, opened);
  await loadServices(engine.services, prefixesIn(alternative.value), signal);
  const run = async (style: Style, settings = engine.settings) => {
    const rendered = render(alternative.value, unknowns, style, engine.services);
    const document = new PlaceDocument(rendered, alternative, { place, lines, unknowns });
    const { arn = null, name: attachedTo = null } = alternative.attached ?? place.attached ?? {};
    const filled = (text: string | null) =>
      text === null ? null : renderText(text, alternative.value, unknowns, style);
    const attached = attachedResource(place, { arn: filled(arn), name: filled(attachedTo) });
    const validated = await validate(
      {
        document,
        name,
        label,
        fixes: hasFixes,
        // Exceptions match what the file says, not samples: they apply once the runs are merged.
        exceptions: false,
        ...typeOf(place, input),
        attached,
        service: place.service,
        network: place.network,
        isWhole: place.state === "read" && !place.isPart,
        resourceType: analyzedTypeOf(place.resourceType),
      },
      { ...engine, settings },
      signal,
    );
    const attachedText = attachedTo ?? arn ?? "";
    const attachedShown = unknowns.shown(attachedText);
    // A name that the text has is no sample, even if other parts of its ARN are unknown.
    const attachedSample = attached && !attachedText.includes(attached.name) ? attached.name : null;
    const form = { opened, place, alternative, rendered, attachedSample };
    const inContainer = new ContainerFixes(form);
    for (const finding of validated.findings) {
      if (finding.fix) finding.fix = await inContainer.fix(finding.fix, finding.path);
    }
    return { rendered, validated, attachedSample, attachedShown };
  };
  const first = await run("first");
  const { rendered, validated } = first;
  if (rendered.unresolved === 0) {
    return { validated, findings: validated.findings, unresolved: 0 };
  }
  const second = await run("second");
  const others = [second.validated];
  if (rendered.silent.size > 0) {
    // A wide sample makes wide findings, and those must not hide others.
    const settings = { ...engine.settings, suppress_superseded_findings: false };
    others.push((await run("wide", settings)).validated);
  }
  const { attachedSample, attachedShown } = first;
  const texts = new Map(rendered.shown);
  if (attachedSample !== null) texts.set(attachedSample, attachedShown);
  nameAccounts(texts);
  const shown = new Shown(texts, container.write ?? String);
  let held = inAll(
    validated.findings.filter(
      (finding) =>
        !isIncomplete(finding) && mayBeSaid(finding, rendered, validated.aboutNames.has(finding)),
    ),
    others.map((other) => other.findings),
  );
  if (held.some(comparesResources)) {
    const open = await run("open");
    const compared = open.validated.findings.filter(comparesResources);
    held = inAll(held, [[...compared, ...held.filter((finding) => !comparesResources(finding))]]);
  }
  const runs = [validated, ...others];
  const findings = [...held, ...incompleteIn(runs)].map((finding) => shown.finding(finding));
  return {
    validated: {
      ...validated,
      answers: answersOf(runs.map(({ answers }) => answers)),
      was_checked: runs.every(({ was_checked }) => was_checked),
    },
    findings,
    unresolved: rendered.unresolved,
  };
}

const isIncomplete = ({ issue_type }: LeanFinding) => incompleteIssueTypes.has(issue_type);

/** The findings that say that a run was not a whole one, each once: they hide what holds with every sample. */
function incompleteIn<Finding extends LeanFinding>(
  runs: readonly ValidatedPolicy<Finding>[],
): Iterable<Finding> {
  const told = runs.flatMap(({ findings }) => findings.filter(isIncomplete));
  return new Map(told.map((finding) => [finding.message, finding])).values();
}

/**
 * Accounts that samples have and the file does not. Examples and messages take them from sample ARNs; fixes ask for
 * them by the same placeholder.
 */
export function nameAccounts(texts: Map<string, string>): void {
  for (const [sample, shown] of [...texts]) {
    for (const [account] of sample.matchAll(madeUpAccounts)) {
      if (!shown.includes(account) && !texts.has(account)) texts.set(account, "<account-id>");
    }
  }
}

/** The services of the actions of a document. */
export function prefixesIn(document: unknown): ReadonlySet<string> {
  const statements: readonly unknown[] = isRecord(document) ? [document.Statement].flat() : [];
  const actions = statements.flatMap((one) => (isRecord(one) ? [one.Action].flat() : []));
  return new Set(actions.flatMap((one) => (typeof one === "string" ? one.split(":", 1) : [])));
}

/** The ARN comes first: a name and an ARN of one unknown resource have different samples. */
function attachedResource({ service }: Place, { arn, name }: AttachedTo): AttachedResource | null {
  const named = arn === null ? null : namedResource(arn);
  if (named) return named;
  const isName = name !== null && service !== null && nounOf(service) !== null;
  return isName && !/^(?:arn|https?):/.test(name) ? { service, name } : null;
}

/** Findings that say that a resource is of another type than the actions work on. */
const comparesResources = ({ check_id }: LeanFinding) => check_id === "action_resource_matching";

const advice: ReadonlySet<string> = new Set(["error", "warning", "info"]);

/** Checks that compare the actions of a statement with its other members. */
const actionChecks: ReadonlySet<string> = new Set([
  "action_resource_matching",
  "action_condition_enforcement",
  "condition_key_validation",
]);

/** Whether a finding is about known members only. */
function mayBeSaid(
  { check_id, path, severity, statement_index }: LeanFinding,
  { silent, silentNames, guarded, actionless }: Rendered,
  isAboutName: boolean,
): boolean {
  if (guarded.has(statement_index) && !advice.has(severity)) return false;
  if (actionless.has(statement_index) && actionChecks.has(check_id)) return false;
  for (const member of silent) {
    const isName = isAboutName && path === member && !silentNames.has(member);
    if ((path === member && !isName) || path.startsWith(`${member}/`)) return false;
  }
  return true;
}

/** The answers that all runs give; one on which they differ is undecided. */
function answersOf(runs: readonly (readonly AccessAnswer[])[]): readonly AccessAnswer[] {
  const [first = [], ...others] = runs;
  return first.map((answer, index) => {
    if (others.every((run) => run[index]?.verdict === answer.verdict)) return answer;
    return {
      ...answer,
      verdict: "undecided",
      violations: [],
      undecided_by: [
        {
          construct: "unknown value",
          path: "",
          side: "policy",
          text: "The answer depends on values that the template does not give.",
        },
      ],
    };
  });
}

/** What is known of a place's policy type: what the place says, else what was declared, else the use of its file. */
export function typeOf(
  { policyType }: Place,
  { declaredType, usedAs = null }: Pick<PlaceToValidate, "declaredType" | "usedAs">,
) {
  return policyType === null
    ? { declaredType, usedAs }
    : { declaredType: policyType, declaredBy: "container" as const };
}
