import { isRecord } from "../../record.ts";
import { type Located, locatedLeaf } from "../located.ts";
import type { Unknowns } from "../unknowns.ts";
import { type Steps, stepsOf } from "./follow.ts";

/** The variables of the loops around an expression, such as `each`. */
export class Scope {
  #variables: ReadonlyMap<string, Located> = new Map();
  #depth = 0;

  /** Whether an expression is evaluated in a loop, also through a local. */
  get isLoop(): boolean {
    return this.#depth > 0;
  }

  /** Evaluates with variables of a loop. */
  within<Value>(variables: Iterable<readonly [string, Located]>, evaluate: () => Value): Value {
    this.#depth++;
    try {
      return this.#with(new Map([...this.#variables, ...variables]), evaluate);
    } finally {
      this.#depth--;
    }
  }

  /** Evaluates a local, which does not see the variables of the loop that refers to it. */
  outside<Value>(evaluate: () => Value): Value {
    return this.#with(new Map(), evaluate);
  }

  #with<Value>(variables: ReadonlyMap<string, Located>, evaluate: () => Value): Value {
    const before = this.#variables;
    this.#variables = variables;
    try {
      return evaluate();
    } finally {
      this.#variables = before;
    }
  }

  /** Steps to a part of a value, with the keys of loops in them: `[each.key].arn`. */
  stepsOf(rest: string, unknowns: Unknowns): Steps | null {
    const written = rest.replaceAll(loopKey, (whole, index: string) => {
      const value = this.valueOf(index, unknowns)?.value;
      const isKey = typeof value === "string" || typeof value === "number";
      return isKey ? `[${JSON.stringify(value)}]` : whole;
    });
    return stepsOf(written);
  }

  /** @returns the value of a variable or of a part of it; undefined: no loop has it, or it is not known. */
  valueOf(source: string, unknowns: Unknowns): Located | undefined {
    const [name = ""] = variableName.exec(source) ?? [];
    const rest = source.slice(name.length);
    const variable = this.#variables.get(name);
    const steps = variable && this.stepsOf(rest, unknowns);
    if (!variable || !steps) return undefined;
    const found = partAt(variable, steps);
    if (found) return found;
    // An entry that is written out has the members that it has.
    const owner = partAt(variable, steps.slice(0, -1));
    const isWhole =
      isRecord(owner?.value) && !Object.keys(owner.value).some((key) => unknowns.isIn(key));
    return owner && isWhole ? locatedLeaf(null, owner.node) : undefined;
  }
}

const variableName = /^[\p{ID_Start}_][\p{ID_Continue}-]*/u;
const loopKey = /\[([a-z_]\w{0,60}(?:\.\w{1,60}){0,5})\]/gi;

/** @returns the part of a value at steps; undefined: it has none. */
export function partAt(from: Located, steps: Steps): Located | undefined {
  let at: Located = from;
  for (const step of steps) {
    const { value, node } = at;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    const child = typeof step === "number" ? node.items?.[step] : node.members?.get(step)?.value;
    if (!child) return undefined;
    at = { value: (value as Record<string | number, unknown>)[step], node: child };
  }
  return at;
}
