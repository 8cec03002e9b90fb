import type { AccessAnswer } from "../../spec/access.ts";
import type { LeanFinding } from "../../spec/finding.ts";
import { emptyPolicy } from "../access/absent.ts";
import type { PolicyDocument } from "../policy/model.ts";
import type { Doubt, VersionComparison } from "./comparison.ts";
import { StandIn } from "./stand-in.ts";
import type { Engine } from "./types.ts";
import { type PlaceToValidate, typeOf, type Validate } from "./validate-place.ts";

/** The answer to a comparison, and what it found. */
export interface ComparisonResult<Finding extends LeanFinding> {
  readonly answer: AccessAnswer;
  readonly findings: readonly Finding[];
}

/** Asks whether a document allows more than another. */
export type Ask<Finding extends LeanFinding> = (
  document: PolicyDocument,
  about: { readonly baseline?: PolicyDocument; readonly comparison?: VersionComparison },
) => Promise<ComparisonResult<Finding>>;

/** Asks one question as the policy of a place. */
export function askingAs<Finding extends LeanFinding>(
  input: PlaceToValidate,
  engine: Engine,
  validate: Validate<Finding>,
  signal: AbortSignal | undefined,
): Ask<Finding> {
  const { name, label, place } = input;
  const { service, network } = place;
  const common = { name, label, fixes: false, exceptions: false, service, network };
  const ask: Ask<Finding> = async (document, about) => {
    const submitted = { ...common, ...typeOf(place, input), document, ...about };
    const { answers, findings } = await validate(submitted, engine, signal);
    const [answer] = answers;
    if (answer) return { answer, findings };
    if (about.comparison?.kind === "undecided") throw new Error("no question can be asked");
    // A document that cannot be read, or a check that has failed, which has a finding.
    const comparison = { kind: "undecided", by: unreadable } as const;
    const undecided = await ask(new StandIn(place, input.lines, emptyPolicy), { comparison });
    return { ...undecided, findings: [...findings, ...undecided.findings] };
  };
  return ask;
}

/** The policy, or its earlier version, is not one. */
export const unreadable: Doubt = {
  construct: "not_read",
  side: "policy",
  text: "The policy, or its earlier version, is not a document that can be read.",
};
