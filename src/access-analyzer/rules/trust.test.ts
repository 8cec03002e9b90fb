import { expect, test } from "vitest";
import { objectDocument } from "../../policy/document.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { issuesOf } from "../analyze.ts";

test("everyone in a role trust policy stands under AWS, beside a condition", async () => {
  const document = objectDocument({
    Version: "2012-10-17",
    Statement: {
      Effect: "Allow",
      Principal: "*",
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    },
  });
  const issues = await issuesOf(document, { type: "trust" }, embeddedServices());
  expect(issues).toContainEqual(
    expect.objectContaining({
      code: "ROLE_TRUST_POLICY_UNSUPPORTED_WILDCARD_IN_PRINCIPAL",
      details: expect.stringContaining('or write `{"AWS": "*"}` beside a condition'),
    }),
  );
});
