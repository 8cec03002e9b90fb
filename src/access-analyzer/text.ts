const longest = 120;

/** A value of the policy in back-ticks, cut where it is long. */
export function quoted(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `\`${shown.replaceAll("`", "'").replaceAll(/\p{C}/gu, "?")}\``;
}

/** `a, b and c`. */
export function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
}
