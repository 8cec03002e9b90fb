/** As in `engines` of the manifest. */
const oldest = [22, 18] as const;

/**
 * Older releases lack parts of the language that the checks use: those would fail one by one, on policies.
 * @param version E.g. `24.21.0`.
 * @returns what to tell the user; undefined when the release will do.
 */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld
    ? `validator-mcp needs Node ${oldest.join(".")} or newer; this is ${version}.`
    : undefined;
}
