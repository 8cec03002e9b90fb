import { expect, test } from "vitest";
import { failing, findingsByPlace } from "../../test/support/place-findings.ts";
import { filledValue } from "./filled-value.ts";

const cluster = (resource: string) => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
iam:
  serviceAccounts:
    - metadata: {name: jobs}
      attachPolicy:
        Version: "2012-10-17"
        Statement: [{Effect: Allow, Action: s3:GetObject, Resource: "${resource}"}]
`;

test("a placeholder in a policy that is an object is an unknown value", async () => {
  const findings = async (resource: string) =>
    failing((await findingsByPlace(cluster(resource), null))[0]?.findings ?? []);
  expect(await findings("${BUCKET_ARN}/*")).toEqual([]);
  expect(await findings("{{ arn }}/*")).toEqual([]);
  expect(await findings("bucket/*")).toContain("error resource_validation");
});

test("texts and names are filled in, and a document that is too large is refused", () => {
  const text = (one: string) => one.replace("x", "y");
  const filled = filledValue({ value: { ax: ["bx", 1, { c: "x" }] }, root: null }, { text });
  expect(filled?.value).toEqual({ ay: ["by", 1, { c: "y" }] });
  const nested = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], "x");
  expect(filledValue({ value: nested, root: null }, { text })).toBeNull();
});
