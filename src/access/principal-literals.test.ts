import { describe, expect, test } from "vitest";
import { tokenText } from "../../test/support/token-text.ts";
import { Budget, finish } from "./budget.ts";
import { type Caller, caller, readSessionArn, sessionCaller } from "./callers.ts";
import { type AccessType, readDocument } from "./document.ts";
import { type Literal, Terms } from "./literals.ts";
import { PrincipalReader } from "./principal-literals.ts";

const account = "111122223333";
const root = `arn:aws:iam::${account}:root`;
const role = `arn:aws:iam::${account}:role/app`;
const user = `arn:aws:iam::${account}:user/alice`;
const session = `arn:aws:sts::${account}:assumed-role/app/ci`;
/** The ARNs of an account's identities, in any partition. */
const ofAccount = `arn:*[:]:iam::${account}:*`;
const sns = "sns.amazonaws.com";
const google = "accounts.google.com";

function sessionOf(arn: string): Caller {
  const read = readSessionArn(arn);
  if (!read) throw new Error("not the ARN of a session");
  return sessionCaller(arn, read);
}

const callers: readonly Caller[] = [
  caller("role"),
  sessionOf(session),
  caller("user"),
  caller("root"),
  caller("service", sns),
  caller("federated", google),
  caller("canonical", "79a59d"),
  caller("anonymous"),
];

function read(
  element: object,
  by: Caller,
  type: AccessType = "resource",
  side: "policy" | "baseline" = "policy",
) {
  const raw = { Statement: [{ Effect: "Allow", Action: "*", Resource: "*", ...element }] };
  const [statement] = readDocument(raw, type).statements;
  if (!statement) throw new Error("no statement");
  const terms = new Terms();
  const reader = new PrincipalReader(terms, new Budget(100_000));
  const boxes = finish(reader.read({ side, statement, hasVariables: false }, by));
  return { boxes, dimensionOf: ({ dimension }: Literal) => terms.dimensions[dimension] };
}

/** What the element asks of a caller: "all" nothing, "none" what no request meets, else the literals of each box. */
function asked(element: object, by: Caller, type: AccessType = "resource"): string {
  const { boxes, dimensionOf } = read(element, by, type);
  const literals = (box: readonly Literal[]) =>
    box.map((literal) => {
      const dimension = dimensionOf(literal);
      const texts = literal.texts?.patterns.map(({ tokens }) => tokenText(tokens)).join(" | ");
      if (dimension?.family === "opaque") return dimension.doubt?.construct;
      const name = dimension?.name.replace("aws:principal", "");
      return `${name} ${literal.texts?.negated ? "not " : ""}${texts}`;
    });
  if (boxes.length === 0) return "none";
  return boxes.map((box) => literals(box).join(" and ") || "all").join(" or ");
}

/** By kind of caller; those of whom the same is asked together. */
function byKind(element: object, type: AccessType = "resource"): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const by of callers) {
    const said = asked(element, by, type);
    found[said] = found[said] === undefined ? by.kind : `${found[said]} ${by.kind}`;
  }
  return found;
}

const identities = "role session user root";
const strangers = "service federated anonymous";

