import { describe, expect, test } from "vitest";
import { tokenText } from "../../test/support/token-text.ts";
import { embeddedServices } from "../services/embedded.ts";
import { Budget, finish } from "./budget.ts";
import { type Caller, caller, split } from "./callers.ts";
import { type AccessType, readDocument } from "./document.ts";
import { everyRange } from "./intervals.ts";
import { QuestionKeys } from "./keys.ts";
import { type Literal, Terms } from "./literals.ts";
import type { Origin, Side } from "./origin.ts";
import { Variables } from "./read-pattern.ts";
import { StatementReader } from "./statements.ts";

const services = embeddedServices();
await services.load(new Set(["s3"]));

interface Setting {
  readonly by?: Caller;
  readonly type?: AccessType;
  readonly version?: string;
  readonly side?: Side;
  /** A further condition block of the question, which says more about its keys. */
  readonly also?: object;
}

/** A reader for one statement, and what it is asked about. */
function readerOf(element: object, setting: Setting = {}) {
  const {
    by = caller("role"),
    type = "identity",
    version = "2012-10-17",
    side = "policy",
  } = setting;
  const all = { Effect: "Allow", Action: "*" };
  const Statement = [
    { ...all, ...element },
    { ...all, Condition: setting.also ?? {} },
  ];
  const { statements, hasVariables } = readDocument({ Version: version, Statement }, type);
  const [statement] = statements;
  if (!statement?.readable) throw new Error("The statement cannot be read.");
  const keys = new QuestionKeys(
    statements.flatMap(({ conditions }) => conditions),
    services,
  );
  const terms = new Terms();
  const budget = new Budget(1_000_000);
  const reader = new StatementReader(terms, new Variables(), keys, budget);
  const origin: Origin = { side, statement, hasVariables };
  return { reader, terms, origin, by };
}

const bases = { one: "", some: "some of ", every: "every of ", plain: "all or one of " } as const;

function literalText(terms: Terms, { dimension, absentOk, quantifier, texts, ranges }: Literal) {
  const { name = "", family } = terms.dimensions[dimension] ?? {};
  const values = texts
    ? texts.patterns.map(({ tokens }) => tokenText(tokens)).join(" | ") || "nothing"
    : ranges?.length === 0
      ? "nothing"
      : ranges === everyRange
        ? "anything"
        : `${ranges?.length} range`;
  const shown = `${bases[quantifier]}${texts?.negated ? "not " : ""}${values}`;
  if (family === "opaque") return `in doubt: ${terms.dimensions[dimension]?.doubt?.construct}`;
  return `${name} ${shown}${absentOk ? ", or absent" : ""}`;
}

/** What a statement asks of requests: "all" nothing, "none" what no request meets. */
function asked(element: object, setting: Setting = {}): string {
  const { reader, terms, origin, by } = readerOf(element, setting);
  const boxes = finish(reader.boxes(origin, by));
  if (boxes.length === 0) return "none";
  return boxes
    .map(({ literals }) => literals.map((one) => literalText(terms, one)).join(" and ") || "all")
    .join(" or ");
}

const user = caller("user");
const service = caller("service", "sns.amazonaws.com");
const anonymous = caller("anonymous");

