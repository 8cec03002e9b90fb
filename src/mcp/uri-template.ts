/** @returns The variables of a URI that matches the template, else undefined. */
export type UriMatcher = (uri: string) => Readonly<Record<string, string>> | undefined;

/**
 * Matches the only form of template in use: fixed text, then one variable at the end that contains no
 * slash (RFC 6570, level 1).
 * @throws {TypeError} For any other template.
 */
export function uriMatcher(template: string): UriMatcher {
  const [, prefix, name] = /^([^{}]+)\{([a-z_]+)\}$/.exec(template) ?? [];
  if (prefix === undefined || name === undefined) {
    throw new TypeError(`Not a template of one trailing variable: ${template}`);
  }
  return (uri) => {
    if (!uri.startsWith(prefix)) return undefined;
    const raw = uri.slice(prefix.length);
    if (raw === "" || /[/?#]/.test(raw)) return undefined;
    try {
      return { [name]: decodeURIComponent(raw) };
    } catch {
      return undefined;
    }
  };
}
