/** The part of z3-solver that is used. */
interface LowLevel {
  readonly Z3: {
    mk_config(): number;
    mk_context(config: number): number;
    eval_smtlib2_string(context: number, script: string): Promise<string>;
  };
}

export interface Solver {
  /** @returns `sat`, `unsat`, or another word where the solver gives up. */
  check(script: string): Promise<string>;
}

/** Most time for one pair, in milliseconds. */
const timeout = 3_000;

/** @returns null where z3-solver is not installed. */
export async function loadSolver(): Promise<Solver | null> {
  // A name that the compiler does not follow: the package is there only after it is asked for.
  const name: string = "z3-solver";
  let module: { init(): Promise<LowLevel> };
  try {
    module = await import(name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
      return null;
    }
    throw error;
  }
  const { Z3 } = await module.init();
  const context = Z3.mk_context(Z3.mk_config());
  return {
    check: async (script) => {
      const said = await Z3.eval_smtlib2_string(
        context,
        `(reset)\n(set-option :timeout ${timeout})\n${script}`,
      );
      return said.trim();
    },
  };
}
