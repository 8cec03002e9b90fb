/**
 * A node of the submitted document, as a chain of steps back to the root. Cheap to create; the engine
 * converts only the nodes of findings to JSON Pointers and spans of text.
 */
export interface NodeRef {
  readonly parent: NodeRef | null;
  /** Member name or array index; empty for the root. */
  readonly step: string | number;
  /** `key`: the member's name, not its value. */
  readonly part: "value" | "key";
}

export const rootNode: NodeRef = { parent: null, step: "", part: "value" };

/** @returns the node of a member's or element's value. */
export function childNode(parent: NodeRef, step: string | number): NodeRef {
  return { parent, step, part: "value" };
}

/** @returns the node of a member's name. */
export function keyNode(parent: NodeRef, step: string): NodeRef {
  return { parent, step, part: "key" };
}

/** @returns steps from the root, e.g. `["Statement", 0, "Action"]`. */
export function stepsOf(node: NodeRef): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: NodeRef | null = node; at?.parent; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

/** @returns whether two nodes have the same steps. */
export function isSameNode(left: NodeRef, right: NodeRef): boolean {
  if (left === right) return true;
  if (!left.parent || !right.parent) return left.parent === right.parent;
  return left.step === right.step && isSameNode(left.parent, right.parent);
}

/** @returns RFC 6901 JSON Pointer; a key has the pointer of its value. */
export function pointerOf(node: NodeRef): string {
  let pointer = "";
  for (let at: NodeRef | null = node; at?.parent; at = at.parent) {
    pointer = `/${typeof at.step === "number" ? at.step : escapedStep(at.step)}${pointer}`;
  }
  return pointer;
}

/** @returns a member name as a step of a JSON Pointer. */
export function escapedStep(name: string): string {
  if (!name.includes("~") && !name.includes("/")) return name;
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** @returns the member name that a step of a JSON Pointer means. */
export function unescapedStep(step: string): string {
  return step.includes("~") ? step.replaceAll("~1", "/").replaceAll("~0", "~") : step;
}
