/** The same as `engines` in package.json. */
const oldest = [22, 18] as const;

/**
 * Older releases lack language features that the checks use, so checks would fail while validating.
 * @param version For example `24.21.0`.
 * @returns A message for the user; undefined if the release is supported.
 */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld
    ? `validator-mcp needs Node ${oldest.join(".")} or newer; this is ${version}.`
    : undefined;
}