describe("resources", () => {
  test.each([
    ["no element", {}, "all"],
    ["the star", { Resource: "*" }, "all"],
    ["the star beside others", { Resource: ["arn:aws:s3:::a", "*"] }, "all"],
    ["an empty list", { Resource: [] }, "none"],
    ["all but nothing", { NotResource: [] }, "all"],
    ["all but everything", { NotResource: ["arn:aws:s3:::a", "*"] }, "none"],
    ["one", { Resource: "arn:aws:s3:::a/*" }, "@resource arn:aws:s3:::a/*"],
    ["by field", { Resource: "arn:*:s3:::a" }, "@resource arn:*[:]:s3:::a"],
    ["several", { Resource: ["arn:aws:s3:::a", "x"] }, "@resource arn:aws:s3:::a | x"],
    ["all others", { NotResource: ["arn:aws:s3:::a"] }, "@resource not arn:aws:s3:::a"],
  ])("%s", (_, element, expected) => {
    expect(asked(element)).toBe(expected);
  });

  test.each([
    [
      "stays open where any value may be there",
      "a/${aws:PrincipalTag/team}",
      {},
      "@resource a/{0}",
    ],
    [
      "is the value that a caller always has",
      "a/${aws:PrincipalType}",
      {},
      "@resource a/AssumedRole",
    ],
    ["... of a user", "a/${aws:PrincipalType}", { by: user }, "@resource a/User"],
    [
      "is the name of a service",
      "${aws:PrincipalServiceName}",
      { by: service },
      "@resource sns.amazonaws.com",
    ],
    ["matches nothing for a caller who lacks it", "a/${aws:username}", {}, "none"],
    ["... beside an entry that matches", ["a/${aws:username}", "b"], {}, "@resource b"],
    ["stays open for a caller who has it", "a/${aws:username}", { by: user }, "@resource a/{0}"],
    ["has its default for a caller who lacks it", "a/${aws:username, 'x*'}", {}, "@resource a/x*"],
    ["... which may be empty", "a/${aws:username, ''}", {}, "@resource a/"],
    [
      "has no default for a caller who has it",
      "a/${aws:username, 'x'}",
      { by: user },
      "@resource a/{1}",
    ],
    ["matches nothing with a key of several values", "a/${aws:TagKeys}", {}, "none"],
    ["... but has its default", "a/${aws:TagKeys, 'x'}", {}, "@resource a/x"],
    [
      "is plain text in another version",
      "a/${aws:username}",
      { version: "2008-10-17" },
      "@resource a/${aws:username}",
    ],
    [
      "of a template stays open in any version",
      "a/${Name}",
      { version: "2008-10-17" },
      "@resource a/{0}",
    ],
    ["of a template stays open for any caller", "a/${AWS::Region}", {}, "@resource a/{0}"],
  ])("a variable %s", (_, Resource, setting, expected) => {
    expect(asked({ Resource }, setting)).toBe(expected);
  });

  test("a value is known only of a caller who has the key", () => {
    const Resource = "a/${aws:PrincipalIsAWSService}";
    const by = caller("federated", "accounts.google.com");
    const key = new Set(["aws:principalisawsservice"]);
    const none = new Set<string>();
    expect(asked({ Resource }, { by })).toBe("@resource a/{0}");
    expect(asked({ Resource }, { by: split(by, key, none) })).toBe("@resource a/false");
    expect(asked({ Resource }, { by: split(by, none, key) })).toBe("none");
  });

  test.each([
    ["*****", "all"],
    ["arn:aws:s3:::*****/a", "@resource arn:aws:s3:::*/a"],
    ["a".repeat(4_096), `@resource ${"a".repeat(4_096)}`],
    ["a".repeat(4_097), "none"],
    ["*".repeat(4_097), "all"],
    [`arn:aws:s3:::${"*".repeat(4_097)}/a`, "@resource arn:aws:s3:::*/a"],
    [`${"*".repeat(4_097)}${"a".repeat(4_097)}`, "none"],
  ])("a text is as long as what it has beside repeated wildcards: %#", (Resource, expected) => {
    expect(asked({ Resource })).toBe(expected);
  });

  test("all but what a variable without a value names are all", () => {
    expect(asked({ NotResource: "a/${aws:username}" })).toBe("all");
    expect(asked({ NotResource: ["a/${aws:username}", "b"] })).toBe("@resource not b");
  });
});

