import { isRecord } from "../../record.ts";
import { embeddedTemplates } from "../cloudformation/embedded.ts";
import { documentAt, shownPath } from "../document-at.ts";
import { fill, jinjaPlaceholdersIn } from "../placeholders.ts";
import { notRead } from "../places.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";
import { type ModuleOption, moduleOptions } from "./modules.ts";

/** Playbooks and lists of tasks of Ansible. */
export const ansible: Container = {
  kind: "ansible",
  recognises: ({ value }) => Array.isArray(value) && !policiesIn(value).next().done,
  async read(source, reading) {
    const places = [...policiesIn(source.value).take(reading.maxPlaces)].flatMap(
      (found) => placeOf(source, found, reading) ?? [],
    );
    // A task may have a template of CloudFormation.
    if (embeddedTemplates.recognises(source)) {
      places.push(...(await embeddedTemplates.read(source, reading)));
    }
    return places;
  },
};

interface Found {
  readonly path: Path;
  readonly module: string;
  readonly option: ModuleOption;
  /** Of the task. */
  readonly name: string | null;
}

/** Members of plays and tasks that are lists of tasks. */
const lists = ["pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always"];
const maxVisited = 50_000;
const maxLevels = 40;

/** The options with a policy, in the order of the file. */
function* policiesIn(
  tasks: unknown,
  path: Path = [],
  left = { visits: maxVisited },
): Generator<Found> {
  if (!Array.isArray(tasks) || path.length > maxLevels) return;
  for (const [index, task] of tasks.entries()) {
    if (!isRecord(task) || left.visits-- <= 0) continue;
    const at = [...path, index];
    const name = typeof task.name === "string" ? task.name : null;
    for (const module of Object.keys(task)) {
      for (const option of moduleOptions(module)) {
        const within = [...at, module, option.option];
        const value = valueAt(task, [module, option.option]);
        // The text `null` removes the policy of a bucket.
        if (isRecord(value) || (typeof value === "string" && value.trim() !== "null")) {
          yield { path: within, module, option, name };
        }
      }
    }
    for (const list of lists) yield* policiesIn(task[list], [...at, list], left);
  }
}

function placeOf(
  source: Source,
  { path, module, option, name }: Found,
  reading: Reading,
): Place | null {
  const { policyType, service } = option;
  const address = shownPath(path);
  const label = name === null ? address : `${name} (${option.option})`;
  const facts: Omit<PlaceFacts, "path"> = {
    address,
    label,
    policyType,
    service,
    resourceType: module,
  };
  const value = valueAt(source.value, path);
  const computed = typeof value === "string" ? computedBy(value) : null;
  if (computed !== null) {
    const span = spanAt(source.root, path);
    return notRead({ ...facts, path }, computed, { form: "text", span });
  }
  return documentAt(source, path, facts, reading, (text, offsets) =>
    fill({ text, offsets }, [...jinjaPlaceholdersIn(text)], reading.unknowns),
  );
}

/** https://docs.ansible.com/ansible/latest/collections/ansible/builtin/file_lookup.html */
const lookup =
  /^\{\{\s*lookup\(\s*["'](?:ansible\.builtin\.)?(?:file|template)["']\s*,\s*["']([^"'`]{1,200})["']/;

/** @returns Why a text is no document before Ansible computes it; null: it is one. */
function computedBy(text: string): string | null {
  const trimmed = text.trim();
  const [, file] = lookup.exec(trimmed) ?? [];
  if (file) return `The document is in the file \`${file}\`.`;
  if (trimmed.startsWith("{{")) {
    const shown = trimmed.replace(/\s+/g, " ").slice(0, 100);
    return `The policy is the value of \`${shown}\`, which Ansible computes.`;
  }
  return text.includes("{%") ? "The text has `{% %}` of Jinja, so it is no document yet." : null;
}
