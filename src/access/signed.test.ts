import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { readDocument } from "./document.ts";
import type { AccessRequest } from "./request.ts";
import { signedLike } from "./signed.ts";

const options = { services: embeddedServices(), maxSteps: 10_000, maxStatements: 100 };
const arn = "arn:aws:iam::999999999999:role/example-role";
const unsigned: AccessRequest = {
  principal: { type: "Anonymous" },
  action: "kms:Decrypt",
  resource: "arn:aws:kms:us-east-1:111122223333:key/example",
  context: {
    "AWS:PrincipalAccount": ["anonymous"],
    "kms:ViaService": ["s3.us-east-1.amazonaws.com"],
  },
};

function signed(Condition: object, request = unsigned, Principal: unknown = "*") {
  const statement = { Effect: "Allow", Principal, Action: "kms:Decrypt", Resource: "*", Condition };
  const document = readDocument({ Version: "2012-10-17", Statement: [statement] }, "resource");
  return signedLike(request, document, "resource", options);
}

describe("a request of a role like one without a signature", () => {
  test("has the keys of the role that the document tests, as it writes them, and keeps the others", () => {
    const found = signed({
      StringLike: { "AWS:PrincipalAccount": "*", "aws:userid": "AROA*", "kms:ViaService": "s3.*" },
      StringEquals: { "aws:PrincipalType": "AssumedRole" },
      ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" },
      Bool: { "aws:PrincipalIsAWSService": "false" },
    });
    expect(found).toEqual({
      ...unsigned,
      principal: { type: "AWS", arn, session: "example-session" },
      context: {
        "AWS:PrincipalAccount": ["999999999999"],
        "aws:userid": ["AROAEXAMPLE:example-session"],
        "kms:ViaService": ["s3.us-east-1.amazonaws.com"],
        "aws:PrincipalType": ["AssumedRole"],
        "aws:PrincipalArn": [arn],
        "aws:PrincipalIsAWSService": ["false"],
      },
    });
  });

  test("leaves out keys that the document does not test", () => {
    expect(signed({ StringLike: { "kms:ViaService": "*" } })?.context).toEqual({
      "kms:ViaService": ["s3.us-east-1.amazonaws.com"],
    });
  });

  test("is of an account that the document does not name", () => {
    const found = signed({ StringNotEquals: { "aws:PrincipalAccount": "999999999999" } });
    expect(found?.context["aws:PrincipalAccount"]).toEqual(["888888888888"]);
    const both = { "aws:PrincipalAccount": ["999999999999", "888888888888"] };
    expect(signed({ StringNotEquals: both })).toBeNull();
  });

  test.each([
    ["the document does not allow it", { StringEquals: { "aws:PrincipalType": "Anonymous" } }],
    ["it has to be of an organization", { Null: { "aws:PrincipalOrgID": "false" } }],
  ])("is null where %s", (_name, condition) => {
    expect(signed(condition)).toBeNull();
  });

  test("is null for a request with a signature", () => {
    const principal = { type: "AWS", arn, session: "a" } as const;
    expect(signed({}, { ...unsigned, principal })).toBeNull();
  });
});
