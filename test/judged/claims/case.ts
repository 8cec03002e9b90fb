/** What a checker of a message reads: the finding, the document as it was sent, and the reference data. */
import type { Finding } from "../../../spec/finding.ts";
import { embeddedServices } from "../../../src/services/embedded.ts";
import type { Action } from "../../../src/services/model.ts";

export type Node = Readonly<Record<string, unknown>>;

/** One finding with the document that it is about. */
export interface Case {
  readonly finding: Finding;
  readonly policy: Node;
  readonly statements: readonly Node[];
  /** The statement of the finding; empty for a finding about the whole document. */
  readonly statement: Node;
  /** The value at the path of the finding. */
  readonly node: unknown;
  /** The texts in back-ticks in the message, in order. */
  readonly quoted: readonly string[];
}

/** @returns why a sentence of the message is not true of the document; null where every sentence is. */
export type Claim = (example: Case) => string | null;
export type Claims = Readonly<Record<string, Claim>>;

export const services = embeddedServices();

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nodeAt(document: unknown, pointer: string): unknown {
  let node = document;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    node = (node as Record<string, unknown> | undefined)?.[name];
  }
  return node;
}

export function caseOf(finding: Finding, policy: Node): Case {
  const statements = [policy.Statement ?? []].flat().filter(isNode);
  return {
    finding,
    policy,
    statements,
    statement: statements[finding.statement_index] ?? {},
    node: nodeAt(policy, finding.path),
    quoted: [...finding.message.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text),
  };
}

/** @returns the texts of an element that has one text or a list of them. */
export function texts(value: unknown): string[] {
  return [value ?? []].flat().filter((one) => typeof one === "string");
}

/** `*` is any text and `?` one character, as IAM reads them. */
export function matches(pattern: string, text: string, ignoreCase = false): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, ignoreCase ? "is" : "s").test(text);
}

/** @returns whether some text matches both patterns. */
export function overlap(a: string, b: string): boolean {
  let row = new Array<boolean>(b.length + 1).fill(false);
  row[b.length] = true;
  for (let j = b.length - 1; j >= 0 && b[j] === "*"; j -= 1) row[j] = true;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const next = new Array<boolean>(b.length + 1).fill(false);
    next[b.length] = a[i] === "*" && row[b.length] === true;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const isSame = a[i] === "?" || b[j] === "?" || a[i] === b[j];
      next[j] =
        a[i] === "*" || b[j] === "*"
          ? (row[j] ?? false) || (next[j + 1] ?? false)
          : isSame && (row[j + 1] ?? false);
    }
    row = next;
  }
  return row[0] ?? false;
}

/** @returns the action of the reference data with this name, in any letter case. */
export function referenceAction(name: string): Action | undefined {
  const [prefix = "", ...rest] = name.split(":");
  return services.get(prefix)?.action(rest.join(":"));
}

/** @returns the actions of the reference data that a pattern matches. */
export function expand(pattern: string): Action[] {
  const [prefix = "", ...rest] = pattern.split(":");
  const name = rest.join(":");
  const actions = services.get(prefix)?.actions ?? [];
  return [...actions].filter((action) => matches(name, action.name, true));
}

/** @returns whether the statement's `Action` or `NotAction` covers the action. */
export function covers(statement: Node, action: string): boolean {
  const isListed = (element: unknown) =>
    texts(element).some((entry) => entry === "*" || matches(entry, action, true));
  return "NotAction" in statement ? !isListed(statement.NotAction) : isListed(statement.Action);
}

/** One operator and key of a condition block. */
export interface Test {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly unknown[];
}

export function testsOf({ Condition }: Node): Test[] {
  return Object.entries(isNode(Condition) ? Condition : {}).flatMap(([operator, block]) =>
    Object.entries(isNode(block) ? block : {}).map(([key, value]) => ({
      operator,
      key,
      values: [value].flat(),
    })),
  );
}

/** @returns whether the condition has a test on the key, in any letter case. */
export function hasKey(statement: Node, key: string): boolean {
  return testsOf(statement).some((test) => test.key.toLowerCase() === key.toLowerCase());
}

/** @returns the first complaint of the list. */
export function first(...complaints: (string | null | false)[]): string | null {
  return complaints.find((one) => typeof one === "string") || null;
}
