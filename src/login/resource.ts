const form = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^#]*)$/i;

/** @returns scheme and host in lower case and the rest without one last slash; undefined for no absolute URI. */
function normal(text: string): string | undefined {
  const [, scheme, host, rest = ""] = form.exec(text) ?? [];
  if (scheme === undefined || !host) return undefined;
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${rest.replace(/\/$/, "")}`;
}

/**
 * Whether all `resource` parameters of a request name this server (RFC 8707): its endpoint, or its base, which older
 * clients send.
 */
export function namesThisServer(resources: readonly string[], base: string): boolean {
  const own = [normal(base), normal(`${base}/mcp`)];
  return resources.every((resource) => {
    const wanted = normal(resource);
    return wanted !== undefined && own.includes(wanted);
  });
}
