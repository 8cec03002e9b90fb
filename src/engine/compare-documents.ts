import type { AccessAnswer } from "../../spec/access.ts";
import type { LeanFinding } from "../../spec/finding.ts";
import type { Opened } from "../containers/open.ts";
import { doubtAbout, knownParts, type OpenPartFilling } from "../containers/open-parts.ts";
import { type Rendered, render } from "../containers/render.ts";
import type { Style } from "../containers/sample-values.ts";
import { Shown } from "../containers/shown.ts";
import { Placeholders } from "../containers/symbolic.ts";
import type { Alternative } from "../containers/types.ts";
import { objectDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { isRecord } from "../record.ts";
import { loadServices } from "../services/load-services.ts";
import { type Ask, type ComparisonResult, unreadable } from "./compare-asking.ts";
import type { Doubt } from "./comparison.ts";
import { inAll } from "./merge-findings.ts";
import type { Engine } from "./types.ts";
import { nameAccounts, prefixesIn } from "./validate-place.ts";

/** Two forms of one policy. */
export interface Forms {
  readonly now: Alternative;
  readonly before: Alternative;
  readonly opened: Pick<Opened, "container" | "unknowns">;
  /** Both have the same further parts, which were not read. */
  readonly hasMore: boolean;
  /** The document of a rendered form of the policy, with its positions. */
  documentOf(rendered: Rendered): PolicyDocument;
  /** In the place of the policy, for an answer that does not look at it. */
  readonly standIn: PolicyDocument;
}

/**
 * Compares two documents whose values are not all known, taking the same value for the same in both. `holds` is proven
 * with a placeholder for each value, so it holds whatever the values are. `violated` is so with several samples. Where
 * it depends on the values, the answer is `undecided`.
 */
export async function compareDocuments<Finding extends LeanFinding>(
  forms: Forms,
  ask: Ask<Finding>,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<ComparisonResult<Finding>> {
  const { now, before, opened } = forms;
  const { unknowns, container } = opened;
  const undecided = (by: Doubt) => ask(forms.standIn, { comparison: { kind: "undecided", by } });
  if (unknowns.isFull) return undecided(valuesDecide);
  if (isSame(now, before)) return unchanged();
  if (!isRecord(now.value) || !isRecord(before.value)) return undecided(unreadable);
  const documents = [now.value, before.value];
  const prefixes = documents.flatMap((one) => [...prefixesIn(one)]);
  await loadServices(engine.services, new Set(prefixes), signal);
  const rendered = (value: unknown, style: Style) =>
    render(value, unknowns, style, engine.services, documents);

  const known = documents.map((one) => knownParts(one, "none", unknowns));
  const [nowKnown, beforeKnown] = known;
  if (!nowKnown || !beforeKnown) throw new Error("two documents are compared");
  const placeholders = new Placeholders(unknowns, documents);
  const symbolic = (value: unknown) => rendered(placeholders.document(value), "first");
  const proof = await ask(forms.documentOf(symbolic(nowKnown.document)), {
    baseline: valueDocument(symbolic(beforeKnown.document)),
  });
  const doubt = doubtAbout(nowKnown, beforeKnown, forms.hasMore);
  if (proof.answer.verdict === "holds" && doubt === null) return proof;
  const isKnown = documents.every((one) => !unknowns.isIn(JSON.stringify(one) ?? ""));
  if (isKnown && doubt === null) return proof;

  const runs: { compared: ComparisonResult<Finding>; rendered: readonly Rendered[] }[] = [];
  const part = (value: unknown, filling: OpenPartFilling) =>
    knownParts(value, filling, unknowns).document;
  for (const style of ["distinct", "paired"] as const) {
    const policy = rendered(part(now.value, "least"), style);
    const baseline = rendered(part(before.value, "most"), style);
    const about = { baseline: valueDocument(baseline) };
    const compared = await ask(forms.documentOf(policy), about);
    if (compared.answer.verdict !== "violated") {
      return undecided(doubtOf(doubt, proof.answer));
    }
    runs.push({ compared, rendered: [policy, baseline] });
  }
  const [first, ...others] = runs;
  if (!first) throw new Error("no sample was compared");
  const texts = new Map(first.rendered.flatMap(({ shown }) => [...shown]));
  nameAccounts(texts);
  const shown = new Shown(texts, container.write ?? String);
  const found = inAll(
    first.compared.findings,
    others.map(({ compared }) => compared.findings),
  );
  const isIgnored = first.compared.findings.length === 0;
  if (found.length === 0 && !isIgnored) return undecided(valuesDecide);
  const findings = found.map((finding) => shown.finding(finding));
  return { answer: first.compared.answer, findings };
}

/** @returns a comparison that needs no question. */
export function unchanged<Finding extends LeanFinding>(): ComparisonResult<Finding> {
  const answer = { check_id: "no_new_access", question_id: null, verdict: "holds" as const };
  return { answer: { ...answer, violations: [], undecided_by: [], steps: 0 }, findings: [] };
}

/** Equal values have equal tokens, so equal documents are equal whatever the values are. */
function isSame(now: Alternative, before: Alternative): boolean {
  if (now.faults.length > 0 || before.faults.length > 0) return false;
  return JSON.stringify(now.value) === JSON.stringify(before.value);
}

const valuesDecide: Doubt = {
  construct: "unknown value",
  side: "policy",
  text: "The answer depends on values that the file does not give.",
};

/** The reason that has nothing to do with unknown values, if the proof gives one. */
function doubtOf(doubt: string | null, { undecided_by: [first] }: AccessAnswer): Doubt {
  if (doubt !== null) return { ...valuesDecide, text: doubt };
  if (!first || first.construct === "placeholder" || first.side === "config") return valuesDecide;
  return { construct: first.construct, side: first.side, text: first.text };
}

/** The earlier version, which no finding points into. */
const valueDocument = ({ value }: Rendered): PolicyDocument => objectDocument(value);
