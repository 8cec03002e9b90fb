const longest = 120;

const plain = /^[ -_a-~]*$/;

/** A value of the policy in back-ticks, cut where it is long; an empty one as two quotes. */
export function quoted(text: string): string {
  if (text === "") return '`""`';
  // Nearly all: printable ASCII but the back-tick.
  if (text.length <= longest && plain.test(text)) return `\`${text}\``;
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `\`${shown.replaceAll("`", "'").replaceAll(/\p{C}/gu, "?")}\``;
}

/** `a, b and c`. */
export function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
}

/** The texts of the first three, and how many more there are. */
export function firstFew<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  const shown = items.slice(0, 3).map(textOf);
  return items.length > 3 ? `${shown.join(", ")} and ${items.length - 3} more` : listed(shown);
}
