/** Deeper than any message of the protocol. Policies have a separate limit. */
export const maxMessageDepth = 150;

/**
 * Goes no deeper than the limit, so a cyclic value counts as too deep and does not cause an endless loop.
 * @param limit Levels of arrays and objects inside the outermost one.
 * @returns Whether the value is too deep for recursive code.
 */
export function isTooDeep(value: unknown, limit = maxMessageDepth): boolean {
  return isContainer(value) && goesDeeper(value, limit);
}

function goesDeeper(container: object, levels: number): boolean {
  if (levels < 0) return true;
  if (Array.isArray(container)) {
    for (const member of container) {
      if (isContainer(member) && goesDeeper(member, levels - 1)) return true;
    }
    return false;
  }
  const members = container as Readonly<Record<string, unknown>>;
  // `Object.values` takes twice as long for an object with thousands of members.
  for (const name in members) {
    const member = members[name];
    if (isContainer(member) && goesDeeper(member, levels - 1)) return true;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
