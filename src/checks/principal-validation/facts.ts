import type { PrincipalRequirement } from "./requirement.ts";

/**
 * A statement for everyone needs a limit of who calls, or from where. `no_public_access` decides the
 * same exactly; where it does, its answer replaces this requirement.
 */
export const publicAccess: PrincipalRequirement = {
  principals: ["*"],
  severity: "critical",
  required_conditions: {
    any_of: [
      "aws:SourceArn",
      "aws:SourceAccount",
      "aws:SourceVpce",
      "aws:SourceIp",
      "aws:SourceOrgID",
      "aws:SourceOrgPaths",
      "aws:PrincipalOrgID",
      "aws:PrincipalOrgPaths",
      "aws:SourceVpc",
      "aws:SourceVpcArn",
      "aws:VpceAccount",
      "aws:VpceOrgID",
      "aws:VpceOrgPaths",
      "aws:PrincipalAccount",
      "aws:PrincipalArn",
      "aws:userid",
      "aws:SourceOwner",
      "s3:DataAccessPointArn",
      "s3:DataAccessPointAccount",
      "kms:CallerAccount",
      "elasticfilesystem:AccessedViaMountTarget",
      "vpc-lattice-svcs:SourceVpc",
      "vpc-lattice-svcs:SourceVpcOwnerAccount",
    ].map((condition_key) => ({ condition_key })),
  },
};

/** A condition that is met by plain HTTP only lets plain HTTP in. */
const preventInsecureTransport: PrincipalRequirement = {
  principals: ["*", "arn:aws:iam::*:*"],
  severity: "critical",
  required_conditions: {
    none_of: [
      {
        condition_key: "aws:SecureTransport",
        expected_value: false,
        description:
          "This lets requests over plain HTTP in. Set `aws:SecureTransport` to `true`, or leave it out here and deny plain HTTP in a separate statement.",
      },
    ],
  },
};

/** Requirements that apply unless the config gives others. */
export const defaultPrincipalRequirements: readonly PrincipalRequirement[] = [
  publicAccess,
  preventInsecureTransport,
];
