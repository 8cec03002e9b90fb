import { editDistance } from "../../edit-distance.ts";
import { removeMember, removeStatement, renameMember, replaceValue } from "../../fixes/edits.ts";
import type { Edit, FixProposal } from "../../fixes/proposal.ts";
import { childNode, type NodeRef } from "../../json/node.ts";
import type { Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members that say something to people, and that other document formats have. */
const remarks: ReadonlySet<string> = new Set(["comment", "comments", "description", "name"]);

/**
 * Corrects the names of members that IAM does not know, and removes those that are remarks.
 * @returns null where a member is neither, or its right name is taken: then the author has to say.
 */
export function strayMembers(
  members: Members,
  node: NodeRef,
  known: readonly string[],
): FixProposal | null {
  const edits: Edit[] = [];
  const taken = new Set(Object.keys(members));
  let renames = 0;
  for (const name of Object.keys(members)) {
    if (known.includes(name)) continue;
    const meant = nearestElement(name, known);
    if (meant !== null && !taken.has(meant)) {
      taken.add(meant);
      renames++;
      edits.push(renameMember(childNode(node, name), meant));
    } else if (remarks.has(name.toLowerCase())) {
      edits.push(removeMember(childNode(node, name)));
    } else return null;
  }
  if (edits.length === 0) return null;
  const title =
    renames === 0
      ? "Remove the remarks, which a policy cannot have"
      : renames === edits.length
        ? "Correct the names of the elements"
        : "Correct the names of the elements and remove the remarks";
  return { title, effect: "repairs", edits };
}

/** The fix of an element that is missing: it is there under a name that is nearly right. */
export function misspeltMember(
  members: Members,
  node: NodeRef,
  known: readonly string[],
  missing: readonly string[],
): FixProposal | null {
  const isMeant = Object.keys(members).some(
    (name) => !known.includes(name) && missing.includes(nearestElement(name, known) ?? ""),
  );
  return isMeant ? strayMembers(members, node, known) : null;
}

/** The one name within two edits; a short name allows fewer. */
export function nearestElement(name: string, known: readonly string[]): string | null {
  const edits = (one: string) => editDistance(one.toLowerCase(), name.toLowerCase());
  const near = known.filter((one) => edits(one) <= Math.min(2, one.length / 3));
  const [first, second] = near.toSorted((one, other) => edits(one) - edits(other));
  if (first === undefined) return null;
  return second === undefined || edits(first) < edits(second) ? first : null;
}

const effects = ["Allow", "Deny"];

/** @returns the Effect within two edits of a text, which may be alone in a list; null for other values, and for one as near to both. */
export function misspeltEffect(value: unknown): string | null {
  const [only]: readonly unknown[] = Array.isArray(value) && value.length === 1 ? value : [value];
  if (typeof only !== "string") return null;
  const word = only.trim().toLowerCase();
  const near = effects.filter((effect) => editDistance(effect.toLowerCase(), word) <= 2);
  return near.length === 1 ? (near[0] ?? null) : null;
}

/** A number or boolean as text. */
export function quoted(value: unknown, node: NodeRef): FixProposal | null {
  if (typeof value !== "number" && typeof value !== "boolean") return null;
  return {
    title: "Write the value as text",
    effect: "repairs",
    edits: [replaceValue(node, String(value))],
  };
}

/** Statements that a fix writes again, for each finding. */
const maxStatements = 200;

/** Takes statements out of lists in the list of statements. */
export function flatStatements(value: readonly unknown[], node: NodeRef): FixProposal | null {
  const sizes = value.map((entry) => (Array.isArray(entry) ? entry.length : 1));
  const count = sizes.reduce((sum, size) => sum + size, 0);
  if (count === 0 || count > maxStatements) return null;
  const statements: unknown[] = value.flat();
  if (!statements.every(isRecord)) return null;
  return {
    title: "Write the statements in one list",
    effect: "repairs",
    edits: [replaceValue(node, statements)],
  };
}

/** A list of account ids and ARNs, as the principals of type `AWS`. */
export function listedPrincipals(value: unknown, node: NodeRef): FixProposal | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const form = /^(?:\d{12}|arn:[a-z-]+:(?:iam|sts)::\d{12}:.+)$/;
  if (!value.every((one) => typeof one === "string" && form.test(one))) return null;
  return {
    title: "Write the principals under their type",
    effect: "repairs",
    edits: [replaceValue(node, { AWS: value })],
  };
}

/**
 * Removes an Allow that AWS rejects and that would grant nothing. A Deny stays, because its author
 * meant to deny something.
 */
export function withoutStatement(statement: Statement): FixProposal | null {
  if (!statement.allows || typeof statement.node.step !== "number") return null;
  return {
    title: "Remove the statement, which grants nothing",
    effect: "repairs",
    edits: [removeStatement(statement)],
  };
}

/** Removes the types of principal that list none; the whole statement, where no other type is left. */
export function withoutEmptyKeys(
  statement: Statement,
  element: "Principal" | "NotPrincipal",
): FixProposal | null {
  const value = statement.raw[element];
  if (!isRecord(value)) return null;
  const empty = Object.keys(value).filter((type) => isEmptyList(value[type]));
  if (empty.length === Object.keys(value).length) {
    return element === "Principal" ? withoutStatement(statement) : null;
  }
  return {
    title: "Remove the types of principal that list none",
    effect: "repairs",
    edits: empty.map((type) => removeMember(childNode(statement.at(element), type))),
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
