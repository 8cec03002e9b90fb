/** Deeper than any message of the protocol. Policies have a separate limit. */
export const maxMessageDepth = 150;

/**
 * @param limit Levels of arrays and objects inside the outermost one.
 * @returns Whether the value is too deep for recursive code.
 */
export function isTooDeep(value: unknown, limit = maxMessageDepth): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const one of level) {
      for (const member of Object.values(one)) if (isContainer(member)) next.push(member);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
