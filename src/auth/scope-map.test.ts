import { expect, test } from "vitest";
import type { AuthContext } from "./context.ts";
import { readScopeMap } from "./scope-map.ts";

const context: AuthContext = {
  provider: "github",
  environment: {},
  log: { info() {}, warn() {} },
  defaultBaseUrl: undefined,
  now: Date.now,
};
const alice = {
  subject: "583231",
  clientId: "583231",
  scopes: ["read:org"],
  groups: ["security"],
  roles: ["auditor"],
  login: "alice",
};
const granted = (map: object, identity: Parameters<ReturnType<typeof readScopeMap>>[0] = alice) =>
  readScopeMap(JSON.stringify(map), context)(identity);

test.each([
  ["everyone", "*"],
  ["a scope", "read:org"],
  ["a group", "security"],
  ["a role", "auditor"],
  ["a login", "alice"],
  ["a scope, tied", "scope:read:org"],
  ["a group, tied", "group:security"],
  ["a role, tied", "role:auditor"],
  ["a login, tied", "login:alice"],
  ["a subject, tied", "sub:583231"],
])("grants to %s", (_, name) => {
  expect(granted({ [name]: ["iam:validate"] })).toEqual(["iam:validate"]);
});

test.each([
  ["another login", "bob"],
  ["a login in other letters", "Alice"],
  ["a subject without its prefix", "583231"],
  ["a login tied to groups", "group:alice"],
  ["a member of every object", "toString"],
])("grants nothing to %s", (_, name) => {
  expect(granted({ [name]: ["iam:validate"] })).toEqual([]);
});

test("grants of several names add up, once each", () => {
  const map = { "*": ["iam:validate"], alice: ["iam:query", "iam:validate"], bob: ["iam:config"] };
  expect(granted(map)).toEqual(["iam:validate", "iam:query"]);
});

test("a name chosen to look like another kind matches its own kind only", () => {
  const identity = { ...alice, login: "group:admins", groups: ["*"], subject: "" };
  const map = { "group:admins": ["iam:config"], "sub:": ["iam:config"] };
  expect(granted(map, identity)).toEqual([]);
  expect(granted({ "login:group:admins": ["iam:query"] }, identity)).toEqual(["iam:query"]);
});

test("a name that merely contains a prefix is compared as it is", () => {
  const identity = { ...alice, groups: ["team/group:a"] };
  expect(granted({ "team/group:a": ["iam:query"] }, identity)).toEqual(["iam:query"]);
});

test("who has no groups, roles or login is granted nothing by them", () => {
  const identity = { subject: "583231", clientId: "583231", scopes: [] };
  const map = { "login:": ["iam:config"], "login:undefined": ["iam:config"] };
  expect(granted(map, identity)).toEqual([]);
  expect(granted({ ...map, "*": ["iam:query"] }, identity)).toEqual(["iam:query"]);
});

test("without a map nothing is granted", () => {
  expect(readScopeMap(undefined, context)(alice)).toEqual([]);
});

const shape =
  "must be a JSON object of names to lists of scopes; scopes are iam:validate, iam:query, iam:analyze, iam:config.";
test.each([
  ["{", "is not valid JSON."],
  ['{"a": ["iam:validate"], "a": []}', "repeats a key in one of its objects."],
  ["null", shape],
  ['["iam:validate"]', shape],
  ['{"a": "iam:validate"}', shape],
  ['{"a": ["iam:everything"]}', shape],
  ['{"": ["iam:validate"]}', shape],
])("start-up is refused by %s", (text, problem) => {
  expect(() => readScopeMap(text, context)).toThrow(
    expect.objectContaining({
      kind: "invalid_setting",
      message: `Auth github: VALIDATOR_MCP_AUTH_SCOPE_MAP ${problem}`,
    }),
  );
});
