import { expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { readDocument } from "./document.ts";
import { askPublic } from "./public.ts";
import { runQuestionSync } from "./run.ts";

const options = {
  services: embeddedServices(),
  maxSteps: 50_000,
  maxStatements: 10,
  extraTrustedKeys: [],
};

function verdictOf(Condition: object): string {
  const raw = {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: "*",
        Action: "execute-api:Invoke",
        Resource: "execute-api:/prod/*",
        Condition,
      },
    ],
  };
  return runQuestionSync(askPublic(readDocument(raw, "resource"), "resource", options)).verdict;
}

test.each([
  { StringEquals: { "aws:PrincipalOrgID": ["o-a1b2c3d4e5", "${aws:PrincipalOrgID}"] } },
  {
    StringEquals: {
      "aws:PrincipalTag/a": "${aws:PrincipalTag/b}",
      "aws:PrincipalTag/b": "${aws:PrincipalTag/a}",
    },
  },
])("a key that is compared with itself is answered: %j", (Condition) => {
  expect(verdictOf(Condition)).toBe("violated");
});

test("a witness for API Gateway's short form is the ARN of an API", () => {
  const statement = { Effect: "Allow", Principal: "*", Action: "execute-api:Invoke" };
  const raw = { Version: "2012-10-17", Statement: [{ ...statement, Resource: "execute-api:/*" }] };
  const answer = runQuestionSync(askPublic(readDocument(raw, "resource"), "resource", options));
  const { resource } = answer.violations[0]?.witness ?? {};
  expect(resource).toMatch(/^arn:aws:execute-api:[^:]+:\d{12}:[^/]+\//);
});

test("API Gateway's short form of a resource matches the ARN of the API", () => {
  expect(verdictOf({})).toBe("violated");
  expect(verdictOf({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } })).toBe("holds");
});
