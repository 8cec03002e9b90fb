import type { Report } from "../../engine/check.ts";
import type { Policy, Statement } from "../../policy/model.ts";

/**
 * A permissions boundary and the policy of an endpoint allow what their Allow statements name, and nothing else.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html and
 * https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
 */
const limits: Readonly<Partial<Record<Policy["type"], string>>> = {
  PERMISSIONS_BOUNDARY: "A permissions boundary",
  ENDPOINT_POLICY: "The policy of an endpoint",
};

/** Reports a limit that has Denies only, unless it says itself that nothing is allowed. */
export function nothingAllowed({ type, statements }: Policy): Report | null {
  const what = limits[type];
  const [first] = statements;
  if (what === undefined || !first || !statements.every(({ denies }) => denies)) return null;
  if (statements.some(deniesAll) || statements.some(isAboutBoundaries)) return null;
  return {
    issue_type: "nothing_allowed",
    statement: first,
    field_name: "effect",
    node: first.at("Effect"),
    message: `${what} allows what its \`Allow\` statements name. This one has only \`Deny\` statements, so it allows nothing.`,
    suggestion: "Add an `Allow` statement for what remains allowed beside the Denies.",
  };
}

function deniesAll(statement: Statement): boolean {
  const { actions, resources } = statement;
  return (
    !statement.has("Condition") &&
    actions.some(({ text }) => /^\*+$/.test(text)) &&
    resources.some(({ text }) => /^\*+$/.test(text))
  );
}

/** A policy that protects boundaries may have the word in the name of its file, from which the type is taken. */
function isAboutBoundaries({ actions }: Statement): boolean {
  return actions.some(({ text }) => /permissionsboundary/i.test(text));
}
