import type { Action, Service } from "../../services/model.ts";

/**
 * Actions that work on a part of the type that the reference lists for them: roles of services have their own path, and
 * the calls of a search domain go to paths below it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-service-linked-role.html
 * https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html
 */
const narrower: ReadonlyMap<string, { readonly action: RegExp; readonly format: string }> = new Map(
  [
    [
      "iam",
      {
        action: /^iam:(?:(?:Create|Delete)ServiceLinkedRole|GetServiceLinkedRoleDeletionStatus)$/,
        format: "arn:${Partition}:iam::${Account}:role/aws-service-role/${ServicePrincipal}/*",
      },
    ],
    [
      "es",
      {
        action: /^es:ESHttp/,
        format: "arn:${Partition}:es:${Region}:${Account}:domain/${DomainName}/*",
      },
    ],
  ],
);

/** @returns whether some action of the service has such a format. */
export function hasNarrowerFormats({ prefix }: Service): boolean {
  return narrower.has(prefix);
}

/** @returns the format of the ARNs that the action works on, where it is narrower than that of its type. */
export function narrowerFormat({ qualified }: Action, { prefix }: Service): string | undefined {
  const own = narrower.get(prefix);
  return own?.action.test(qualified) ? own.format : undefined;
}
