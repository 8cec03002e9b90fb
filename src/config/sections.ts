import type { z } from "zod";
import {
  CommonSection,
  ConfigSettings,
  commonCheckKeys,
  ignoredSettings,
  inertSettings,
  TopLevel,
  topLevelShape,
} from "../../spec/config.ts";
import { severitiesLeftOut } from "../../spec/severity.ts";
import type { Check } from "../engine/check.ts";
import type { CheckSource } from "../engine/registry.ts";
import { didYouMean } from "../nearest.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { problemsOf } from "../schema-problems.ts";
import { merge, withoutNulls } from "./merge.ts";

/** A fault of the config: its place and a message, which never contains the value. */
export interface ConfigFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface Faults {
  readonly errors: ConfigFault[];
  readonly warnings: ConfigFault[];
  /** Settings and options with unknown names: `errors`, or `warnings` if the operator chose so. */
  readonly unknownNames: ConfigFault[];
}

/** A check to be configured, with the values of its `custom_checks` entry. */
export interface ConfigurableCheck {
  readonly check: Check;
  readonly source: CheckSource;
  /** Severity, options and so on from its `custom_checks` entry; sections of the file override them. */
  readonly base?: JsonObject;
  /** Path of `base` in the file. */
  readonly basePath?: readonly PropertyKey[];
}

function addIssues(
  issues: readonly z.core.$ZodIssue[],
  at: readonly PropertyKey[],
  faults: Faults,
) {
  for (const { path, message } of problemsOf(issues)) {
    faults.errors.push({ path: [...at, ...path], message });
  }
}

/** Reads the keys that are not sections of checks. `organization` is an old name of `settings`. */
export function readTopLevel(file: JsonObject, faults: Faults): z.infer<typeof TopLevel> {
  const { organization, settings } = file;
  let merged = settings;
  if (organization !== undefined && organization !== null) {
    faults.warnings.push({ path: ["organization"], message: "old name; use settings" });
    merged = merge(settings ?? {}, organization);
  }
  const topLevel = Object.fromEntries(
    Object.keys(topLevelShape)
      .map((key) => [key, key === "settings" ? merged : file[key]])
      .filter(([, value]) => value !== undefined && value !== null),
  );
  const parsed = TopLevel.safeParse(withoutNulls(topLevel));
  if (!parsed.success) addIssues(parsed.error.issues, [], faults);
  if (isRecord(merged)) warnAboutSettings(merged, faults);
  const top = parsed.success ? parsed.data : TopLevel.parse({});
  const leftOut = severitiesLeftOut(top.settings.fail_on_severity);
  if (leftOut.length > 0) {
    faults.warnings.push({
      path: ["settings", "fail_on_severity"],
      message: `leaves out ${leftOut.join(", ")}, so a policy with such findings is valid although a lower severity fails it; write one severity to mean it and all above`,
    });
  }
  return top;
}

function warnAboutSettings(settings: JsonObject, faults: Faults): void {
  if (typeof settings.max_concurrency === "number" && settings.max_concurrency < 1) {
    const path = ["settings", "max_concurrency"];
    faults.warnings.push({ path, message: "is below 1 and acts as 1" });
  }
  const withoutEffect = Object.keys(settings).filter(
    (key) => ignoredSettings.has(key) || inertSettings.has(key),
  );
  const [first, ...others] = withoutEffect;
  if (first !== undefined) {
    const and = others.length === 0 ? "has" : `and ${others.join(", ")} have`;
    faults.warnings.push({ path: ["settings", first], message: `${and} no effect here` });
  }
  for (const key of Object.keys(settings)) {
    if (withoutEffect.includes(key) || Object.hasOwn(ConfigSettings.shape, key)) continue;
    const nearest = didYouMean(key, Object.keys(ConfigSettings.shape));
    faults.unknownNames.push({ path: ["settings", key], message: `unknown setting${nearest}` });
  }
}

type Section = { readonly value: unknown; readonly path: readonly PropertyKey[] };

/** Sections of one check; later ones override earlier ones: under `checks`, old name, top level. */
function sectionsOf(id: string, file: JsonObject, ids: ReadonlySet<string>): Section[] {
  const sections: Section[] = [];
  const nested = file.checks;
  if (isRecord(nested) && Object.hasOwn(nested, id)) {
    sections.push({ value: nested[id], path: ["checks", id] });
  }
  const old = `${id}_check`;
  if (!ids.has(old) && Object.hasOwn(file, old)) sections.push({ value: file[old], path: [old] });
  if (Object.hasOwn(file, id)) sections.push({ value: file[id], path: [id] });
  return sections;
}

