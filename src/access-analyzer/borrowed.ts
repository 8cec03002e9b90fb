import { asciiLower } from "../ascii.ts";
import { globMatches } from "../policy/wildcard.ts";

/** Condition keys that the service reference lists under another service than that of their prefix; lower case. */
const owners: ReadonlyMap<string, string> = new Map([
  ["cognito-identity-auth:accountid", "cognito-identity"],
  ["cognito-identity-auth:identitypoolarn", "cognito-identity"],
  ["cognito-identity-unauth:accountid", "cognito-identity"],
  ["cognito-identity-unauth:identitypoolarn", "cognito-identity"],
  ["ec2:osuser", "ec2-instance-connect"],
  ["identitycenter:applicationarn", "sso"],
  ["identitycenter:instancearn", "sso"],
  ["identitystore:groupid", "q"],
  ["iot:jobid", "iotjobsdata"],
]);

/** @returns the service that lists the key; undefined for the many keys that the service of their prefix lists. */
export function ownerOfBorrowedKey(key: string): string | undefined {
  return owners.get(asciiLower(key));
}

/** Resource parts of ARNs that the service reference lists under another service than the one that they name. */
const resources: Readonly<Record<string, readonly string[]>> = {
  ecs: ["task/?*"],
  // That of a member account, which `sts:AssumeRoot` takes.
  iam: ["root", "contextProvider/?*"],
  qdeveloper: ["plugin/?*"],
};

/** @returns whether another service lists ARNs of this service with this resource part, which has no wildcard. */
export function isBorrowedResource(service: string, resource: string): boolean {
  return resources[service]?.some((pattern) => globMatches(pattern, resource)) === true;
}
