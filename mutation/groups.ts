/**
 * What is mutated, and the tests that have to notice. Paths from the root of the checkout. Tests are
 * the few that are about the code: with every suite a survivor would cost half a minute. Tests that
 * start a process of their own notice nothing, since it runs code without the mutant.
 */
export interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const groups: Readonly<Record<string, Group>> = {
  guard: {
    mutate: ["src/http/guard.ts"],
    tests: ["test/contract/guard.test.ts"],
  },
  digest: {
    mutate: ["src/config/digest.ts"],
    tests: ["src/config/**/*.test.ts"],
  },
};
