import type { FixProposal } from "../../fixes/proposal.ts";
import type { Statement } from "../../policy/model.ts";
import { providerOf } from "../trust-policy-validation/providers.ts";
import { narrowedSubject } from "./fix.ts";
import { federatedProvider, widthOf } from "./providers.ts";
import { patternOf } from "./reach.ts";

/** The fix of a statement that strangers get into by the pattern of its subject alone, such as `repo:*`. */
export function narrowedPublicSubject({ principals, conditions }: Statement): FixProposal | null {
  const [only, ...others] = principals;
  if (only?.type !== "Federated" || others.length > 0) return null;
  const issuer = providerOf(only.text)?.name ?? null;
  if (issuer === null) return null;
  const subjects = conditions.filter(({ keyLower }) => keyLower === `${issuer.toLowerCase()}:sub`);
  const [entry, ...more] = subjects;
  const [value, ...values] = entry?.values ?? [];
  const { operator } = entry ?? {};
  if (!value || more.length > 0 || values.length > 0) return null;
  if (operator?.base.name !== "StringLike" || operator.ifExists) return null;
  const width = widthOf(patternOf(value.text), federatedProvider(issuer));
  return width?.reach === "tenants" ? narrowedSubject(value, width, issuer) : null;
}
