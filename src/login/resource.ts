/** @returns the address with scheme and host in lower case and without one last slash; other texts stay other texts. */
function normal(text: string): string {
  return text.replace(/^[^/?#]+:\/\/[^/?#]+/, (origin) => origin.toLowerCase()).replace(/\/$/, "");
}

/**
 * Whether all `resource` parameters of a request name this server (RFC 8707): its endpoint, or its base, which older
 * clients send.
 */
export function namesThisServer(resources: readonly string[], base: string): boolean {
  const own = [normal(base), normal(`${base}/mcp`)];
  return resources.every((resource) => own.includes(normal(resource)));
}
