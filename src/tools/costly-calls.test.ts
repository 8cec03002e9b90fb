import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { scanMessage } from "../json/scan-message.ts";
import { costlyCalls } from "./costly-calls.ts";

const isCostly = costlyCalls(bareRuntime().runtime, false);

function costs(policy: unknown, write: (body: string) => string = (body) => body): boolean {
  const params = { name: "validate_policies", arguments: { policies: [policy] } };
  const body = write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  const bytes = new TextEncoder().encode(body);
  return isCostly(scanMessage(bytes), bytes);
}

const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const usual = { Version: "2012-10-17", Statement: Array.from({ length: 15 }, () => statement) };
const pretty = { Version: "2012-10-17", Statement: Array.from({ length: 12 }, () => statement) };

test("a usual policy needs no thread, in any form", () => {
  expect(costs(usual)).toBe(false);
  expect(costs(JSON.stringify(usual))).toBe(false);
  expect(costs(JSON.stringify(pretty, null, 2))).toBe(false);
  expect(costs("Statement:\n- Effect: Allow\n  Action: s3:GetObject\n  Resource: '*'\n")).toBe(
    false,
  );
});

test.each([
  ["JSON", `{"Statement":[${"{},".repeat(200)}{}]}`],
  ["flow style", `Statement: [${"a,".repeat(200)}]`],
  ["lines", `Statement:\n${"- a\n".repeat(200)}`],
  ["lines that end as on a Macintosh", `Statement:\r${"- a\r".repeat(200)}`],
  ["a few values that aliases repeat", "a: &a [b, c]\nStatement: [*a, *a]\n"],
  ["a wildcard that YAML escapes", 'Statement: {Action: "ec2:\\x2a"}'],
])("a text of many values gets one: %s", (_, text) => {
  expect(costs(text)).toBe(true);
});

test("characters that JSON escapes could be wildcards or anchors", () => {
  expect(costs(statement, (body) => body.replace("*", "\\u002a"))).toBe(true);
});
