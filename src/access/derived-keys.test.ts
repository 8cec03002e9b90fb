import { expect, test } from "vitest";
import { type Caller, caller, split } from "./callers.ts";
import { derivedValue } from "./derived-keys.ts";
import type { RequestPrincipal } from "./request.ts";

const account = "111122223333";
const role: RequestPrincipal = { type: "AWS", arn: `arn:aws:iam::${account}:role/team/app` };
const user: RequestPrincipal = { type: "AWS", arn: `arn:aws:iam::${account}:user/staff/alice` };
const root: RequestPrincipal = { type: "AWS", arn: `arn:aws:iam::${account}:root` };
const service: RequestPrincipal = { type: "Service", name: "sns.amazonaws.com" };
const federated: RequestPrincipal = { type: "Federated", name: "accounts.google.com" };
const anonymous: RequestPrincipal = { type: "Anonymous" };

type Row = readonly [
  key: string,
  by: Caller,
  principal: RequestPrincipal,
  context: Readonly<Record<string, readonly string[]>>,
  expected: string | null,
];

const all = {
  role: [caller("role"), role],
  user: [caller("user"), user],
  root: [caller("root"), root],
  service: [caller("service", "sns.amazonaws.com"), service],
  federated: [caller("federated", "accounts.google.com"), federated],
  anonymous: [caller("anonymous"), anonymous],
} as const;

const of = (
  who: keyof typeof all,
  key: string,
  expected: string | null,
  context: Row[3] = {},
): Row => [key, all[who][0], all[who][1], context, expected];

const rows: readonly Row[] = [
  of("role", "aws:principalarn", `arn:aws:iam::${account}:role/team/app`, {
    "aws:principalarn": ["other"],
  }),
  of("service", "aws:principalarn", null),
  of("federated", "aws:principalarn", "known", { "aws:principalarn": ["known"] }),
  of("role", "aws:principalaccount", account),
  of("anonymous", "aws:principalaccount", "anonymous"),
  of("service", "aws:principalaccount", "777788889999"),
  of("service", "aws:principalaccount", "1", { "aws:principalaccount": ["1"] }),
  of("role", "aws:principaltype", "AssumedRole"),
  of("user", "aws:principaltype", "User"),
  of("root", "aws:principaltype", "Account"),
  of("anonymous", "aws:principaltype", "Anonymous"),
  of("federated", "aws:principaltype", "AssumedRole"),
  of("federated", "aws:principaltype", "x", { "aws:principaltype": ["x"] }),
  of("user", "aws:username", "alice"),
  of("role", "aws:username", null),
  of("federated", "aws:username", "x", { "aws:username": ["x"] }),
  of("role", "aws:principalisawsservice", "false"),
  of("service", "aws:principalisawsservice", "true"),
  of("federated", "aws:principalisawsservice", null),
  of("service", "aws:principalservicename", "sns.amazonaws.com"),
  of("role", "aws:principalservicename", null),
  of("role", "aws:userid", "AIDA"),
  of("role", "aws:userid", "x", { "aws:userid": ["x"] }),
  of("anonymous", "aws:userid", "anonymous", { "aws:userid": ["x"] }),
  of("role", "aws:tokenissuetime", "2030-01-01T00:00:00Z"),
  of("user", "aws:tokenissuetime", null),
  of("user", "aws:tokenissuetime", "x", { "aws:tokenissuetime": ["x"] }),
  of("user", "aws:currenttime", "2030-01-01T00:00:00Z"),
  of("user", "aws:currenttime", "x", { "aws:currenttime": ["x"] }),
  of("user", "aws:epochtime", "1893456000"),
  of("user", "aws:epochtime", "1767225600", { "aws:currenttime": ["2026-01-01T00:00:00Z"] }),
  of("user", "aws:epochtime", "1767225600.250000000", {
    "aws:currenttime": ["2026-01-01T00:00:00.25Z"],
  }),
  of("user", "aws:epochtime", "1767225600.000001000", {
    "aws:currenttime": ["2026-01-01T00:00:00.000001Z"],
  }),
  of("user", "aws:epochtime", "0", { "aws:currenttime": ["no time"] }),
  of("user", "aws:requestedregion", "us-east-1"),
  of("user", "aws:requestedregion", "x", { "aws:requestedregion": ["x"] }),
  of("user", "aws:securetransport", "true"),
  of("user", "aws:securetransport", "false", { "aws:securetransport": ["false"] }),
  of("user", "aws:multifactorauthpresent", "true", { "aws:multifactorauthage": ["5"] }),
  of("user", "aws:multifactorauthpresent", null),
  of("user", "aws:multifactorauthpresent", "false", { "aws:multifactorauthpresent": ["false"] }),
  of("user", "aws:principalorgid", "o-a", { "aws:principalorgpaths": ["o-a/r-b/"] }),
  of("user", "aws:principalorgid", null, { "aws:resourceorgpaths": ["o-a/r-b/"] }),
  of("user", "aws:sourcevpce", null),
  of("user", "aws:sourcevpce", "x", { "aws:sourcevpce": ["x"] }),
  [
    "aws:sourcevpce",
    split(caller("user"), new Set(["aws:sourcevpce"]), new Set()),
    user,
    {},
    "example",
  ],
  ["aws:tokenissuetime", { ...caller("session"), name: "x" }, role, {}, "2030-01-01T00:00:00Z"],
];

test.each(rows)("%s of a request", (key, by, principal, context, expected) => {
  const free = { region: "us-east-1", userid: "AIDA" };
  const known = new Map(Object.entries(context));
  expect(derivedValue(key, principal, by, known, free)).toBe(expected);
});
