import {
  functionIn,
  items,
  member,
  members,
  type Part,
  type Resource,
  textOf,
} from "./template.ts";

/** A value at the end of a path, with the conditions on the way. */
export interface FoundPart {
  readonly part: Part;
  readonly path: readonly (string | number)[];
  /** As people write the path: `Policies[0].PolicyDocument`. */
  readonly address: string;
  readonly fixed: ReadonlyMap<string, boolean>;
}

/** Walks a property path, through lists, all members of an object (`*`) and both branches of `Fn::If`. */
export function* parts(properties: Part, path: string, resource: Resource): Generator<FoundPart> {
  const steps = path
    .split(".")
    .flatMap((step) => (step.endsWith("[]") ? [step.slice(0, -2), null] : [step]));
  const fixed = new Map<string, boolean>();
  if (resource.condition !== null) fixed.set(resource.condition, true);
  const start = { part: properties, path: resource.path, address: "", fixed };
  yield* walk(start, steps, 0);
}

function* walk(
  at: FoundPart,
  steps: readonly (string | null)[],
  nesting: number,
): Generator<FoundPart> {
  if (nesting > 20) return;
  const call = functionIn(at.part);
  if (call?.name === "Fn::If") {
    const [condition, ...branches] = items(call.argument);
    const name = textOf(condition?.value);
    for (const [index, branch] of branches.slice(0, 2).entries()) {
      if (functionIn(branch)?.argument.value === "AWS::NoValue" || name === null) continue;
      const known = at.fixed.get(name);
      if (known !== undefined && known !== (index === 0)) continue;
      const fixed = new Map([...at.fixed, [name, index === 0] as const]);
      const path = [...at.path, "Fn::If", index + 1];
      yield* walk({ ...at, part: branch, path, fixed }, steps, nesting + 1);
    }
    return;
  }
  const [step, ...rest] = steps;
  if (step === undefined) {
    yield at;
  } else if (step === null) {
    // SAM takes one value in place of a list.
    if (!Array.isArray(at.part.value)) {
      yield* walk(at, rest, nesting + 1);
      return;
    }
    for (const [index, part] of items(at.part).entries()) {
      const path = [...at.path, index];
      yield* walk({ ...at, part, path, address: `${at.address}[${index}]` }, rest, nesting + 1);
    }
  } else if (step === "*") {
    for (const [name, part] of call ? [] : members(at.part)) {
      const path = [...at.path, name];
      yield* walk({ ...at, part, path, address: `${at.address}.${name}` }, rest, nesting + 1);
    }
  } else {
    const part = member(at.part, step);
    const address = at.address === "" ? step : `${at.address}.${step}`;
    if (part) yield* walk({ ...at, part, path: [...at.path, step], address }, rest, nesting + 1);
    else if (call && call.name !== "Condition" && !step.startsWith("x-amazon-")) {
      // The rest of the path is the value of a function. An API description may have no policy.
      yield { ...at, address };
    }
  }
}