describe("a condition about texts", () => {
  const tag = "aws:PrincipalTag/a";
  const name = "aws:principaltag/a";

  test.each([
    ["StringEquals", tag, ["x", "y"], `${name} x | y`],
    ["StringNotLike", tag, ["x*"], `${name} not x*, or absent`],
    ["StringEqualsIfExists", tag, ["x"], `${name} x, or absent`],
    ["StringEquals", tag, [], `${name} nothing`],
    ["StringNotEquals", tag, [], `${name} not nothing, or absent`],
    ["ForAnyValue:StringEquals", "aws:TagKeys", "x", "aws:tagkeys some of x"],
    ["ForAllValues:StringEquals", "aws:TagKeys", "x", "aws:tagkeys every of x, or absent"],
    ["StringEquals", "aws:TagKeys", "x", "aws:tagkeys all or one of x"],
    ["StringEquals", tag, "${aws:PrincipalTag/b}", `${name} {0}`],
    ["StringEquals", tag, "${aws:PrincipalTag/b, 'x'}", `${name} {1}`],
    ["StringEquals", tag, "${aws:PrincipalType}", `${name} AssumedRole`],
    ["StringEquals", tag, ["${aws:username}", "x"], `${name} x`],
    ["StringEquals", tag, "${aws:username}", `${name} nothing`],
    ["StringNotEquals", tag, "${aws:username}", `${name} not nothing, or absent`],
    ["StringEquals", tag, "${aws:TagKeys}", `${name} nothing`],
  ] as const)("%s %s %j", (operator, key, values, expected) => {
    expect(asked({ Condition: { [operator]: { [key]: values } } })).toBe(expected);
  });

  test("has no variables in another version", () => {
    const Condition = { StringEquals: { [tag]: "${aws:username}" } };
    expect(asked({ Condition }, { version: "2008-10-17" })).toBe(`${name} \${aws:username}`);
  });

  test("is one of several that all hold, after the resource", () => {
    const Condition = {
      StringEquals: { [tag]: "x", "s3:prefix": "y" },
      Bool: { "aws:SecureTransport": true },
    };
    expect(asked({ Resource: "a", Condition })).toBe(
      `@resource a and ${name} x and s3:prefix y and aws:securetransport <t><r><u><e>`,
    );
  });

  test("that never holds leaves no request, and one that always holds says nothing", () => {
    const never = { StringEquals: { "aws:username": "x" } };
    const always = { StringNotEquals: { "aws:username": "x" } };
    expect(asked({ Condition: never })).toBe("none");
    expect(asked({ Condition: { StringEquals: { [tag]: "x", "aws:username": "y" } } })).toBe(
      "none",
    );
    expect(asked({ Condition: { ...always, StringEquals: { [tag]: "x" } } })).toBe(`${name} x`);
    expect(asked({ Condition: always })).toBe("all");
  });
});

describe("a condition about a key that the caller never has", () => {
  test.each([
    ["StringEquals", "none"],
    ["StringNotEquals", "all"],
    ["StringEqualsIfExists", "all"],
    ["ForAllValues:StringEquals", "all"],
    ["ForAnyValue:StringNotEquals", "none"],
  ])("%s", (operator, expected) => {
    const Condition = { [operator]: { "aws:PrincipalOrgID": "o-a" } };
    expect(asked({ Principal: "*", Condition }, { type: "resource", by: service })).toBe(expected);
  });
});

describe("Null", () => {
  /** What a role's request may have, must have, and cannot have. */
  const keys = ["aws:PrincipalTag/a", "aws:PrincipalArn", "aws:username"];

  test.each([
    ["true", ["aws:principaltag/a nothing, or absent", "none", "all"]],
    ["false", ["aws:principaltag/a not nothing", "all", "none"]],
    [
      ["true", "false"],
      ["all", "all", "all"],
    ],
    [["yes"], ["none", "none", "none"]],
    [[], ["none", "none", "none"]],
  ])("%j", (value, expected) => {
    expect(keys.map((key) => asked({ Condition: { Null: { [key]: value } } }))).toEqual(expected);
  });

  test("of a key of several values is about each of them", () => {
    const of = (value: string) => asked({ Condition: { Null: { "aws:TagKeys": value } } });
    expect(of("true")).toBe("aws:tagkeys every of nothing, or absent");
    expect(of("false")).toBe("aws:tagkeys every of not nothing");
  });

  test("of a number is about all ranges or none", () => {
    const of = (value: string) => asked({ Condition: { Null: { "s3:max-keys": value } } });
    expect(of("true")).toBe("s3:max-keys nothing, or absent");
    expect(of("false")).toBe("s3:max-keys anything");
  });
});

