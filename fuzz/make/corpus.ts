import { readdirSync, readFileSync } from "node:fs";
import { builtinChecks } from "../../src/checks/index.ts";
import { globalConditionKeys } from "../../src/policy/global-condition-keys.ts";
import { managedPolicies } from "../../test/support/managed-policies.ts";

/** Real policies, and the words they are made of. */
export interface Corpus {
  /** Texts of JSON: managed policies, the examples of this repository, those of every check. */
  readonly documents: readonly string[];
  readonly actions: readonly string[];
  readonly arns: readonly string[];
  readonly conditionKeys: readonly string[];
  readonly values: readonly string[];
}

/** Longer documents would take most of the time and find what shorter ones do. */
const maxLength = 2_000;

export function readCorpus(): Corpus {
  const folder = new URL("../../examples/policies/", import.meta.url);
  const examples = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(new URL(name, folder), "utf8")),
  );
  const ofChecks = builtinChecks.flatMap(({ examples: { bad, good } }) =>
    [...bad, ...good].map(({ policy }) => policy),
  );
  const managed = managedPolicies().map(({ document }) => document);
  const words = new Words();
  for (const document of [...managed, ...examples, ...ofChecks]) words.read(document);
  // The small ones of ours again, so that every kind of policy comes up often.
  const documents = [
    ...managed,
    ...Array(4)
      .fill([...examples, ...ofChecks])
      .flat(),
  ]
    .map((document) => JSON.stringify(document))
    .filter((text) => text.length <= maxLength);
  return {
    documents,
    actions: [...words.actions],
    arns: [...words.arns],
    conditionKeys: [...words.conditionKeys, ...globalConditionKeys.map(({ name }) => name)],
    values: [...words.values],
  };
}

class Words {
  readonly actions = new Set<string>();
  readonly arns = new Set<string>();
  readonly conditionKeys = new Set<string>();
  readonly values = new Set<string>();

  read(value: unknown): void {
    if (typeof value === "string") this.#sort(value);
    else if (Array.isArray(value)) for (const item of value) this.read(item);
    else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (/^[a-z0-9-]+:[^ ]+$/i.test(name)) this.conditionKeys.add(name);
        this.read(member);
      }
    }
  }

  #sort(text: string): void {
    if (text.startsWith("arn:")) this.arns.add(text);
    else if (/^[a-z0-9-]+:[\w*?]+$/i.test(text)) this.actions.add(text);
    else this.values.add(text);
  }
}
