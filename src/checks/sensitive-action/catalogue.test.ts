import { describe, expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import {
  sensitiveActionIgnoringCase,
  sensitiveActionOf,
  sensitiveCategories,
} from "./catalogue.ts";
import { combinations } from "./combinations.ts";

const all = sensitiveCategories.flatMap(({ actions }) => actions);

describe("the list of sensitive actions", () => {
  test("has 611 actions in four categories, 13 of them in two", () => {
    expect(sensitiveCategories.map(({ id, actions }) => [id, actions.length])).toEqual([
      ["credential_exposure", 73],
      ["data_access", 124],
      ["priv_esc", 82],
      ["resource_exposure", 342],
    ]);
    expect(new Set(all).size).toBe(611);
  });

  test("finds an action by its very name, in the first of its categories", () => {
    const entry = {
      category: "credential_exposure",
      severity: "critical",
      name: "Credential Exposure",
    };
    expect(sensitiveActionOf("iam:CreateAccessKey")).toEqual(entry);
    expect(sensitiveActionOf("iam:createaccesskey")).toBeUndefined();
    expect(sensitiveActionIgnoringCase("IAM:createaccesskey")).toEqual(entry);
    expect(sensitiveActionOf("sts:GetSessionToken")).toEqual({ ...entry, severity: "medium" });
    expect(sensitiveActionOf("codeartifact:GetAuthorizationToken")).toMatchObject({
      severity: "medium",
    });
    expect(sensitiveActionOf("sts:AssumeRole")).toBeUndefined();
    expect(sensitiveActionOf("secretsmanager:BatchGetSecretValue")).toBeUndefined();
    expect(sensitiveActionOf("toString")).toBeUndefined();
  });

  test.each([
    ["signin:CreateOAuth2Token", "credential_exposure", "medium"],
    ["codebuild:DeleteSourceCredentials", "resource_exposure", "medium"],
    ["codebuild:ImportSourceCredentials", "credential_exposure", "critical"],
    ["chime:DeleteVoiceConnectorTerminationCredentials", "resource_exposure", "medium"],
    ["lightsail:CreateBucketAccessKey", "credential_exposure", "critical"],
    ["lightsail:GetInstanceAccessDetails", "credential_exposure", "critical"],
    ["grafana:CreateWorkspaceServiceAccountToken", "credential_exposure", "critical"],
    ["bedrock-agentcore:GetWorkloadAccessTokenForJWT", "credential_exposure", "critical"],
    ["bedrock-agentcore:GetWorkloadAccessTokenForUserId", "credential_exposure", "critical"],
    ["connect:AdminGetEmergencyAccessToken", "credential_exposure", "critical"],
    ["sso-directory:CreateBearerToken", "credential_exposure", "critical"],
    ["rds-data:BatchExecuteStatement", "data_access", "medium"],
    ["redshift-data:BatchExecuteStatement", "data_access", "medium"],
    ["s3vectors:QueryVectors", "data_access", "medium"],
    ["kinesis:SubscribeToShard", "data_access", "medium"],
    ["ebs:GetSnapshotBlock", "data_access", "medium"],
    ["sso:AttachCustomerManagedPolicyReferenceToPermissionSet", "priv_esc", "critical"],
    ["sso:DeletePermissionsBoundaryFromPermissionSet", "priv_esc", "critical"],
    ["sso:PutPermissionsBoundaryToPermissionSet", "priv_esc", "critical"],
    ["rolesanywhere:UpdateTrustAnchor", "priv_esc", "critical"],
    ["organizations:DisablePolicyType", "priv_esc", "critical"],
    ["ssm:CreateAssociationBatch", "priv_esc", "critical"],
    ["ssm:UpdateAssociation", "priv_esc", "critical"],
    ["codebuild:StartBuildBatch", "priv_esc", "critical"],
    ["codebuild:StartCommandExecution", "priv_esc", "critical"],
    ["codebuild:StartSandboxConnection", "priv_esc", "critical"],
    ["ds-data:AddGroupMember", "priv_esc", "critical"],
    ["kms:DeleteImportedKeyMaterial", "resource_exposure", "high"],
    ["ssm:DeleteParameters", "resource_exposure", "high"],
    ["rds:ModifyDBClusterSnapshotAttribute", "resource_exposure", "high"],
    ["ec2:DisableSnapshotBlockPublicAccess", "resource_exposure", "high"],
    ["cloudtrail:StopEventDataStoreIngestion", "resource_exposure", "high"],
    ["securityhub:DisableSecurityHubV2", "resource_exposure", "high"],
    ["organizations:CloseAccount", "resource_exposure", "high"],
    ["iam:UpdateAccountEmailAddress", "resource_exposure", "high"],
  ])("has %s as %s, %s", (name, category, severity) => {
    expect(sensitiveActionOf(name)).toMatchObject({ category, severity });
  });

  test("has names that AWS has, in AWS's spelling", async () => {
    const services = embeddedServices();
    const names = [...all, ...combinations.flatMap(({ allOf }) => allOf)];
    await services.load(new Set(names.map((name) => name.split(":", 1)[0] ?? "")));
    const unknown = names.filter((name) => {
      const [prefix = "", action = ""] = name.split(":");
      return services.get(prefix)?.action(action)?.qualified !== name;
    });
    expect(unknown).toEqual([]);
  });
});
