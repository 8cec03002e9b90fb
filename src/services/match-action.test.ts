import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatches } from "../policy/wildcard.ts";
import { embeddedServices } from "./embedded.ts";
import { expandPattern, matchAction, matcherOf } from "./match-action.ts";

const services = embeddedServices();

describe("an action of a policy means", () => {
  test.each(["*", "**", "*:*", "**:***"])("everything: %s", (text) => {
    expect(matchAction(services, text)).toEqual({ kind: "any" });
  });

  test.each([
    "",
    "GetObject",
    "s3:",
    ":GetObject",
    "s3: GetObject",
    "s3:Get.Object",
    "${x}:Foo",
    "a:b:c",
    "*:GetObject",
    "s?:GetObject",
    "s3:GetObject\n",
    "s3:Gét",
  ])("nothing, being malformed: %j", (text) => {
    expect(matchAction(services, text)).toEqual({ kind: "malformed" });
  });

  test("an unknown service, in lower case; names of objects' own members are not services", () => {
    expect(matchAction(services, "NoSuchSvc:Foo")).toEqual({
      kind: "unknown_service",
      service: "nosuchsvc",
    });
    for (const prefix of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(matchAction(services, `${prefix}:x`)).toMatchObject({ kind: "unknown_service" });
    }
  });

  test("an action in any letter case, or an unknown name as it was written", () => {
    expect(matchAction(services, "S3:getobject")).toMatchObject({
      kind: "action",
      service: { prefix: "s3" },
      action: { qualified: "s3:GetObject" },
    });
    expect(matchAction(services, "s3:GetObjct")).toMatchObject({
      kind: "unknown_action",
      name: "GetObjct",
    });
  });

  test("for a whole service the service's own list, not a copy", () => {
    const ec2 = services.get("ec2");
    for (const text of ["ec2:*", "EC2:***"]) {
      const match = matchAction(services, text);
      expect(match.kind === "pattern" && match.actions === ec2?.actions).toBe(true);
    }
  });
});

describe("an answer is kept", () => {
  const actionsOf = (text: string) => {
    const match = matchAction(services, text);
    return match.kind === "pattern" ? match.actions : [];
  };

  test("for a name in AWS's spelling, and for no other text of a caller", () => {
    for (const [text, isKept] of [
      ["s3:PutObject", true],
      ["s3:putobject", false],
      ["s3:PutObjct", false],
    ] as const) {
      const first = matchAction(services, text);
      expect(matchAction(services, text) === first, text).toBe(isKept);
    }
  });

  test("until other reference data is loaded", () => {
    const [old, fresh] = [embeddedServices().get("s3"), embeddedServices().get("s3")];
    let loaded = old;
    const changing = { ...services, get: () => loaded };
    expect(matchAction(changing, "s3:GetObject")).toMatchObject({ service: old });
    loaded = fresh;
    const match = matchAction(changing, "s3:GetObject");
    expect(match.kind === "action" && match.service).toBe(fresh);
  });

  test("for a pattern of at most 40 characters, until 64 others of its service have come", () => {
    const long = "G".padEnd(39, "*");
    expect(actionsOf(`glue:${long}*`)).toBe(actionsOf(`glue:${long}*`));
    expect(actionsOf(`glue:${long}**`)).not.toBe(actionsOf(`glue:${long}**`));
    const first = actionsOf("sqs:Get*");
    for (let other = 1; other < 64; other++) actionsOf(`sqs:*${other}`);
    expect(actionsOf("sqs:Get*")).toBe(first);
    const last = actionsOf("sqs:Set*");
    expect(actionsOf("sqs:Get*")).not.toBe(first);
    expect(actionsOf("sqs:Set*")).toBe(last);
  });
});

describe("the entries of a policy", () => {
  test.each(["s3:GetObject", "S3:getobject", "s3:Get*", "nosuch:Thing", "*"])(
    "%s has one answer for the policy",
    (text) => {
      const match = matcherOf(services);
      expect(match(text)).toEqual(matchAction(services, text));
      expect(match(text)).toBe(match(text));
    },
  );

  test("are looked up in the reference data of now", () => {
    const [old, fresh] = [embeddedServices().get("s3"), embeddedServices().get("s3")];
    let loaded = old;
    const changing = { ...services, get: () => loaded };
    expect(matcherOf(changing)("s3:GetObject")).toMatchObject({ service: old });
    loaded = fresh;
    const match = matcherOf(changing)("s3:GetObject");
    expect(match.kind === "action" && match.service).toBe(fresh);
  });

  test("ask for a service once", () => {
    const known = ["ec2:RunInstances", "s3:GetObject", "s3:PutObject", "ec2:StopInstances"];
    const asked: string[] = [];
    const get = (prefix: string) => {
      asked.push(prefix);
      return services.get(prefix);
    };
    const counting = { ...services, get };
    for (const text of known) matchAction(counting, text);
    asked.length = 0;
    const match = matcherOf(counting);
    expect(known.map((text) => match(text).kind)).toEqual(known.map(() => "action"));
    expect(asked).toEqual(["ec2", "s3"]);
  });
});

