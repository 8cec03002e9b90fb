import { expect, test } from "vitest";
import { findingWith } from "../../test/support/report-input.ts";
import { parseDocument } from "../policy/document.ts";
import { inPlaceOrder } from "./place-order.ts";

const raw = {
  Version: "2008-10-17",
  Statement: [
    { Resource: "*", Action: ["b", "a"] },
    { Effect: "Allow", "a/b": 1 },
    { Effect: "Allow", Action: "a", Resource: "*", Sid: null },
  ],
};
const paths = [
  "",
  "/Version",
  "/Statement/0",
  "/Statement/0/Resource",
  "/Statement/0/Action/1",
  "/Statement/1",
  "/Statement/1/a~1b",
  "/Statement/2/Effect",
  "/Statement/2/Action",
  "/Statement/2/Resource",
  "/Statement/2/Sid/below",
  // A member that the document lacks comes after those that it has.
  "/Statement/2/Condition/StringEquals/a",
];
const findings = paths.toReversed().map((path) => findingWith({ path, location: null }));

test("findings of an object come in the order of its members, a node before its parts", () => {
  expect(inPlaceOrder(findings, raw).map(({ path }) => path)).toEqual(paths);
});

test("findings of a text come in the order of their places", () => {
  const at = (offset: number) => ({ line: 1, column: offset, offset });
  const located = [5, 3, 4].map((offset) =>
    findingWith({ path: String(offset), location: { start: at(offset), end: at(9) } }),
  );
  expect(inPlaceOrder(located, raw).map(({ path }) => path)).toEqual(["3", "4", "5"]);
});

test("where one finding has no place in the text, all come in the order of members", () => {
  const at = { line: 1, column: 0, offset: 9 };
  const mixed = [
    findingWith({ path: "/Statement", location: { start: at, end: at } }),
    findingWith({ path: "/Version", location: null }),
  ];
  expect(inPlaceOrder(mixed, raw).map(({ path }) => path)).toEqual(["/Version", "/Statement"]);
});

test("findings at one place keep their order", async () => {
  const { raw: document } = await parseDocument('{"Statement":[]}');
  const twins = ["x", "y"].map((check_id) => findingWith({ check_id, path: "/Statement" }));
  expect(inPlaceOrder(twins, document).map(({ check_id }) => check_id)).toEqual(["x", "y"]);
});
