/** Nesting that no message of the protocol reaches; policies inside have a bound of their own. */
const maxMessageDepth = 150;

/** @returns whether arrays and objects nest deeper than recursive code should be given. */
export function isTooDeep(value: unknown, limit = maxMessageDepth): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      for (const member of Object.values(one)) {
        if (typeof member === "object" && member !== null) next.push(member);
      }
    }
    level = next;
  }
  return false;
}
