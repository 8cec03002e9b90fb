import { replaceClosed } from "../../closed-braces.ts";
import { withVariables } from "../serverless/variables.ts";
import type { Container } from "../types.ts";
import { readPlaces } from "./read.ts";
import { isTemplate } from "./template.ts";

/** `Fn::Sub` leaves `${!name}` in the text as `${name}`. */
const policyVariable = /\$\{([a-z][A-Za-z0-9.-]*:[^}]*)\}/g;

/** Templates of CloudFormation and SAM, and those that the CDK synthesizes. */
export const cloudformation: Container = {
  kind: "cloudformation",
  recognises: isTemplate,
  read: (source, reading) => readPlaces(withVariables(source, reading), reading),
  write: writeSub,
};

/** A text with `${name}` for unknown values, as a template writes it. */
export function writeSub(shown: string): unknown {
  return { "Fn::Sub": replaceClosed(shown, policyVariable, "${!$1}") };
}