/** A check's merged section: common keys and options, with defaults. */
export interface ReadSection {
  readonly common: z.infer<ReturnType<typeof CommonSection>>;
  readonly options: unknown;
}

/** Reads one check's section. Faults go to `faults`; invalid parts get their defaults. */
export function readSection(
  target: ConfigurableCheck,
  file: JsonObject,
  ids: ReadonlySet<string>,
  faults: Faults,
): ReadSection {
  const { check, source } = target;
  const Common = CommonSection(source === "discovered" ? false : (check.default_enabled ?? true));
  let merged: unknown = target.base ? withoutNulls(target.base) : {};
  let path: readonly PropertyKey[] = target.basePath ?? [check.check_id];
  for (const section of sectionsOf(check.check_id, file, ids)) {
    path = section.path;
    if (section.value === null) continue;
    if (section.value === false) merged = merge(merged, { enabled: false });
    else if (isRecord(section.value)) merged = merge(merged, withoutNulls(section.value));
    else {
      faults.errors.push({ path, message: "a check's section is a mapping, false or null" });
    }
  }
  const all = Object.entries(isRecord(merged) ? merged : {});
  const common = Object.fromEntries(all.filter(([key]) => Object.hasOwn(commonCheckKeys, key)));
  let given = Object.fromEntries(all.filter(([key]) => !Object.hasOwn(commonCheckKeys, key)));
  if (source === "builtin") given = withoutUnknownOptions(check, given, path, faults);

  const parsedCommon = Common.safeParse(common);
  if (!parsedCommon.success) addIssues(parsedCommon.error.issues, path, faults);
  // Merged with the defaults first, so that an object in the file changes only the keys it has.
  const defaults = check.options.safeParse({});
  const parsed = check.options.safeParse(merge(defaults.success ? defaults.data : {}, given));
  if (!parsed.success) addIssues(parsed.error.issues, path, faults);
  return {
    common: parsedCommon.success ? parsedCommon.data : Common.parse({}),
    options: parsed.success ? parsed.data : defaults.data,
  };
}

/** Reports unknown options of a built-in check: a misspelt option would change nothing. */
function withoutUnknownOptions(
  check: Check,
  given: JsonObject,
  path: readonly PropertyKey[],
  faults: Faults,
): JsonObject {
  const shape = "shape" in check.options ? check.options.shape : {};
  const known = isRecord(shape) ? shape : {};
  return Object.fromEntries(
    Object.entries(given).filter(([key, value]) => {
      if (Object.hasOwn(known, key)) return true;
      const inner = key === "config" && isRecord(value) ? Object.keys(value).join(", ") : "";
      const nearest = didYouMean(key, [...Object.keys(known), ...Object.keys(commonCheckKeys)]);
      faults.unknownNames.push({
        path: [...path, key],
        message: inner
          ? `is not read; put these keys directly under ${check.check_id}: ${inner}`
          : `is not an option of ${check.check_id}${nearest}`,
      });
      return false;
    }),
  );
}

/** Reports unknown keys at the top level and under `checks` as errors: a misspelt check would not be configured. */
export function findUnknownChecks(
  file: JsonObject,
  ids: ReadonlySet<string>,
  faults: Faults,
): void {
  const known = new Set([...Object.keys(topLevelShape), "checks", "organization", "$schema"]);
  const report = (key: string, path: readonly PropertyKey[]) => {
    const nearest = didYouMean(key.replace(/_check$/, ""), [...ids, ...known]);
    faults.errors.push({ path, message: `no check and no key has this name${nearest}` });
  };
  const isCheck = (key: string) =>
    ids.has(key) || (key.endsWith("_check") && ids.has(key.slice(0, -"_check".length)));
  for (const key of Object.keys(file)) {
    if (!known.has(key) && !isCheck(key)) report(key, [key]);
  }
  const nested = file.checks;
  if (nested === undefined || nested === null) return;
  if (!isRecord(nested)) {
    faults.errors.push({ path: ["checks"], message: "is a mapping of check ids to sections" });
    return;
  }
  for (const key of Object.keys(nested)) {
    if (!ids.has(key)) report(key, ["checks", key]);
  }
}
