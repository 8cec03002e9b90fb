import type { Unwrapped } from "../../spec/container.ts";
import type { LeanFinding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { Opened } from "../containers/open.ts";
import type { PlaceIn, PlacePairs } from "../containers/pair-places.ts";
import type { Place } from "../containers/types.ts";
import { escapedStep } from "../json/node.ts";
import { Lines } from "../json/text-tree.ts";
import { Yielder } from "../yielder.ts";
import { type ComparedPlace, comparePlace, compareRemoved } from "./compare-place.ts";
import { exceptFindings } from "./except-findings.ts";
import { StandIn } from "./stand-in.ts";
import type { Engine, ValidatedPolicy } from "./types.ts";
import { typeOf, type Validate, validatePlace } from "./validate-place.ts";
import { allPass, countSeverities } from "./verdict.ts";

export interface ContainerToValidate {
  readonly opened: Opened;
  readonly name: string | null;
  readonly label: string;
  /** Declared by the caller, for places that do not say their type. */
  readonly declaredType: PolicyType | null;
  /** By the use of the file, for the same places; null or absent: not known. */
  readonly usedAs?: PolicyType | null;
  /** Index of the entry of the call, or of the document in its file. */
  readonly entry: number;
  /** False: findings get no fixes, because none is shown. Default: true. */
  readonly fixes?: boolean;
  /** The places of an earlier version; null or absent: nothing is compared. */
  readonly pairs?: PlacePairs | null;
  /** Compare also policies that are new. Default: false. */
  readonly asksOfNew?: boolean;
}

/** The result for one place of a container. */
export interface ContainerResult<Finding extends LeanFinding> {
  readonly validated: ValidatedPolicy<Finding>;
  readonly unwrapped: Unwrapped;
}

/**
 * Validates the policies of a container, one after another. One that cannot be read gets a finding and
 * hides no other. A container without policies has one result that says so.
 * @throws As `validatePolicy`.
 */
export async function* validateContainer<Finding extends LeanFinding>(
  input: ContainerToValidate,
  engine: Engine,
  validate: Validate<Finding>,
  signal?: AbortSignal,
): AsyncGenerator<ContainerResult<Finding>> {
  const { opened, name, label, declaredType, usedAs = null, entry, fixes = true } = input;
  const { pairs = null, asksOfNew = false } = input;
  const { source, places } = opened;
  const lines = source.text === null ? null : new Lines(source.text, source.origin);
  for (const place of places) {
    const { state } = place;
    const about = { opened, place, lines, name, label, declaredType, usedAs, fixes };
    const unread = new StandIn(place, lines);
    const alone =
      state === "not_read"
        ? {
            ...(await validate(
              { document: unread, name, label, fixes: false, ...typeOf(place, input) },
              engine,
              signal,
            )),
            unresolved: 0,
          }
        : await validatePlace(about, engine, validate, signal);
    const earlier = pairs?.earlierOf(place) ?? [];
    const asked = asksOfNew ? earlier : earlier.filter((one) => one !== null);
    const compared =
      asked.length > 0 ? await comparePlace(about, asked, engine, validate, signal) : null;
    const isNew = pairs !== null && asked.length === 0;
    const validated = compared ? { ...alone, ...joined(alone, compared, engine) } : alone;
    const { unresolved } = alone;
    yield {
      validated:
        state === "not_read"
          ? notFailing(validated, engine)
          : await withExceptions(validated, label, engine, signal),
      unwrapped: {
        ...unwrappedOf(place, { opened, lines, entry, unresolved }),
        ...(compared && { change: compared.change }),
        ...(isNew && { change: "new" as const }),
      },
    };
  }
  if (places.length > 0) return;
  const document = new StandIn(emptyPlace, null);
  const validated = await validate(
    { document, name, label, declaredType, fixes: false },
    engine,
    signal,
  );
  yield {
    validated: { ...validated, findings: [], severity_counts: {}, is_valid: true },
    unwrapped: unwrappedOf(emptyPlace, { opened, lines: null, entry, unresolved: 0 }),
  };
}

/**
 * What the removal of policies allows that set limits: one result for each. The others only granted something.
 * @throws As `validatePolicy`.
 */
export async function* validateRemoved<Finding extends LeanFinding>(
  removed: readonly PlaceIn[],
  input: Omit<ContainerToValidate, "opened" | "pairs">,
  engine: Engine,
  validate: Validate<Finding>,
  signal?: AbortSignal,
): AsyncGenerator<ContainerResult<Finding>> {
  const { name, label, entry } = input;
  for (const { place, opened } of removed) {
    const about = { ...input, opened, place, lines: null, fixes: false };
    const compared = await compareRemoved(about, engine, validate, signal);
    if (!compared) continue;
    const document = new StandIn(place, null);
    const submitted = { document, name, label, fixes: false, ...typeOf(place, input) };
    const alone = await validate(submitted, engine, signal);
    const bare = { ...alone, findings: [], answers: [], was_checked: true };
    const validated = { ...bare, ...joined(bare, compared, engine) };
    const at = unwrappedOf(place, { opened, lines: null, entry, unresolved: 0 });
    yield {
      validated: await withExceptions(validated, label, engine, signal),
      unwrapped: { ...at, change: compared.change },
    };
  }
}

/** The result with what a comparison has found. */
function joined<Finding extends LeanFinding>(
  { findings: own, answers, was_checked }: ValidatedPolicy<Finding>,
  compared: ComparedPlace<Finding>,
  { settings }: Engine,
): Pick<ValidatedPolicy<Finding>, "findings" | "answers" | "severity_counts" | "is_valid"> {
  const findings = [...own, ...compared.findings];
  return {
    findings,
    answers: [compared.answer, ...answers],
    severity_counts: countSeverities(findings),
    is_valid: was_checked && allPass(findings, settings),
  };
}

/** The result without the findings for which there is an exception. */
async function withExceptions<Finding extends LeanFinding>(
  validated: ValidatedPolicy<Finding>,
  label: string,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<ValidatedPolicy<Finding>> {
  if (!engine.exceptions.isActive || !validated.was_checked) return validated;
  const excepted = await exceptFindings(validated.findings, label, engine, new Yielder(signal));
  return {
    ...validated,
    ...excepted,
    severity_counts: countSeverities(excepted.findings),
    is_valid: allPass(excepted.findings, engine.settings),
  };
}

/** A place that is not read does not fail its policy by itself: only the severity of the finding decides. */
function notFailing<Finding extends LeanFinding>(
  validated: ValidatedPolicy<Finding>,
  { settings }: Engine,
): ValidatedPolicy<Finding> {
  return { ...validated, is_valid: allPass(validated.findings, settings) };
}

const emptyPlace: Place = {
  address: "",
  label: "",
  path: null,
  policyType: null,
  service: null,
  resourceType: null,
  attached: null,
  network: null,
  notes: [],
  identity: null,
  form: "object",
  span: null,
  state: "read",
  reason: "It holds no policy.",
  alternatives: [],
};

interface About {
  readonly opened: Opened;
  readonly lines: Lines | null;
  readonly entry: number;
  readonly unresolved: number;
}

function unwrappedOf(place: Place, { opened, lines, entry, unresolved }: About): Unwrapped {
  const { address, label, path, form, state, reason, resourceType, service, span } = place;
  const location = span && (lines?.location(span) ?? null);
  return {
    kind: opened.container.kind,
    address,
    label,
    pointer: pointerOf(path),
    first_line: location?.start.line ?? null,
    last_line: location?.end.line ?? null,
    form,
    state,
    reason: [reason, ...place.notes].filter((text) => text !== null).join(" ") || null,
    resource_type: resourceType,
    service,
    unresolved,
    entry,
  };
}

function pointerOf(path: Place["path"]): string | null {
  if (path === null) return null;
  return path.map((step) => `/${escapedStep(String(step))}`).join("");
}
