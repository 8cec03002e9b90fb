import type { Place } from "./literals.ts";
import { sharedProvider } from "./shared-providers.ts";

/** One sentence on what stopped the proof. */
export function undecidedText({ construct, text, key }: Place): string {
  const where = key === null ? "" : ` of the condition on \`${key}\``;
  switch (construct) {
    case "budget":
      return "The question takes more steps than max_steps allows.";
    case "invalid_statement":
      return "A statement cannot be read: an element is missing, repeated in two forms, or of a wrong type.";
    case "unknown_operator":
      return `The condition operator \`${text}\` is not known.`;
    case "invalid_value":
      return `A value${where} cannot be read by the operator \`${text}\`.`;
    case "mixed_operators":
      return `The operator \`${text}\` does not fit the type of the key \`${key ?? ""}\`.`;
    case "arn_pattern":
      return `A value${where} is not an ARN of six fields, which the operator \`${text}\` compares.`;
    case "set_operator_missing":
      return "A key that may have several values is tested without a set operator, and AWS does not say what that means.";
    case "not_principal":
      return "A `NotPrincipal` lists some identities of a caller and not all; AWS may decide either way.";
    case "canonical_user":
      return "Whether a canonical user belongs to an account that the document names is not known.";
    case "policy_variable":
      return "The answer depends on the value of a policy variable, and no value was found that settles it.";
    case "placeholder":
      return "The answer depends on the text of a template's placeholder.";
    case "too_many_leaves":
      return "Many kinds of requests may show a difference, and none of those tried does.";
    default:
      return sharedProvider(construct)
        ? `How the provider \`${construct}\` writes its customers into the subject is not known.`
        : "A request was found that may show a difference, and it could not be confirmed.";
  }
}
