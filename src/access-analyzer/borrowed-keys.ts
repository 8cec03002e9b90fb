import { asciiLower } from "../ascii.ts";

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
