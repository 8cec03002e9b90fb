const form = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]+)([^#]*)$/i;

/** @returns scheme and host in lower case and the rest without one last slash; other texts as they are. */
function normal(text: string): string {
  return text.replace(
    form,
    (_, origin: string, rest: string) => origin.toLowerCase() + rest.replace(/\/$/, ""),
  );
}

/**
 * Whether all `resource` parameters of a request name this server (RFC 8707): its endpoint, or its base, which older
 * clients send.
 */
export function namesThisServer(resources: readonly string[], base: string): boolean {
  const own = [normal(base), normal(`${base}/mcp`)];
  return resources.every((resource) => own.includes(normal(resource)));
}
