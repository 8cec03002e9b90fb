/** @returns the name in lower case with hyphens between its words, as placeholders are written. */
export function kebab(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2");
  return words.toLowerCase().replace(/[^a-z0-9_-]+/g, "-");
}
