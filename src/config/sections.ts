import { closest } from "fastest-levenshtein";
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
import { isJsonObject, type JsonObject, merge, withoutNulls } from "./merge.ts";

/** A fault of the config: where, and what is wrong; never the value. */
export interface ConfigFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface Faults {
  readonly errors: ConfigFault[];
  readonly warnings: ConfigFault[];
}

/** A check to be configured, and what its `custom_checks` entry says of it. */
export interface ConfigurableCheck {
  readonly check: Check;
  readonly source: CheckSource;
  /** Section below the file's own ones: the `custom_checks` entry's severity, options and so on. */
  readonly base?: JsonObject;
  /** Where `base` stands in the file. */
  readonly basePath?: readonly PropertyKey[];
}

function addIssues(
  issues: readonly z.core.$ZodIssue[],
  at: readonly PropertyKey[],
  faults: Faults,
) {
  for (const issue of issues) {
    const path = [...at, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys)
        faults.errors.push({ path: [...path, key], message: "unknown key" });
    } else if (issue.code === "invalid_union") {
      const messages = issue.errors.map((branch) =>
        branch.map(({ message }) => message).join(", "),
      );
      const best = messages.filter(Boolean).join(" or ");
      faults.errors.push({ path, message: best || issue.message });
    } else {
      faults.errors.push({ path, message: issue.message });
    }
  }
}

/** Reads the keys that are not sections of checks; `organization` is an old name of `settings`. */
export function readTopLevel(file: JsonObject, faults: Faults): z.infer<typeof TopLevel> {
  const { organization, settings } = file;
  let merged = settings;
  if (organization !== undefined && organization !== null) {
    faults.warnings.push({ path: ["organization"], message: "old name; write settings" });
    merged = merge(settings ?? {}, organization);
  }
  const own = Object.fromEntries(
    Object.keys(topLevelShape)
      .map((key) => [key, key === "settings" ? merged : file[key]])
      .filter(([, value]) => value !== undefined && value !== null),
  );
  const parsed = TopLevel.safeParse(withoutNulls(own));
  if (!parsed.success) addIssues(parsed.error.issues, [], faults);
  if (isJsonObject(merged)) warnAboutSettings(merged, faults);
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
  for (const key of Object.keys(settings)) {
    const path = ["settings", key];
    if (ignoredSettings.has(key)) faults.warnings.push({ path, message: "has no effect" });
    else if (inertSettings.has(key)) {
      faults.warnings.push({ path, message: "is accepted but has no effect in this server" });
    } else if (!Object.hasOwn(ConfigSettings.shape, key)) {
      faults.warnings.push({ path, message: "unknown setting, ignored" });
    }
  }
}

type Section = { readonly value: unknown; readonly path: readonly PropertyKey[] };

/** Sections of one check, weakest first: nested under `checks`, old spelling, top level. */
function sectionsOf(id: string, file: JsonObject, ids: ReadonlySet<string>): Section[] {
  const sections: Section[] = [];
  const nested = file.checks;
  if (isJsonObject(nested) && Object.hasOwn(nested, id)) {
    sections.push({ value: nested[id], path: ["checks", id] });
  }
  const old = `${id}_check`;
  if (!ids.has(old) && Object.hasOwn(file, old)) sections.push({ value: file[old], path: [old] });
  if (Object.hasOwn(file, id)) sections.push({ value: file[id], path: [id] });
  return sections;
}

/** A check's section in force: common keys and options, defaults filled in. */
export interface ReadSection {
  readonly common: z.infer<ReturnType<typeof CommonSection>>;
  readonly options: unknown;
}

/** Reads one check's section. Faults go to `faults`; the defaults stand in for what is wrong. */
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
    else if (isJsonObject(section.value)) merged = merge(merged, withoutNulls(section.value));
    else {
      faults.errors.push({ path, message: "a check's section is a mapping, false or null" });
    }
  }
  const all = Object.entries(isJsonObject(merged) ? merged : {});
  const common = Object.fromEntries(all.filter(([key]) => Object.hasOwn(commonCheckKeys, key)));
  let own = Object.fromEntries(all.filter(([key]) => !Object.hasOwn(commonCheckKeys, key)));
  if (source === "builtin") own = knownOptions(check, own, path, faults);

  const parsedCommon = Common.safeParse(common);
  if (!parsedCommon.success) addIssues(parsedCommon.error.issues, path, faults);
  // Defaults first, so that an object in the file changes only the keys it names.
  const defaults = check.options.safeParse({});
  const parsed = check.options.safeParse(merge(defaults.success ? defaults.data : {}, own));
  if (!parsed.success) addIssues(parsed.error.issues, path, faults);
  return {
    common: parsedCommon.success ? parsedCommon.data : Common.parse({}),
    options: parsed.success ? parsed.data : defaults.data,
  };
}

/** Options a built-in check does not know are dropped with a warning: older files carry some. */
function knownOptions(
  check: Check,
  own: JsonObject,
  path: readonly PropertyKey[],
  faults: Faults,
): JsonObject {
  const shape = "shape" in check.options ? check.options.shape : {};
  const known = isJsonObject(shape) ? shape : {};
  return Object.fromEntries(
    Object.entries(own).filter(([key, value]) => {
      if (Object.hasOwn(known, key)) return true;
      const inner = key === "config" && isJsonObject(value) ? Object.keys(value).join(", ") : "";
      faults.warnings.push({
        path: [...path, key],
        message: inner
          ? `is not read; put these keys directly under ${check.check_id}: ${inner}`
          : `is no option of ${check.check_id}, ignored`,
      });
      return false;
    }),
  );
}

/** Keys at the top level, or under `checks`, that name no check: errors, since a typo would switch nothing. */
export function findUnknownChecks(
  file: JsonObject,
  ids: ReadonlySet<string>,
  faults: Faults,
): void {
  const known = new Set([...Object.keys(topLevelShape), "checks", "organization", "$schema"]);
  const report = (key: string, path: readonly PropertyKey[]) => {
    const nearest = closest(key.replace(/_check$/, ""), [...ids, ...known]);
    faults.errors.push({
      path,
      message: `no check and no key has this name; did you mean ${nearest}?`,
    });
  };
  const isCheck = (key: string) =>
    ids.has(key) || (key.endsWith("_check") && ids.has(key.slice(0, -"_check".length)));
  for (const key of Object.keys(file)) {
    if (!known.has(key) && !isCheck(key)) report(key, [key]);
  }
  const nested = file.checks;
  if (nested === undefined || nested === null) return;
  if (!isJsonObject(nested)) {
    faults.errors.push({ path: ["checks"], message: "is a mapping of check ids to sections" });
    return;
  }
  for (const key of Object.keys(nested)) {
    if (!ids.has(key)) report(key, ["checks", key]);
  }
}
