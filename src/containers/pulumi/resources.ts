import { type PolicyAttribute, policyAttributes, resourceTypes } from "../terraform/attributes.ts";

/** Types of resources of Terraform by their letters alone. */
const byLetters: ReadonlyMap<string, string> = new Map(
  [...resourceTypes].map((type) => [type.replace(/^aws_/, "").replaceAll("_", ""), type]),
);

/**
 * The properties with a policy of a resource of the classic provider, which is made from Terraform's: `aws:iam:RolePolicy` and
 * `aws:iam/rolePolicy:RolePolicy` are `aws_iam_role_policy`.
 * https://www.pulumi.com/registry/packages/aws/
 */
export function resourceProperties(type: string): readonly PolicyAttribute[] {
  const [, module = "", kind = ""] =
    /^aws:([a-zA-Z0-9]+)(?:\/[a-zA-Z0-9]+)?:([a-zA-Z0-9]+)$/.exec(type) ?? [];
  const bare = kind.replace(/V2$/, "");
  const names = [`${module}${kind}`, `${module}${bare}`, kind, bare];
  const found = names.map((name) => byLetters.get(name.toLowerCase())).find((one) => one);
  return (found === undefined ? [] : policyAttributes(found)).map((attribute) => ({
    ...attribute,
    path: attribute.path.map(camelCase),
  }));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
