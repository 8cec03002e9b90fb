import { globsOverlap } from "../../policy/wildcard.ts";

/** What the resource of a principal's ARN can be; a user or role may have a path. */
const principalResources = ["root", "user/*", "role/*"];

/**
 * Whether a pattern can match a value of `aws:PrincipalArn`. Compares the parts before the resource, and the resource with
 * those that principals have.
 */
export function mayBePrincipalArn(text: string): boolean {
  const [prefix = "", , service = "", , account = "", ...rest] = text.split(":");
  if (rest.length === 0) return true;
  if (/[*?]/.test(prefix + service)) return true;
  if (prefix !== "arn") return false;
  if (service === "iam" && !mayBeAccount(account)) return false;
  const resource = rest.join(":");
  const fits = (form: string) => globsOverlap(form, resource);
  if (service === "iam") return principalResources.some(fits);
  return service === "sts" && fits("federated-user/*");
}

function mayBeAccount(text: string): boolean {
  const characters = text.replaceAll("*", "");
  if (!/^[\d?]{0,12}$/.test(characters)) return false;
  return text.includes("*") || characters.length === 12;
}