describe("a condition about ranges", () => {
  test.each([
    ["NumericLessThan", "s3:max-keys", "10", "s3:max-keys 1 range"],
    ["NumericNotEqualsIfExists", "s3:max-keys", "10", "s3:max-keys 2 range, or absent"],
    ["IpAddress", "aws:SourceIp", "192.0.2.0/24", "aws:sourceip 1 range"],
    ["NotIpAddress", "aws:SourceIp", "192.0.2.0/24", "aws:sourceip 2 range, or absent"],
    ["DateLessThan", "aws:CurrentTime", "2030-01-01", "aws:currenttime 1 range"],
    ["DateLessThan", "aws:TokenIssueTime", "2030-01-01", "aws:tokenissuetime 1 range"],
    // One clock, whatever the key: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
    ["DateLessThan", "aws:EpochTime", "2030-01-01", "aws:currenttime 1 range"],
    ["NumericLessThan", "aws:EpochTime", "1893456000", "aws:currenttime 1 range"],
  ])("%s %s %s", (operator, key, value, expected) => {
    expect(asked({ Condition: { [operator]: { [key]: value } } })).toBe(expected);
  });

  test("of instants has a dimension of instants, under both names of the clock", () => {
    for (const key of ["aws:EpochTime", "aws:CurrentTime"]) {
      const Condition = { DateLessThan: { [key]: "2030-01-01" } };
      const { reader, terms, origin, by } = readerOf({ Condition });
      finish(reader.boxes(origin, by));
      expect(terms.dimensions).toMatchObject([
        { name: "aws:currenttime", family: "instant", isMultivalued: false },
      ]);
    }
  });

  test("of several values for a key keeps its set operator", () => {
    const Condition = { "ForAllValues:IpAddress": { "x:addresses": "192.0.2.0/24" } };
    expect(asked({ Condition })).toBe("x:addresses every of 1 range, or absent");
  });
});

describe("keys that follow from the ARN of the caller", () => {
  const account = "111122223333";
  const arn = (of: string) => `aws:principalarn arn:*[:]:iam::${of}:*`;

  test.each([
    ["StringEquals", account, arn(account)],
    ["StringNotEquals", account, `aws:principalarn not arn:*[:]:iam::${account}:*, or absent`],
    ["StringEquals", [account, "444455556666"], `${arn(account)} | arn:*[:]:iam::444455556666:*`],
    ["StringLike", "1111*", arn("1111*[:]")],
    ["StringLike", "11112222333?", arn("11112222333?[:]")],
    ["StringLike", "*", arn("*[:]")],
    ["StringEqualsIgnoreCase", account, arn(account)],
    ["StringEquals", "${aws:PrincipalTag/a}", arn("{0}[:]")],
    ["StringEquals", "012345678900", arn("012345678900")],
    ["StringEquals", "1*", "aws:principalarn nothing"],
    ["StringEquals", "11112222333", "aws:principalarn nothing"],
    ["StringEquals", "1111222233334", "aws:principalarn nothing"],
    ["StringEquals", "anonymous", "aws:principalarn nothing"],
    ["StringEquals", "11112222333/", "aws:principalarn nothing"],
    ["StringEquals", "11112222333:", "aws:principalarn nothing"],
    ["StringLike", "a*", "aws:principalarn nothing"],
    ["StringLike", "11112222333:*", "aws:principalarn nothing"],
    ["StringNotEquals", "none", "aws:principalarn not nothing, or absent"],
    ["StringEquals", "${aws:username}", "aws:principalarn nothing"],
  ])("the account: %s %j", (operator, value, expected) => {
    expect(asked({ Condition: { [operator]: { "aws:PrincipalAccount": value } } })).toBe(expected);
  });

  test.each([
    ["role", arn(account)],
    ["session", arn(account)],
    ["user", arn(account)],
    ["root", arn(account)],
    ["service", `aws:principalaccount ${account}`],
    ["federated", `aws:principalaccount ${account}`],
    ["anonymous", `aws:principalaccount ${account}`],
  ] as const)("the account of a %s", (kind, expected) => {
    const Condition = { StringEquals: { "aws:PrincipalAccount": account } };
    const setting: Setting = { type: "resource", by: caller(kind) };
    expect(asked({ Principal: "*", Condition }, setting)).toBe(expected);
  });

  const named = (name: string) =>
    `arn:*[:]:iam::*[:0]:user/${name} | arn:*[:]:iam::*[:0]:user/*/${name}`;

  test.each([
    ["StringEquals", "alice", `aws:principalarn ${named("alice")}`],
    ["StringLike", "a*", `aws:principalarn ${named("a*[/]")}`],
    ["StringNotEquals", "alice", `aws:principalarn not ${named("alice")}, or absent`],
    ["StringEquals", "staff/alice", "aws:principalarn nothing"],
    ["StringEquals", "${aws:PrincipalTag/a}", `aws:principalarn ${named("{0}[/]")}`],
  ])("the name of a user: %s %s", (operator, value, expected) => {
    const Condition = { [operator]: { "aws:username": value } };
    expect(asked({ Condition }, { by: user })).toBe(expected);
  });

  test("a role has none", () => {
    const Condition = { StringNotEquals: { "aws:username": "alice" } };
    expect(asked({ Condition })).toBe("all");
    expect(asked({ Condition: { StringEquals: { "aws:userid": "alice" } } }, { by: user })).toBe(
      "aws:userid alice",
    );
  });
});

