import { awslambda } from "validator-mcp/awslambda";

/** The function's handler is named `iam_validator.mcp.awslambda.handler`: this module, then this path. */
export const mcp = { awslambda };

// Under the runtime client the handler is read as soon as this module is there, but not waited for.
// Waiting here makes start-up part of the initialization, and its failure an initialization error.
if (process.env.AWS_LAMBDA_RUNTIME_API && process.env._HANDLER?.startsWith("iam_validator.")) {
  await awslambda.ready();
}
