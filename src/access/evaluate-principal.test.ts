import { describe, expect, test } from "vitest";
import { readDocument } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import type { RequestPrincipal } from "./request.ts";

const keys = { get: () => ({ family: "text", isMultivalued: false }) as const };

const role = "arn:aws:iam::111122223333:role/team/app";
const user = "arn:aws:iam::111122223333:user/alice";
const root = "arn:aws:iam::111122223333:root";
const session = "arn:aws:sts::111122223333:assumed-role/app/build";
const google = "accounts.google.com";

const callers: Readonly<Record<string, RequestPrincipal>> = {
  role: { type: "AWS", arn: role, session: "build" },
  user: { type: "AWS", arn: user },
  root: { type: "AWS", arn: root },
  stranger: { type: "AWS", arn: "arn:aws:iam::444455556666:role/app", session: "build" },
  service: { type: "Service", name: "sns.amazonaws.com" },
  federated: { type: "Federated", name: google },
  canonical: { type: "CanonicalUser", name: "79a59d" },
  anonymous: { type: "Anonymous" },
};

/** The callers that an element matches, and those for whom that is not known. */
function matched(element: object): { readonly yes: string; readonly maybe: string } {
  const raw = {
    Version: "2012-10-17",
    Statement: { Effect: "Allow", Action: "*", Resource: "*", ...element },
  };
  const document = readDocument(raw, "resource");
  const having = (wanted: string) =>
    Object.keys(callers)
      .filter((name) => {
        const principal = callers[name];
        if (!principal) return false;
        const request = { principal, action: "s3:GetObject", resource: "*", context: {} };
        return evaluate(document, "resource", request, keys).statements[0]?.outcome === wanted;
      })
      .join(" ");
  return { yes: having("yes"), maybe: having("maybe") };
}

const everyone = "role user root stranger service federated canonical anonymous";

describe("Principal", () => {
  test.each([
    ["the star", "*", everyone],
    ["the star of AWS, which means everyone", { AWS: "*" }, everyone],
    ["every service", { Service: "*" }, "service"],
    ["one service", { Service: "sns.amazonaws.com" }, "service"],
    ["another service", { Service: "sqs.amazonaws.com" }, ""],
    ["every provider", { Federated: "*" }, "federated"],
    ["one provider", { Federated: google }, "federated"],
    ["another provider", { Federated: "graph.facebook.com" }, ""],
    ["a canonical user", { CanonicalUser: "79a59d" }, "canonical"],
    ["another canonical user", { CanonicalUser: "79a59e" }, ""],
    ["a provider's name in place of a service's", { Service: google }, ""],
  ])("%s", (_, Principal, yes) => {
    expect(matched({ Principal })).toEqual({ yes, maybe: "" });
  });

  test.each([
    ["an account", "111122223333", "role user root"],
    ["an account by its root ARN", root, "role user root"],
    ["the root ARN of another partition", root.replace("aws", "aws-cn"), "role user root"],
    ["an account with a digit more", "1111222233334", ""],
    ["an account with a letter in front", "x111122223333", ""],
    ["an account with a letter behind", "111122223333x", ""],
    ["a root ARN with a digit too few", "arn:aws:iam::11112222333:root", ""],
    ["a root ARN with a digit too many", "arn:aws:iam::1111222233334:root", ""],
    ["a root ARN of another service", "arn:aws:s3::111122223333:root", ""],
    ["a root ARN with a Region", "arn:aws:iam:us-east-1:111122223333:root", ""],
    ["a root ARN that is none", "urn:aws:iam::111122223333:root", ""],
    ["a root ARN with a further field", "arn:aws:iam::111122223333:root:x", ""],
    [
      "a root ARN as a pattern, which is the root user's own",
      "arn:a*:iam::111122223333:root",
      "root",
    ],
    ["a role", role, "role"],
    ["a role by another path", "arn:aws:iam::111122223333:role/app", ""],
    ["roles by a pattern", "arn:aws:iam::111122223333:role/*", "role"],
    ["a user", user, "user"],
    ["a session", session, "role"],
    ["another session of the role", session.replace("build", "deploy"), ""],
    ["a session of another role", session.replace("app", "other"), ""],
    ["a session in another account", session.replace("1111", "5555"), ""],
    ["a session in another partition", session.replace("aws", "aws-cn"), ""],
    ["a session of IAM, which does not exist", session.replace("sts", "iam"), ""],
    ["a session with a Region", session.replace("sts::", "sts:us-east-1:"), ""],
    ["a session with a further part", `${session}/x`, ""],
    ["a session without a name", session.replace("build", ""), ""],
    ["a session without a role", session.replace("app", ""), ""],
    ["a session of a role's kind", session.replace("assumed-role", "role"), ""],
    ["a session of a federated user", "arn:aws:sts::111122223333:federated-user/build", ""],
  ])("%s", (_, AWS, yes) => {
    expect(matched({ Principal: { AWS } })).toEqual({ yes, maybe: "canonical" });
  });

  test("one of several entries is enough", () => {
    const Principal = { AWS: [user, role], Service: ["sqs.amazonaws.com", "sns.amazonaws.com"] };
    expect(matched({ Principal })).toEqual({ yes: "role user service", maybe: "canonical" });
  });

  test("a canonical user is found beside an account that might be its own", () => {
    const Principal = { AWS: "111122223333", CanonicalUser: "79a59d" };
    expect(matched({ Principal })).toEqual({ yes: "role user root canonical", maybe: "" });
  });
});

