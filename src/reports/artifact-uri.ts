/**
 * A relative URI reference for a label that may be any text. It has no scheme, no host, no query and
 * no fragment, and does not climb: blank and `.` segments are left out, `..` becomes `__`.
 * @param fallback Used when nothing of the label is left.
 */
export function artifactUri(label: string, fallback: string): string {
  const segments = label
    .toWellFormed()
    .replaceAll("\\", "/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment) => (segment === ".." ? "__" : encodeURIComponent(segment)));
  return segments.length === 0 ? fallback : segments.join("/");
}

/** @returns the address itself when it is one of the web, else undefined. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
