import type { AccessAnswer } from "../../spec/access.ts";
import type { LeanFinding } from "../../spec/finding.ts";
import { absentPolicy, emptyPolicy } from "../access/absent.ts";
import { earlierForms } from "../containers/pair-alternatives.ts";
import type { PlaceIn } from "../containers/pair-places.ts";
import { PlaceDocument } from "../containers/place-document.ts";
import { render } from "../containers/render.ts";
import type { Alternative, Place } from "../containers/types.ts";
import { memo } from "../memo.ts";
import { objectDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { grantsAccess } from "../policy/type-facts.ts";
import { loadServices } from "../services/load-services.ts";
import { type Ask, askingAs, type ComparisonResult } from "./compare-asking.ts";
import { compareDocuments, unchanged } from "./compare-documents.ts";
import type { Doubt } from "./comparison.ts";
import { union } from "./merge-findings.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { StandIn } from "./stand-in.ts";
import type { Engine } from "./types.ts";
import { type PlaceToValidate, prefixesIn, type Validate } from "./validate-place.ts";

/** How a place differs from the earlier version of the file. */
type Change = "unchanged" | "changed" | "new" | "removed";

export interface ComparedPlace<Finding extends LeanFinding> extends ComparisonResult<Finding> {
  readonly change: Change;
}

const comparingOnly = memo((registry: Registry): Registry | null => {
  const check = registry.get("no_new_access");
  return check?.enabled ? createRegistry([check]) : null;
});

/**
 * Compares a place with what it was in the earlier version of its file.
 * @param earlier One for each instance of the resource; null: that is new.
 * @returns null if the check that compares is disabled.
 * @throws As `validatePolicy`.
 */
export async function comparePlace<Finding extends LeanFinding>(
  input: PlaceToValidate,
  earlier: readonly (PlaceIn | null)[],
  engine: Engine,
  validate: Validate<Finding>,
  signal?: AbortSignal,
): Promise<ComparedPlace<Finding> | null> {
  const registry = comparingOnly(engine.registry);
  if (!registry) return null;
  const comparing = { ...engine, registry };
  const { opened, place, lines } = input;
  const results: ComparisonResult<Finding>[] = [];
  const ask = askingAs(input, comparing, validate, signal);
  const undecided = (by: Doubt) =>
    ask(new StandIn(place, lines, emptyPolicy), { comparison: { kind: "undecided", by } });
  for (const before of earlier) {
    const isSameText = before !== null && textOf({ opened, place }) === textOf(before);
    const doubt = before && unreadDoubt(place, before.place, isSameText);
    if (place.state === "not_read" || doubt) {
      results.push(await undecided(doubt ?? notRead("policy", place)));
      continue;
    }
    const byForm: (ComparisonResult<Finding> & Pick<Alternative, "choices" | "byDefault">)[] = [];
    for (const now of place.alternatives) {
      const form = { now, before, input, ask, engine: comparing, signal };
      const { choices, byDefault } = now;
      byForm.push({ ...(await compareForm(form)), choices, byDefault });
    }
    const answer = together(byForm.map((one) => one.answer));
    const unseen = answer.verdict === "holds" ? unseenIn(place, before?.place ?? null) : null;
    if (unseen && !isSameText) {
      results.push(await undecided(unseen));
      continue;
    }
    const findings = byForm.length === 1 ? (byForm[0]?.findings ?? []) : union(byForm);
    results.push({ answer, findings });
  }
  const findings = results.flatMap((one) => one.findings);
  const answer = together(results.map((one) => one.answer));
  const isSame = answer.verdict === "holds" && isUnchanged(place, earlier);
  const isNew = earlier.every((one) => one === null);
  return {
    answer,
    findings: earlier.length === 1 ? findings : distinct(findings),
    change: isNew ? "new" : isSame ? "unchanged" : "changed",
  };
}

/**
 * What the removal of a policy that sets limits allows.
 * @returns null if it only granted something, or the check that compares is disabled.
 */
export async function compareRemoved<Finding extends LeanFinding>(
  input: PlaceToValidate,
  engine: Engine,
  validate: Validate<Finding>,
  signal?: AbortSignal,
): Promise<ComparedPlace<Finding> | null> {
  const registry = comparingOnly(engine.registry);
  const { place, opened } = input;
  const { policyType: type } = place;
  if (!registry || type === null || grantsAccess(type)) return null;
  const comparing = { ...engine, registry };
  const ask = askingAs(input, comparing, validate, signal);
  const comparison = { kind: "removed" } as const;
  const results: ComparisonResult<Finding>[] = [];
  const document = new StandIn(place, null, absentPolicy(type));
  for (const { value } of place.alternatives) {
    await loadServices(engine.services, prefixesIn(value), signal);
    const { value: raw } = render(value, opened.unknowns, "first", engine.services);
    results.push(await ask(document, { baseline: objectDocument(raw), comparison }));
  }
  if (results.length === 0) {
    const by = notRead("baseline", place);
    results.push(await ask(document, { comparison: { kind: "undecided", by } }));
  }
  return {
    answer: together(results.map(({ answer }) => answer)),
    findings: distinct(results.flatMap(({ findings }) => findings)).slice(0, 1),
    change: "removed",
  };
}

interface FormToCompare<Finding extends LeanFinding> {
  readonly now: Alternative;
  readonly before: PlaceIn | null;
  readonly input: PlaceToValidate;
  readonly ask: Ask<Finding>;
  readonly engine: Engine;
  readonly signal: AbortSignal | undefined;
}

/** Compares one form of a document with the forms that it had. */
async function compareForm<Finding extends LeanFinding>({
  now,
  before,
  input: { opened, place, lines },
  ask,
  engine,
  signal,
}: FormToCompare<Finding>): Promise<ComparisonResult<Finding>> {
  const { unknowns } = opened;
  const standIn = new StandIn(place, lines, emptyPolicy);
  const documentOf: (rendered: ReturnType<typeof render>) => PolicyDocument = (rendered) =>
    new PlaceDocument(rendered, now, { place, lines, unknowns });
  if (!before) return newForm(now, { place, ask, opened, engine, signal, documentOf, standIn });
  const hasMore = place.state === "partly_read";
  const cases: ComparisonResult<Finding>[] = [];
  for (const forms of earlierForms(now, before.place.alternatives)) {
    const compared: ComparisonResult<Finding>[] = [];
    for (const form of forms) {
      const both = { now, before: form, opened, hasMore, documentOf, standIn };
      compared.push(await compareDocuments(both, ask, engine, signal));
    }
    const verdicts = new Set(compared.map(({ answer }) => answer.verdict));
    const [first] = compared;
    const by = { construct: "choices", side: "policy", text: choicesDecide } as const;
    const isOne = first !== undefined && verdicts.size === 1;
    cases.push(isOne ? first : await ask(standIn, { comparison: { kind: "undecided", by } }));
  }
  return {
    answer: together(cases.map(({ answer }) => answer)),
    findings: distinct(cases.flatMap(({ findings }) => findings)),
  };
}

const choicesDecide =
  "The conditions or parameters that decide about it are not the same in both versions.";

interface NewForm<Finding extends LeanFinding>
  extends Pick<FormToCompare<Finding>, "ask" | "engine" | "signal"> {
  readonly place: Place;
  readonly opened: PlaceToValidate["opened"];
  readonly documentOf: (rendered: ReturnType<typeof render>) => PolicyDocument;
  readonly standIn: PolicyDocument;
}

/** Compares a form of a new policy with an empty one, whose values are all known. */
async function newForm<Finding extends LeanFinding>(
  now: Alternative,
  { place, ask, opened, engine, signal, documentOf, standIn }: NewForm<Finding>,
): Promise<ComparisonResult<Finding>> {
  // Without the policy there was no limit of its kind.
  if (place.policyType !== null && !grantsAccess(place.policyType)) return unchanged();
  const comparison = { kind: "new" } as const;
  const asNew: Ask<Finding> = (document, about) =>
    ask(document, about.comparison ? about : { comparison });
  // Its statements are those of no policy, so that parts of which nothing is known are new.
  const before = { ...now, value: emptyPolicy, faults: [] };
  const hasMore = place.state === "partly_read";
  const forms = { now, before, opened, hasMore, documentOf, standIn };
  return compareDocuments(forms, asNew, engine, signal);
}

/** Why two places cannot be compared, as far as their states say. */
function unreadDoubt(now: Place, before: Place, isSameText: boolean): Doubt | null {
  if (now.state === "not_read") return { ...notRead("policy", now), isUnchanged: isSameText };
  if (before.state === "not_read") return notRead("baseline", before);
  if (now.reason === before.reason) return null;
  return now.state === "partly_read" ? notRead("policy", now) : notRead("baseline", before);
}

/** Why what was read of two places is not all. If the file says the same in both places, neither is the rest. */
function unseenIn(now: Place, before: Place | null): Doubt | null {
  // Whatever a new policy that sets limits says, there were none before.
  if (before === null && now.policyType !== null && !grantsAccess(now.policyType)) return null;
  if (now.state === "partly_read") return notRead("policy", now);
  if (!now.hasUnreadBranches && !before?.hasUnreadBranches) return null;
  return { construct: "choices", side: "policy", text: tooManyChoices };
}

const tooManyChoices = "Not every branch of its conditions was compared.";

function notRead(side: Doubt["side"], { reason }: Place): Doubt {
  return { construct: "not_read", side, text: reason ?? "The policy was not read." };
}

/** What the file says in a place; a place without text is never the same. */
function textOf({ opened, place }: Pick<PlaceIn, "place"> & Pick<PlaceToValidate, "opened">) {
  const { text } = opened.source;
  return place.span && text !== null ? text.slice(place.span.start, place.span.end) : Symbol();
}

/** The answer for several forms of a policy: the worst. */
function together(answers: readonly AccessAnswer[]): AccessAnswer {
  const worst = (["violated", "undecided"] as const).find((verdict) =>
    answers.some((one) => one.verdict === verdict),
  );
  const [first, ...others] = answers;
  if (!first) throw new Error("a place has no form that was compared");
  if (others.length === 0) return first;
  const telling = answers.filter(({ verdict }) => verdict === (worst ?? "holds"));
  const violations = telling.flatMap((one) => one.violations ?? []);
  const byStatement = new Map(
    violations.map((one) => [`${one.statement_index} ${one.reason}`, one]),
  );
  return {
    ...first,
    verdict: worst ?? "holds",
    violations: [...byStatement.values()],
    undecided_by: telling.flatMap((one) => one.undecided_by).slice(0, mostDoubts),
    steps: answers.reduce((sum, { steps }) => sum + steps, 0),
  };
}

const mostDoubts = 10;

/** Findings that several comparisons have, each once. */
function distinct<Finding extends LeanFinding>(findings: readonly Finding[]): readonly Finding[] {
  const byFact = new Map<string, Finding>();
  for (const finding of findings) {
    const { issue_type, path, statement_index } = finding;
    const key = JSON.stringify([issue_type, path, statement_index]);
    if (!byFact.has(key)) byFact.set(key, finding);
  }
  return [...byFact.values()];
}

function isUnchanged(place: Place, earlier: readonly (PlaceIn | null)[]): boolean {
  const content = (one: Place) =>
    JSON.stringify([one.policyType, one.alternatives.map(({ value }) => value)]);
  const now = content(place);
  return earlier.every((one) => one && content(one.place) === now);
}