describe("Principal", () => {
  test.each([
    ["everyone", "*", { all: `${identities} service federated canonical anonymous` }],
    [
      "everyone, as AWS",
      { AWS: "*" },
      { all: `${identities} service federated canonical anonymous` },
    ],
    [
      "a service",
      { Service: sns },
      { all: "service", none: `${identities} federated canonical anonymous` },
    ],
    [
      "every service",
      { Service: "*" },
      { all: "service", none: `${identities} federated canonical anonymous` },
    ],
    [
      "another service",
      { Service: "sqs.amazonaws.com" },
      { none: `${identities} service federated canonical anonymous` },
    ],
    [
      "a provider",
      { Federated: google },
      { all: "federated", none: `${identities} service canonical anonymous` },
    ],
    [
      "every provider",
      { Federated: "*" },
      { all: "federated", none: `${identities} service canonical anonymous` },
    ],
    [
      "another provider",
      { Federated: "graph.facebook.com" },
      { none: `${identities} service federated canonical anonymous` },
    ],
    [
      "a provider's name as a service",
      { Service: google, Federated: sns },
      { none: `${identities} service federated canonical anonymous` },
    ],
    [
      "a canonical user",
      { CanonicalUser: "79a59d" },
      { all: "canonical", none: `${identities} service federated anonymous` },
    ],
    [
      "a star as canonical user, which no caller is",
      { CanonicalUser: "*" },
      { none: `${identities} service federated canonical anonymous` },
    ],
    [
      "names of other kinds as AWS",
      { AWS: [sns, google, "79a59d"] },
      {
        [`arn ${sns} | ${google} | 79a59d`]: identities,
        [`@owner ${sns} | ${google} | 79a59d`]: "canonical",
        none: strangers,
      },
    ],
    ["an empty list", { AWS: [] }, { none: `${identities} service federated canonical anonymous` }],
  ])("%s", (_, Principal, expected) => {
    expect(byKind({ Principal })).toEqual(expected);
  });

  test.each([
    ["an account", account, ofAccount],
    ["an account by its root ARN", root, ofAccount],
    ["... of another partition", root.replace("aws", "aws-cn"), ofAccount],
    [
      "a root ARN with a wildcard as partition",
      `arn:*:iam::${account}:root`,
      `arn:*:iam::${account}:root`,
    ],
    ["... and in it", `arn:aw?:iam::${account}:root`, `arn:aw?:iam::${account}:root`],
    ["root ARNs of all accounts", "arn:aws:iam::*:root", "arn:aws:iam::*:root"],
    ["a digit more", `${account}4`, `${account}4`],
    ["a digit too few", account.slice(1), account.slice(1)],
    ["a root ARN with a further part", `${root}/x`, `${root}/x`],
    ["a text in front of a root ARN", `x${root}`, `x${root}`],
    ["a role", role, role],
    ["a user", user, user],
    ["roles by a pattern", `arn:aws:iam::${account}:role/**`, `arn:aws:iam::${account}:role/*`],
    ["... with thousands of wildcards", `${user}${"*".repeat(4_097)}b`, `${user}*b`],
    ["users by a pattern", `arn:aws:iam::${account}:user/a?*`, `arn:aws:iam::${account}:user/a?*`],
    ["an id", "AROAEXAMPLE", "AROAEXAMPLE"],
    ["what looks like a variable", "${aws:username}", "${aws:username}"],
    ["a session by a pattern", `${session.slice(0, -2)}*`, `${session.slice(0, -2)}*`],
    [
      "a session of a role by a pattern",
      session.replace("app", "a?p"),
      session.replace("app", "a?p"),
    ],
    [
      "a session without a name",
      `arn:aws:sts::${account}:assumed-role/app`,
      `arn:aws:sts::${account}:assumed-role/app`,
    ],
    ["a session with a further part", `${session}/x`, `${session}/x`],
    [
      "a session in a short account",
      session.replace("1111", "111"),
      session.replace("1111", "111"),
    ],
    ["a text in front of a session", `x${session}`, `x${session}`],
    [
      "a federated user",
      `arn:aws:sts::${account}:federated-user/ci`,
      `arn:aws:sts::${account}:federated-user/ci`,
    ],
  ])("%s", (_, AWS, arn) => {
    expect(byKind({ Principal: { AWS } })).toEqual({
      [`arn ${arn}`]: identities,
      [`@owner ${arn}`]: "canonical",
      none: strangers,
    });
  });

  test("a session is one kind of caller, and no ARN of another", () => {
    expect(byKind({ Principal: { AWS: session } })).toEqual({
      all: "session",
      none: `role user root service federated canonical anonymous`,
    });
    expect(asked({ Principal: { AWS: session } }, sessionOf(session.replace("ci", "cd")))).toBe(
      "none",
    );
    expect(asked({ Principal: { AWS: [session, user] } }, caller("role"))).toBe(`arn ${user}`);
  });

  test("a text that is longer than any ARN fits no caller", () => {
    const longest = `${user}*`.padEnd(4_096, "b");
    expect(asked({ Principal: { AWS: longest } }, caller("user"))).toBe(`arn ${longest}`);
    expect(asked({ Principal: { AWS: `${longest}b` } }, caller("user"))).toBe("none");
  });

  test("one of several entries is enough", () => {
    const Principal = { AWS: [user, account], Service: sns, CanonicalUser: "79a59d" };
    expect(byKind({ Principal })).toEqual({
      [`arn ${user} | ${ofAccount}`]: identities,
      all: "service canonical",
      none: "federated anonymous",
    });
  });

  test("the account of a canonical user is in doubt", () => {
    const { boxes, dimensionOf } = read(
      { Principal: { AWS: account } },
      caller("canonical", "79a59d"),
      "resource",
      "baseline",
    );
    expect(boxes.flat().map(dimensionOf)).toMatchObject([
      {
        name: "@owner",
        family: "text",
        isMultivalued: false,
        doubt: {
          construct: "canonical_user",
          path: "/Statement/0/Principal",
          side: "baseline",
          text: "79a59d",
          key: null,
        },
      },
    ]);
  });

  test("is not asked for where a policy has none", () => {
    const everybody = { all: `${identities} service federated canonical anonymous` };
    expect(byKind({}, "rcp")).toEqual(everybody);
    expect(byKind({}, "identity")).toEqual(everybody);
    expect(byKind({}, "scp")).toEqual(everybody);
  });

  test("is asked for in trust policies and resource control policies", () => {
    const expected = {
      [`arn ${role}`]: identities,
      [`@owner ${role}`]: "canonical",
      none: strangers,
    };
    expect(byKind({ Principal: { AWS: role } }, "trust")).toEqual(expected);
    expect(byKind({ Principal: { AWS: role } }, "rcp")).toEqual(expected);
  });
});