describe("the id of an organisation", () => {
  const also = { "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a/*" } };
  const of = (operator: string, value: unknown, setting: Setting = { also }) =>
    asked({ Condition: { [operator]: { "aws:PrincipalOrgID": value } } }, setting);

  test.each([
    ["StringEquals", "o-a", "aws:principalorgpaths o-a/*"],
    ["StringEquals", ["o-a", "o-b"], "aws:principalorgpaths o-a/* | o-b/*"],
    ["StringNotEquals", "o-a", "aws:principalorgpaths not o-a/*, or absent"],
    ["StringEqualsIfExists", "o-a", "aws:principalorgpaths o-a/*, or absent"],
    ["StringLike", "o-*", "aws:principalorgpaths o-*[/]/*"],
    ["StringEquals", "o-a/r-b", "aws:principalorgpaths nothing"],
    ["StringEquals", "${aws:ResourceOrgID}", "aws:principalorgpaths {0}[/]/*"],
    ["StringEquals", "${aws:username}", "aws:principalorgpaths nothing"],
    ["Null", "true", "aws:principalorgpaths nothing, or absent"],
    ["Null", "false", "aws:principalorgpaths not nothing"],
  ])("is the beginning of its path where that is tested: %s %j", (operator, value, expected) => {
    expect(of(operator, value)).toBe(expected);
  });

  test("is a key like others where the path is not tested", () => {
    expect(of("StringEquals", "o-a", {})).toBe("aws:principalorgid o-a");
    expect(of("Null", "true", {})).toBe("aws:principalorgid nothing, or absent");
    const other = { "ForAnyValue:StringLike": { "aws:SourceOrgPaths": "o-a/*" } };
    expect(of("StringEquals", "o-a", { also: other })).toBe("aws:principalorgid o-a");
  });

  test.each(["Source", "Resource", "Vpce"])("of %s goes with the path of the same", (kind) => {
    const paths = { "ForAnyValue:StringLike": { [`aws:${kind}OrgPaths`]: "o-a/*" } };
    const Condition = { StringEquals: { [`aws:${kind}OrgID`]: "o-b" } };
    expect(asked({ Condition }, { also: paths })).toBe(`aws:${kind.toLowerCase()}orgpaths o-b/*`);
  });

  test("there is one path at most, so its set operators ask for the one", () => {
    const path = { "aws:PrincipalOrgPaths": "o-a/*" };
    expect(asked({ Condition: { "ForAnyValue:StringLike": path } })).toBe(
      "aws:principalorgpaths o-a/*",
    );
    expect(asked({ Condition: { "ForAllValues:StringLike": path } })).toBe(
      "aws:principalorgpaths o-a/*, or absent",
    );
    expect(asked({ Condition: { StringLike: path } })).toBe("aws:principalorgpaths o-a/*");
    expect(asked({ Condition: { Null: { "aws:PrincipalOrgPaths": "false" } } })).toBe(
      "aws:principalorgpaths not nothing",
    );
  });
});