describe("NotPrincipal", () => {
  const others = "stranger service federated";

  test.each([
    ["the star", { AWS: "*" }, "", ""],
    ["the star beside an account", { AWS: ["111122223333", "*"] }, "", ""],
    [
      "a service",
      { Service: "sns.amazonaws.com" },
      "role user root stranger federated canonical anonymous",
      "",
    ],
    [
      "every service",
      { Service: "*" },
      "role user root stranger federated canonical anonymous",
      "",
    ],
    ["another service", { Service: "sqs.amazonaws.com" }, everyone, ""],
    [
      "a canonical user",
      { CanonicalUser: "79a59d" },
      "role user root stranger service federated anonymous",
      "",
    ],
    [
      "an account alone: of a role or user only one of the identities",
      { AWS: "111122223333" },
      `${others} anonymous`,
      "role user canonical",
    ],
    ["account and user", { AWS: ["111122223333", user] }, `${others} anonymous`, "role canonical"],
    [
      "account and role, but not its session",
      { AWS: ["111122223333", role] },
      `${others} anonymous`,
      "role user canonical",
    ],
    [
      "account, role and session",
      { AWS: ["111122223333", role, session] },
      `${others} anonymous`,
      "user canonical",
    ],
    [
      "account, role and another session",
      { AWS: ["111122223333", role, session.replace("build", "deploy")] },
      `${others} anonymous`,
      "role user canonical",
    ],
    ["a user alone", { AWS: user }, `role root ${others} anonymous`, "user canonical"],
    ["the session alone", { AWS: session }, `user root ${others} anonymous`, "role canonical"],
    [
      "a pattern that takes the root user",
      { AWS: "arn:aws:iam::*:root" },
      `role user ${others} anonymous`,
      "canonical",
    ],
    [
      "a role's pattern",
      { AWS: "arn:aws:iam::1*:role/*" },
      `user root ${others} anonymous`,
      "role canonical",
    ],
  ])("%s", (_, NotPrincipal, yes, maybe) => {
    expect(matched({ NotPrincipal })).toEqual({ yes, maybe });
  });

  test("a canonical user is left out by its own entry, whatever else is listed", () => {
    const NotPrincipal = { AWS: "111122223333", CanonicalUser: "79a59d" };
    expect(matched({ NotPrincipal })).toEqual({
      yes: "stranger service federated anonymous",
      maybe: "role user",
    });
  });
});