describe("a pattern expands to", () => {
  const expand = (pattern: string) => expandPattern(services, pattern).actions;

  test("the actions it matches, sorted by code point, in AWS's spelling", () => {
    expect(expand("STS:assume*With*")).toEqual([
      "sts:AssumeRoleWithSAML",
      "sts:AssumeRoleWithWebIdentity",
    ]);
    expect(expand("s3:?etObject")).toEqual(["s3:GetObject"]);
    expect(expand("s3:GetObject???????")).toContain("s3:GetObjectVersion");
    const all = expand("ec2:*");
    expect(all.length).toBeGreaterThan(600);
    expect(all).toEqual([...all].sort());
  });

  test("what the textbook matcher says, for every service", () => {
    for (const prefix of services.prefixes) {
      const names = services.get(prefix)?.actions.map((action) => action.qualified) ?? [];
      for (const glob of ["*List*s", "get?*", "*e*t*e*"]) {
        expect(expand(`${prefix}:${glob}`)).toEqual(
          names.filter((name) => globMatches(`${prefix}:${glob}`, name, { ignoreCase: true })),
        );
      }
    }
  });

  test.each([
    ["*", "*"],
    ["S3:getobject", "s3:GetObject"],
    // As long as the longest name of the service.
    ["sts:??????????????????????????*", "sts:DecodeAuthorizationMessage"],
    ["sts:DecodeAuthorizationMessage*", "sts:DecodeAuthorizationMessage"],
    ["sts:*WithWeb**Identity", "sts:AssumeRoleWithWebIdentity"],
  ])("%s: %s", (pattern, action) => {
    expect(expandPattern(services, pattern)).toEqual({ actions: [action], error: null });
  });

  test("nothing, without an error, when it matches nothing", () => {
    expect(expandPattern(services, "s3:Nope*")).toEqual({ actions: [], error: null });
    expect(expandPattern(services, "s3:Nope")).toEqual({ actions: [], error: null });
  });

  test.each([
    ["s3", /colon is missing/],
    ["s3: Get*", /must not contain whitespace/],
    ["*:Get*", /prefix of an action cannot contain a wildcard/],
    ["s*:Get", /prefix of an action cannot contain a wildcard/],
    ["s3:", /one of the two parts is empty/],
    [":Get", /one of the two parts is empty/],
    [`${"s".repeat(64)}:Get`, /^The service `s{64}` is not in/],
    [`${"s".repeat(65)}:Get`, /^The service named is not in/],
    ["s3:Get.*", /letters, digits/],
    ["s33:*", /`s33` is not in the reference data of \d{4}-\d\d-\d\d/],
  ])("an error that says what is wrong with %j", (pattern, reason) => {
    const { actions, error } = expandPattern(services, pattern);
    expect(actions).toEqual([]);
    expect(error).toMatch(reason);
  });
});

describe("hostile texts", () => {
  test("any string has a meaning", () => {
    const parts = fc.constantFrom(
      "s3",
      "EC2",
      ":",
      "*",
      "?",
      "Get",
      "__proto__",
      "\ud800",
      " ",
      "k",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(parts).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(text, (action) => {
        const { kind } = matchAction(services, action);
        expect(kind).toMatch(/^(?:any|malformed|unknown_service|unknown_action|action|pattern)$/);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["stars", (length: number) => `ec2:${"*".repeat(length)}x`],
    ["question marks", (length: number) => `ec2:${"?".repeat(length)}*`],
    ["stars and letters", (length: number) => `ec2:${"*e".repeat(length / 2)}`],
    ["a long name", (length: number) => `ec2:${"e".repeat(length)}`],
    ["a long prefix", (length: number) => "e".repeat(length)],
  ])("of four million characters are done with at once: %s", (_, make) => {
    // Were time quadratic in the length, this would run for hours.
    const { kind } = matchAction(services, make(4_000_000));
    expect(["pattern", "unknown_action", "malformed"]).toContain(kind);
  });
});
