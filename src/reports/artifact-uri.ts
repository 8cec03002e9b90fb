/**
 * A relative URI reference for a label, which may be any text. It has no scheme, host, query or
 * fragment and stays below its base: empty and `.` segments are dropped, `..` becomes `__`.
 * @param fallback Used if nothing of the label is left.
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

/** @returns The URL if it is HTTP or HTTPS, else undefined. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
