import type { Container } from "../types.ts";
import { readPlaces } from "./read.ts";
import { isTemplate } from "./template.ts";

/** `Fn::Sub` leaves `${!name}` in the text as `${name}`. */
const policyVariable = /\$\{([a-z][A-Za-z0-9.-]*:[^}]*)\}/g;

/** Templates of CloudFormation and SAM, and those that the CDK synthesizes. */
export const cloudformation: Container = {
  kind: "cloudformation",
  recognises: isTemplate,
  read: (source, reading) => readPlaces(source, reading),
  write: (shown) => ({ "Fn::Sub": shown.replace(policyVariable, "${!$1}") }),
};
