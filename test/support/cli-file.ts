/**
 * The command that tests start as a process: the bundle that `test/contract/global-setup.ts` builds,
 * as users run it, else the sources.
 */
export const cli =
  process.env.VALIDATOR_TEST_CLI ?? new URL("../../src/cli.ts", import.meta.url).pathname;

const folder = process.env.VALIDATOR_TEST_COMPILED;
/**
 * For the environment of processes that tests start: where Node keeps the code that it compiled for
 * the one before, a fifth of a start.
 * @see https://nodejs.org/docs/latest-v24.x/api/cli.html#node_compile_cachedir
 */
export const compiled: Readonly<Record<string, string>> = folder
  ? { NODE_COMPILE_CACHE: folder }
  : {};
