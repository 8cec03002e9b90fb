import type { Splice } from "./layout.ts";
import type { EditOperation } from "./parsed-text.ts";

/**
 * Collects operations that can be carried out on one text at once: none of them changes what the path of
 * another one means, and the pieces of text that they replace do not touch.
 */
export class IndependentEdits {
  readonly #splices: Splice[] = [];
  /** Paths of all operations so far. */
  readonly #paths = new Set<string>();
  /** Objects and lists around those paths. */
  readonly #around = new Set<string>();
  /** Objects and lists that operations change, with whether one of them adds. */
  readonly #parents = new Map<string, boolean>();
  /** By list, the lowest index from which entries move. */
  readonly #movedFrom = new Map<string, number>();
  /** By list, the highest index that an operation has which has to wait. */
  readonly #waiting = new Map<string, number>();

  /** Whether an operation means the same before and after the operations so far. */
  mayAdd(operation: EditOperation): boolean {
    const isAdding = operation.op === "add";
    return pathsOf(operation).every((path) => {
      const { parent, lists } = reachOf(path);
      if (this.#around.has(path) || this.#paths.has(path)) return false;
      const others = this.#parents.get(parent);
      if (others !== undefined && (isAdding || others)) return false;
      for (const { list, index } of lists) {
        if (this.#paths.has(list) || index >= (this.#movedFrom.get(list) ?? Infinity)) return false;
      }
      const [last] = isMoving(operation) ? lists.slice(-1) : [];
      return !last || !((this.#waiting.get(last.list) ?? -1) >= last.index);
    });
  }

  /** Notes an operation that has to wait until the text is read again. */
  leave(operation: EditOperation): void {
    this.#note(operation);
    for (const path of pathsOf(operation)) {
      for (const { list, index } of reachOf(path).lists) {
        this.#waiting.set(list, Math.max(index, this.#waiting.get(list) ?? -1));
      }
    }
  }

  /** @returns false if the splice touches another one: the operation has to wait. */
  add(operation: EditOperation, splice: Splice): boolean {
    if (this.#splices.some(({ start, end }) => splice.start <= end && start <= splice.end)) {
      this.leave(operation);
      return false;
    }
    this.#splices.push(splice);
    this.#note(operation);
    return true;
  }

  applyTo(text: string): string {
    const pieces: string[] = [];
    let at = 0;
    for (const splice of this.#splices.sort((a, b) => a.start - b.start)) {
      pieces.push(text.slice(at, splice.start), splice.text);
      at = splice.end;
    }
    return pieces.join("") + text.slice(at);
  }

  #note(operation: EditOperation): void {
    for (const path of pathsOf(operation)) {
      const { parent, lists } = reachOf(path);
      this.#paths.add(path);
      for (const { list } of lists) this.#around.add(list);
      this.#parents.set(parent, (this.#parents.get(parent) ?? false) || operation.op === "add");
      const last = lists.at(-1);
      if (!last || !isMoving(operation)) continue;
      this.#movedFrom.set(
        last.list,
        Math.min(last.index, this.#movedFrom.get(last.list) ?? Infinity),
      );
    }
  }
}

/** Whether entries of a list may have another index afterwards. */
function isMoving({ op }: EditOperation): boolean {
  return op === "add" || op === "remove";
}

function pathsOf(operation: EditOperation): readonly string[] {
  return operation.op === "move" ? [operation.from, operation.path] : [operation.path];
}

interface Reach {
  readonly parent: string;
  /** What is around the path, from the outside, with the index of the next step: `NaN` for names. */
  readonly lists: readonly { readonly list: string; readonly index: number }[];
}

function reachOf(path: string): Reach {
  const lists: { list: string; index: number }[] = [];
  let list = "";
  for (const step of path.split("/").slice(1)) {
    lists.push({ list, index: /^\d+$/.test(step) ? Number(step) : Number.NaN });
    list = `${list}/${step}`;
  }
  return { parent: lists.at(-1)?.list ?? "", lists };
}
