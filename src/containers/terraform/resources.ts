import { isRecord } from "../../record.ts";
import { type Path, valueAt } from "../values.ts";

/** A resource of a plan or state, with the values that it will have or has. */
export interface Resource {
  /** With instance keys: `module.app.aws_iam_role.r["a"]`. */
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly values: unknown;
  /** Has the shape of `values`, with `true` for each unknown value. */
  readonly unknown: unknown;
  /** Likewise for values that must not be shown. */
  readonly sensitive: unknown;
  /** Of `values` in the file. */
  readonly path: Path;
}

/** Modules in modules; deeper ones are not read. */
const maxLevels = 30;

/** The resources that a plan leaves in place. `delete` and `forget` end one; `deposed` ones are old. */
export function* plannedResources(plan: Readonly<Record<string, unknown>>): Generator<Resource> {
  const { resource_changes: changes } = plan;
  if (!Array.isArray(changes) || changes.length === 0) {
    yield* moduleResources(plan, ["planned_values", "root_module"]);
    return;
  }
  for (const [index, change] of changes.entries()) {
    if (!isRecord(change) || !isRecord(change.change) || change.deposed !== undefined) continue;
    const { actions, after, after_unknown: unknown, after_sensitive: sensitive } = change.change;
    const ends = ["delete", "forget"];
    const isListed = Array.isArray(actions) && actions.length > 0;
    if (isListed && actions.every((action) => ends.includes(action))) continue;
    const about = resourceOf(change);
    const path = ["resource_changes", index, "change", "after"];
    if (about) yield { ...about, values: after, unknown, sensitive, path };
  }
}

/** @param at Path of a module of `planned_values`, `prior_state` or a state. */
export function* moduleResources(
  file: Readonly<Record<string, unknown>>,
  at: Path,
  level = 0,
): Generator<Resource> {
  const module = valueAt(file, at);
  if (!isRecord(module) || level > maxLevels) return;
  const { resources, child_modules: children } = module;
  for (const [index, resource] of (Array.isArray(resources) ? resources : []).entries()) {
    const about = isRecord(resource) ? resourceOf(resource) : null;
    if (!about || !isRecord(resource) || resource.deposed_key !== undefined) continue;
    const { values, sensitive_values: sensitive } = resource;
    const path = [...at, "resources", index, "values"];
    yield { ...about, values, unknown: undefined, sensitive, path };
  }
  for (const index of (Array.isArray(children) ? children : []).keys()) {
    yield* moduleResources(file, [...at, "child_modules", index], level + 1);
  }
}

/** The resources of a state file as Terraform keeps it, version 4. */
export function* storedResources(state: Readonly<Record<string, unknown>>): Generator<Resource> {
  const { resources } = state;
  for (const [index, resource] of (Array.isArray(resources) ? resources : []).entries()) {
    if (!isRecord(resource) || !Array.isArray(resource.instances)) continue;
    const { module, mode, type, name, instances } = resource;
    for (const [number, instance] of instances.entries()) {
      if (!isRecord(instance) || instance.deposed !== undefined) continue;
      const prefix = typeof module === "string" ? `${module}.` : "";
      const data = mode === "data" ? "data." : "";
      const key = instance.index_key === undefined ? "" : `[${JSON.stringify(instance.index_key)}]`;
      const address = `${prefix}${data}${type}.${name}${key}`;
      const about = resourceOf({ address, mode, type });
      if (!about) continue;
      yield {
        ...about,
        values: instance.attributes,
        unknown: undefined,
        sensitive: sensitiveOf(instance.sensitive_attributes),
        path: ["resources", index, "instances", number, "attributes"],
      };
    }
  }
}

function resourceOf({
  address,
  mode,
  type,
}: Readonly<Record<string, unknown>>): Pick<Resource, "address" | "mode" | "type"> | null {
  if (typeof address !== "string" || typeof type !== "string") return null;
  // Plans that people cut down leave the mode out.
  const known = mode ?? (/(?:^|\.)data\.[^.]+\.[^.]+$/.test(address) ? "data" : "managed");
  if (known !== "managed" && known !== "data") return null;
  return { address, mode: known, type };
}

/** Paths of the form `[[{type: "get_attr", value: "policy"}]]`, as marks. */
function sensitiveOf(paths: unknown): unknown {
  const marks: Record<string, unknown> = {};
  for (const path of Array.isArray(paths) ? paths : []) {
    const [step] = Array.isArray(path) ? path : [];
    if (isRecord(step) && typeof step.value === "string") marks[step.value] = true;
  }
  return marks;
}
