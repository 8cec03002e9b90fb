import type { z } from "zod";
import type { StartupErrorKind, ToolErrorKind } from "../../spec/errors.ts";
import { StartupError, ToolError } from "../errors.ts";
import { problemsOf } from "../schema-problems.ts";

export type ValidatorErrorCode = StartupErrorKind | ToolErrorKind;

/**
 * What a program must correct: an option, the config, or a policy over its limit. Faults of a policy
 * are findings and never errors.
 */
export class ValidatorError extends Error {
  override name = "ValidatorError";
  /** E.g. `config_invalid`, `unknown_policy_type`, `policy_too_large`. */
  readonly code: ValidatorErrorCode;

  constructor(code: ValidatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * @param error Of the engine or the config, which name a policy by its place in a call.
 * @returns The error for the program; other errors as they are.
 */
export function forProgram(error: unknown): unknown {
  if (!(error instanceof StartupError || error instanceof ToolError)) return error;
  const message = error.message
    .replaceAll(/policies\[0\]\.(baseline|name|policy_type)/g, "$1")
    .replaceAll(/policies\[0\](?:\.policy)?/g, "the policy");
  return new ValidatorError(error.kind, message, { cause: error });
}

/** @returns The error for options that do not fit their schema. */
export function invalidOptions(error: z.ZodError): ValidatorError {
  const faults = problemsOf(error.issues).map(({ path, message }) =>
    [path.map(String).join("."), message].filter(Boolean).join(": "),
  );
  return new ValidatorError("invalid_arguments", `Invalid options: ${faults.join("; ")}.`);
}