describe("NotPrincipal", () => {
  const all = `${identities} service federated canonical anonymous`;
  const doubt = "not_principal and arn ";

  test.each([
    ["everyone", "*", { none: all }],
    ["everyone beside others", { AWS: [role, "*"] }, { none: all }],
    [
      "a service",
      { Service: sns },
      { all: `${identities} federated canonical anonymous`, none: "service" },
    ],
    [
      "every service",
      { Service: "*" },
      { all: `${identities} federated canonical anonymous`, none: "service" },
    ],
    ["another service", { Service: "sqs.amazonaws.com" }, { all }],
    [
      "a provider",
      { Federated: google },
      { all: `${identities} service canonical anonymous`, none: "federated" },
    ],
    [
      "every provider",
      { Federated: "*" },
      { all: `${identities} service canonical anonymous`, none: "federated" },
    ],
    [
      "a canonical user",
      { CanonicalUser: "79a59d" },
      { all: `${identities} service federated anonymous`, none: "canonical" },
    ],
    ["an empty list", { AWS: [] }, { all }],
    [
      "an account, which is all that a root user is",
      { AWS: account },
      {
        [`arn not ${ofAccount} or ${doubt}${ofAccount}`]: "role session user",
        [`arn not ${ofAccount} or ${doubt}${ofAccount} and arn not ${ofAccount}`]: "root",
        [`@owner not ${ofAccount}`]: "canonical",
        all: strangers,
      },
    ],
    [
      "a user",
      { AWS: user },
      {
        [`arn not ${user} or ${doubt}${user}`]: "role session user",
        [`arn not ${user} or ${doubt}${user} and arn not ${user}`]: "root",
        [`@owner not ${user}`]: "canonical",
        all: strangers,
      },
    ],
    [
      "a user with its account",
      { AWS: [user, root] },
      {
        [`arn not ${ofAccount} | ${user} or ${doubt}${ofAccount} | ${user} and arn not ${user}`]:
          "user",
        [`arn not ${ofAccount} | ${user} or ${doubt}${ofAccount} | ${user}`]: "role session",
        [`arn not ${ofAccount} | ${user} or ${doubt}${ofAccount} | ${user} and arn not ${ofAccount} | ${user}`]:
          "root",
        [`@owner not ${user} | ${ofAccount}`]: "canonical",
        all: strangers,
      },
    ],
    [
      "a session alone",
      { AWS: session },
      { not_principal: "session", all: `role user root service federated canonical anonymous` },
    ],
    [
      "a session and a role of another account",
      { AWS: [session, role.replace("1111", "4444"), account] },
      {
        not_principal: "session",
        [`arn not ${ofAccount} | ${role.replace("1111", "4444")} or ${doubt}${ofAccount} | ${role.replace("1111", "4444")}`]:
          "role user",
        [`arn not ${ofAccount} | ${role.replace("1111", "4444")} or ${doubt}${ofAccount} | ${role.replace("1111", "4444")} and arn not ${ofAccount} | ${role.replace("1111", "4444")}`]:
          "root",
        [`@owner not ${role.replace("1111", "4444")} | ${ofAccount}`]: "canonical",
        all: strangers,
      },
    ],
    [
      "a session with its role and account",
      { AWS: [session, role, account] },
      {
        [`not_principal and arn not ${role}`]: "session",
        [`arn not ${ofAccount} | ${role} or ${doubt}${ofAccount} | ${role}`]: "role",
        [`arn not ${ofAccount} | ${role} or ${doubt}${ofAccount} | ${role} and arn not ${role}`]:
          "user",
        [`arn not ${ofAccount} | ${role} or ${doubt}${ofAccount} | ${role} and arn not ${ofAccount} | ${role}`]:
          "root",
        [`@owner not ${role} | ${ofAccount}`]: "canonical",
        all: strangers,
      },
    ],
  ])("%s", (_, NotPrincipal, expected) => {
    expect(byKind({ NotPrincipal })).toEqual(expected);
  });

  test("a canonical user is left out by its own entry alone", () => {
    const NotPrincipal = { AWS: account, CanonicalUser: "79a59d" };
    expect(asked({ NotPrincipal }, caller("canonical", "79a59d"))).toBe("none");
    expect(asked({ NotPrincipal }, caller("canonical", "79a59e"))).toBe(`@owner not ${ofAccount}`);
    expect(asked({ NotPrincipal: { Service: sns } }, caller("canonical", "79a59d"))).toBe("all");
  });

  test("what is in doubt stands in NotPrincipal, and is one thing for the same entries", () => {
    const doubts = (NotPrincipal: object, by = caller("role")) => {
      const { boxes, dimensionOf } = read({ NotPrincipal }, by, "resource", "baseline");
      return boxes
        .flat()
        .map(dimensionOf)
        .filter((dimension) => dimension?.doubt);
    };
    const [found] = doubts({ AWS: [role, account] });
    expect(found?.doubt).toEqual({
      construct: "not_principal",
      path: "/Statement/0/NotPrincipal",
      side: "baseline",
      text: "",
      key: null,
    });
    expect(doubts({ AWS: [account, role] })[0]?.name).toBe(found?.name);
    const names = [
      found,
      ...doubts({ AWS: [role] }),
      ...doubts({ AWS: [role, account] }, caller("user")),
      ...doubts({ AWS: [role], Service: account }),
    ].map((dimension) => dimension?.name);
    expect(new Set(names).size).toBe(4);
    const [owner] = doubts({ AWS: account }, caller("canonical", "79a59d"));
    expect(owner?.doubt?.path).toBe("/Statement/0/NotPrincipal");
  });
});