describe("a condition that cannot be read", () => {
  const doubtOf = (Condition: object, setting: Setting = {}) => {
    const { reader, terms, origin, by } = readerOf({ Condition }, setting);
    finish(reader.boxes(origin, by));
    return terms.dimensions.find(({ doubt }) => doubt !== null);
  };

  test("leaves the statement in doubt, wherever the key stands", () => {
    const Condition = { StringFuzzy: { "aws:PrincipalTag/a": "x" } };
    expect(asked({ Condition })).toBe("in doubt: unknown_operator");
    expect(asked({ Condition: { StringFuzzy: { "aws:username": "x" } } })).toBe(
      "in doubt: unknown_operator",
    );
    expect(asked({ Condition: { NumericEquals: { "s3:max-keys": "ten" } } })).toBe(
      "in doubt: invalid_value",
    );
  });

  test.each([
    ["policy", "/Statement/0/Condition/StringFuzzy/aws:PrincipalTag~1a"],
    ["baseline", "/Statement/0/Condition/StringFuzzy/aws:PrincipalTag~1a"],
  ] as const)("is pointed to in the %s", (side, path) => {
    const Condition = {
      Bool: { "aws:SecureTransport": "true" },
      StringFuzzy: { "aws:PrincipalTag/a": "x" },
    };
    expect(doubtOf(Condition, { side })?.doubt).toEqual({
      construct: "unknown_operator",
      path,
      side,
      text: "StringFuzzy",
      key: "aws:PrincipalTag/a",
    });
  });

  test("is pointed to in a block of the config", () => {
    const { reader, origin, terms, by } = readerOf({
      Condition: { StringFuzzy: { "aws:PrincipalTag/a": "x" } },
    });
    const statement = { ...origin.statement, path: "/unless/2" };
    finish(reader.boxes({ ...origin, side: "config", statement }, by));
    expect(terms.dimensions[0]?.doubt).toMatchObject({
      path: "/unless/2/StringFuzzy/aws:PrincipalTag~1a",
      side: "config",
    });
  });

  test("is the same wherever it has the same operator, key and values", () => {
    const { reader, terms, origin, by } = readerOf({
      Condition: {
        StringFuzzy: { "s3:prefix": ["x", "y"] },
        stringfuzzy: { "S3:Prefix": ["y", "x"] },
        StringFuzzier: { "s3:prefix": ["x", "y"] },
        "StringFuzzy:": { "s3:delimiter": ["x", "y"] },
        STRINGFUZZY: { "s3:prefix": ["x"] },
      },
    });
    const boxes = finish(reader.boxes(origin, by));
    const [first, second, ...others] = boxes[0]?.literals ?? [];
    expect(first).toBe(second);
    expect(new Set([first, ...others]).size).toBe(4);
    const other = { ...origin, hasVariables: !origin.hasVariables };
    const elsewhere = finish(reader.boxes(other, by));
    expect(elsewhere[0]?.literals[0]).toBe(elsewhere[0]?.literals[1]);
    // The same text may mean something else in a document of another version.
    expect(terms.dimensions).toHaveLength(8);
  });
});

describe("principals", () => {
  test("stand before resource and conditions", () => {
    const element = {
      Principal: { AWS: "arn:aws:iam::111122223333:role/a" },
      Resource: "b",
      Condition: { StringEquals: { "s3:prefix": "c" } },
    };
    expect(asked(element, { type: "resource" })).toBe(
      "aws:principalarn arn:aws:iam::111122223333:role/a and @resource b and s3:prefix c",
    );
    expect(asked(element, { type: "resource", by: anonymous })).toBe("none");
  });

  test("in doubt make a second box, with resource and conditions as well", () => {
    const element = { NotPrincipal: { AWS: "arn:aws:iam::111122223333:role/a" }, Resource: "b" };
    expect(asked(element, { type: "resource" })).toBe(
      "aws:principalarn not arn:aws:iam::111122223333:role/a and @resource b or " +
        "in doubt: not_principal and aws:principalarn arn:aws:iam::111122223333:role/a and @resource b",
    );
  });
});

describe("reading hands control back", () => {
  /** How often. */
  const pauses = (element: object, setting: Setting = {}) => {
    const { reader, origin, by } = readerOf(element, setting);
    let count = 0;
    const steps = reader.boxes(origin, by);
    while (!steps.next().done) count++;
    return count;
  };
  const many = (length: number, text: string) => Array.from({ length }, (_, at) => `${text}${at}`);
  const tags = (length: number, value: unknown) => ({
    Condition: {
      StringEquals: Object.fromEntries(
        many(length, "aws:PrincipalTag/").map((key) => [key, value]),
      ),
    },
  });

  test.each([
    ["a few resources", { Resource: many(200, "a") }, 0],
    ["many resources", { Resource: many(600, "a") }, 2],
    ["long resources", { Resource: many(16, "a".repeat(1_000)) }, 4],
    ["a few conditions", tags(40, "x"), 0],
    ["many conditions", tags(200, "x"), 4],
    ["many values", tags(4, many(246, "x")), 4],
  ])("with %s", (_, element, expected) => {
    expect(pauses(element)).toBe(expected);
  });

  test("with principals that each meet each of many accounts", () => {
    const accounts = many(9, "11112222333");
    const NotPrincipal = { AWS: [...many(40, "arn:aws:iam::*:user/*a"), ...accounts] };
    const setting: Setting = { type: "resource", by: caller("user") };
    expect(pauses({ NotPrincipal }, setting)).toBeGreaterThan(100);
  });
});
