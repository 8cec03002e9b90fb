import { describe, expect, test } from "vitest";
import { allow, deny, documentOf, newAccess, type Side } from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import { accountsIn, asking, having, open, originsOf, unreadableOf } from "./asking.ts";
import { type AccessType, readDocument } from "./document.ts";
import { askNewAccess } from "./questions.ts";
import { runQuestionSync } from "./run.ts";
import { settingOf } from "./setting.ts";

const account = "111122223333";
const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };
const get = allow("s3:GetObject", "*");
const put = allow("s3:PutObject", "*");

const read = (side: Side, type: AccessType = "identity") => readDocument(documentOf(side), type);

describe("accounts and roles that the documents name", () => {
  const of = (key: string, operator: string, value: string, Principal: unknown = "*") => ({
    ...get,
    Principal,
    Condition: { [operator]: { [key]: value } },
  });

  test.each<[string, Side, Side, string]>([
    [
      "F8: no service is of an account that is named",
      [of("aws:PrincipalAccount", "StringEquals", account, { Service: "sns.amazonaws.com" })],
      [],
      "holds",
    ],
    [
      "... but may be of another one",
      [of("aws:PrincipalAccount", "StringLike", "1111*", { Service: "sns.amazonaws.com" })],
      [],
      "violated",
    ],
    [
      "F13: a session belongs to the role of its name",
      [{ ...get, Principal: { AWS: `arn:aws:sts::${account}:assumed-role/n/s` } }],
      [{ ...get, Principal: { AWS: `arn:aws:iam::${account}:role/p/n` } }],
      "holds",
    ],
    [
      "... not to one of another name",
      [{ ...get, Principal: { AWS: `arn:aws:sts::${account}:assumed-role/n/s` } }],
      [{ ...get, Principal: { AWS: `arn:aws:iam::${account}:role/p/m` } }],
      "violated",
    ],
  ])("%s", (_, policy, baseline, verdict) => {
    expect(newAccess(baseline, policy, "resource").verdict).toBe(verdict);
  });

  test.each<[string, string, readonly string[]]>([
    ["none", "example", []],
    ["a field of an ARN", `arn:aws:sqs:us-east-1:${account}:q`, [account]],
    ["not eleven digits", "11112222333", []],
    ["not thirteen digits", "1111222233334", []],
    ["next to letters", `a${account}b`, [account]],
    [
      "two in one text, each once",
      `444455556666-${account}-444455556666`,
      ["444455556666", account],
    ],
  ])("accounts: %s", (_, Resource, expected) => {
    expect([...accountsIn([read([allow("*", Resource)])])]).toEqual(expected);
  });

  test("accounts: in all documents", () => {
    const documents = [read([allow("*", account)]), read([allow("*", "444455556666")])];
    expect([...accountsIn(documents)]).toEqual([account, "444455556666"]);
  });
});

describe("the statements of a question", () => {
  const faulty = { ...get, Action: 1 };
  const policy = [faulty, get, deny("*", "*"), { Effect: "Permit", Action: "*" }, put];

  test("are those that can be read", () => {
    const origins = originsOf(read(policy), "baseline");
    const shown = (effect: "allow" | "deny") =>
      having(origins, effect).map(({ side, statement }) => `${side} ${statement.index}`);
    expect(origins).toHaveLength(3);
    expect(shown("allow")).toEqual(["baseline 1", "baseline 4"]);
    expect(shown("deny")).toEqual(["baseline 2"]);
  });

  test("have variables by the version of their document", () => {
    const variables = (Version: string) =>
      originsOf(readDocument({ Version, Statement: get }, "identity"), "policy").map(
        ({ hasVariables }) => hasVariables,
      );
    expect(variables("2012-10-17")).toEqual([true]);
    expect(variables("2008-10-17")).toEqual([false]);
  });

  test.each<[string, Side, readonly string[]]>([
    ["all can be read", [get], []],
    ["no statements", [], []],
    ["two cannot", policy, ["/Statement/0", "/Statement/3"]],
    ["a single one cannot", { Statement: faulty }, ["/Statement"]],
    ["the document cannot", { Statement: "none" }, [""]],
  ])("cannot be read: %s", (_, side, expected) => {
    expect(unreadableOf([[read(side), "config"]])).toEqual(
      expected.map((path) => ({
        construct: "invalid_statement",
        path,
        side: "config",
        text: "",
        key: null,
      })),
    );
  });

  test("cannot be read: of both documents", () => {
    const places = unreadableOf([
      [read([faulty]), "policy"],
      [read([get, faulty]), "baseline"],
    ]);
    expect(places.map(({ side, path }) => `${side} ${path}`)).toEqual([
      "policy /Statement/0",
      "baseline /Statement/1",
    ]);
  });
});

describe("the steps of a question", () => {
  const grants = originsOf(read([get]), "policy");

  /** Steps, and requests that were tried: one statement is searched, and the setting has what is beside it. */
  function spent(more: readonly object[], usedKeys: readonly string[] = []) {
    let tried = 0;
    const statements = more.map((element) => ({ Effect: "Allow", Action: [], ...element }));
    // Principals are optional in this type, and no caller is of it.
    const documents = [read([get]), read(statements, "rcp")];
    const { steps } = runQuestionSync(
      asking(
        { ...settingOf([read([get])], "identity", options), documents, usedKeys },
        {
          ...open,
          grants,
          branches: [{ also: null, blockers: [], reason: "forbidden" }],
          unreadable: [],
          confirm: () => {
            tried++;
            return "no";
          },
        },
      ),
    );
    return { steps, tried };
  }

  const names = (count: number) => Array.from({ length: count }, (_, at) => `s3:Example${at}`);

  test.each<[string, readonly object[], number]>([
    ["an element without entries", [{}], 0],
    ["eight actions", [{ Action: names(8) }], 1],
    // With the action and the resource that are searched that is eight, and one more is nine.
    ["six actions", [{ Action: names(6) }], 0],
    ["seven actions", [{ Action: names(7) }], 1],
    ["sixteen resources", [{ Resource: names(16) }], 2],
    ["four actions and four resources", [{ Action: names(4), Resource: names(4) }], 1],
    ["eight actions in two statements", [{ Action: names(4) }, { Action: names(4) }], 1],
    ["sixteen principals", [{ Principal: { Service: names(16) } }], 2],
    ["two conditions", [{ Condition: { Null: { "s3:a": "true", "s3:b": "true" } } }], 2],
  ])("are more for each request with %s", (_, more, expected) => {
    const before = spent([]);
    const after = spent(more);
    expect(after.tried).toBe(before.tried);
    expect(after.steps - before.steps).toBe(expected * before.tried);
  });

  test("are more for each request with eight keys", () => {
    const { steps } = spent([]);
    const [seven = 0, eight = 0, sixteen = 0] = [7, 8, 16].map(
      (count) => spent([], names(count)).steps - steps,
    );
    expect(seven).toBe(0);
    expect(eight).toBeGreaterThan(0);
    expect(sixteen).toBe(2 * eight);
  });

  test("end the question past the limit, with what was found by then", () => {
    const policy = read([get, put]);
    const answer = (maxSteps: number) =>
      runQuestionSync(askNewAccess(policy, read([]), "identity", { ...options, maxSteps }));
    const { steps } = answer(200_000);
    expect(answer(steps).violations).toHaveLength(2);
    expect(answer(steps - 1)).toMatchObject({
      verdict: "violated",
      violations: [{ statement_index: 0 }],
    });
    expect(answer(1)).toMatchObject({
      verdict: "undecided",
      undecided_by: [{ construct: "budget", path: "", side: "policy", key: null }],
    });
  });
});
