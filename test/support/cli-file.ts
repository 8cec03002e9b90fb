/**
 * The command that tests start as a process: the bundle that `test/contract/global-setup.ts` builds,
 * as users run it, else the sources.
 */
export const cli =
  process.env.VALIDATOR_TEST_CLI ?? new URL("../../src/cli.ts", import.meta.url).pathname;
