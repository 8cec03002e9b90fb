import { distance } from "fastest-levenshtein";
import { stringify } from "yaml";
import type { Finding, Fix, FixEffect } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { accountsIn } from "../../src/access/asking.ts";
import { namedRoles } from "../../src/access/caller-kinds.ts";
import { readDocument } from "../../src/access/document.ts";
import { evaluate } from "../../src/access/evaluate.ts";
import { settingOf } from "../../src/access/setting.ts";
import { accessTypeOf } from "../../src/access/types.ts";
import { isWellFormed } from "../../src/access/well-formed.ts";
import { fixPolicy } from "../../src/engine/fix-policy.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine, PolicyToValidate } from "../../src/engine/types.ts";
import { isSameJson } from "../../src/fixes/json.ts";
import { applyPatch } from "../../src/fixes/patch.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { holds } from "../broken.ts";
import { Requests } from "../make/requests.ts";
import type { Random } from "../random.ts";
import { callerOf } from "../targets/access-alone.ts";

const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };
const allEffects: ReadonlySet<FixEffect> = new Set(["equivalent", "narrows", "repairs", "changes"]);

/** Applies the fix of a finding to the document that it was made for. */
export function applied(fix: Fix, document: unknown): unknown {
  holds(fix.patch[0]?.op === "test", "a fix does not begin with a test");
  try {
    return applyPatch(document, fix.patch);
  } catch (error) {
    return holds(false, "a fix does not apply", () => String(error));
  }
}

/** Issue types whose fix corrects the spelling of the element itself. */
const corrects = {
  Effect: new Set(["invalid_effect"]),
  Action: new Set(["invalid_action"]),
  /** An RCP has one principal; a principal under a wrong key, or in a wrong form, is the same one. */
  Principal: new Set(["missing_rcp_principal", "invalid_rcp_principal", "invalid_principal_value"]),
} as const;

/**
 * No fix changes an Effect, adds an action or adds a principal, but by a corrected spelling.
 * @throws {Broken}
 */
export function keepsOut({ issue_type, fix }: Finding, before: unknown, after: unknown): void {
  for (const element of ["Effect", "Action", "Principal"] as const) {
    if (corrects[element].has(issue_type)) continue;
    const known = new Set(textsUnder(before, element).map((text) => text.toLowerCase()));
    const added = textsUnder(after, element).filter((text) => !known.has(text.toLowerCase()));
    holds(added.length === 0, `a fix adds to ${element}`, () => `${fix?.title}: ${added}`);
  }
}

/** All texts in an element of the statements, however deep in lists, and in whatever spelling of its name. */
function textsUnder(document: unknown, element: string): string[] {
  return [membersLike(document, "Statement")]
    .flat(Number.POSITIVE_INFINITY)
    .flatMap((statement) => membersLike(statement, element).flatMap(leaves));
}

function membersLike(value: unknown, wanted: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const edits = (name: string) => distance(name.toLowerCase(), wanted.toLowerCase());
  return Object.entries(value).flatMap(([name, member]) => (edits(name) <= 2 ? [member] : []));
}

function leaves(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(leaves);
}

/**
 * Holds a fix that promises `equivalent` or `narrows` against requests and the evaluator, which shares
 * no code with the procedure that proves the promise.
 * @returns how many requests were compared.
 * @throws {Broken} for a request that the fix must not have let in.
 */
export function keepsPromise(
  { effect, title }: Fix,
  before: unknown,
  after: unknown,
  policyType: PolicyType,
  random: Random,
  requests: number,
): number {
  if (effect !== "equivalent" && effect !== "narrows") return 0;
  const type = accessTypeOf(policyType);
  const [old, now] = [readDocument(before, type), readDocument(after, type)];
  const setting = settingOf([old, now], type, options);
  const named = { roles: namedRoles([old, now]), accounts: [...accountsIn([old, now])] };
  const facts = { keys: setting.keys, usedKeys: setting.usedKeys, named };
  const maker = new Requests([before, after], random);
  const isForUsers = type === "identity" || type === "scp";
  let compared = 0;
  for (let count = 0; count < requests; count++) {
    const request = maker.make(setting.usedKeys, callerOf);
    if (!isWellFormed(request, callerOf(request), facts)) continue;
    // These policies are about users and roles, who sign their requests; a fix may rest on that.
    if (isForUsers && ["Anonymous", "Service"].includes(request.principal.type)) continue;
    const [was, is] = [old, now].map(
      (document) => evaluate(document, type, request, setting.keys).outcome,
    );
    if (was === "unknown" || is === "unknown") continue;
    compared++;
    const keeps =
      effect === "equivalent"
        ? was === is
        : (is !== "allowed" || was === "allowed") && (was !== "denied" || is === "denied");
    holds(
      keeps,
      `a fix is not ${effect}`,
      () => `${title}: ${was} then ${is}: ${JSON.stringify(request)}`,
    );
  }
  return compared;
}

/** The document after all rounds of fixes; null: there was none to apply. */
async function fixedAll(
  policy: unknown,
  input: Omit<PolicyToValidate, "document">,
  engine: Engine,
) {
  const { document } = await fixPolicy<Finding>(
    { ...input, document: await parseDocument(policy) },
    engine,
    { effects: allEffects, validate: validatePolicy, fits: () => true },
  );
  return document;
}

/**
 * Applies all fixes to the document and to its JSON and YAML text: the texts mean the same document
 * afterwards, and a second run changes nothing.
 * @throws {Broken}
 */
export async function editsText(
  policy: object,
  input: Omit<PolicyToValidate, "document">,
  engine: Engine,
): Promise<void> {
  const fixed = await fixedAll(policy, input, engine);
  const wanted = fixed ? fixed.raw : policy;
  const json = JSON.stringify(policy, null, 2);
  // The library folds texts with line breaks, and a policy has none.
  const isPlain = !/\\[nrt]|"\s+"/.test(JSON.stringify(policy));
  const texts = { JSON: json, ...(isPlain ? { YAML: stringify(policy) } : {}) };
  for (const [form, text] of Object.entries(texts)) {
    // Not every text that the library writes reads back as the same document.
    if (!isSameJson((await parseDocument(text)).raw, policy)) continue;
    const edited = await fixedAll(text, input, engine);
    const raw = (await parseDocument(edited?.text ?? text)).raw;
    holds(isSameJson(raw, wanted), `the edited ${form} text is not the fixed document`, () =>
      JSON.stringify({ raw, wanted }),
    );
  }
  if (!fixed) return;
  const again = await fixedAll(fixed.raw, input, engine);
  holds(again === null, "a second run changes the document", () => JSON.stringify(again?.raw));
}
