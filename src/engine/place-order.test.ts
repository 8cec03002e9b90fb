import { expect, test } from "vitest";
import { findingWith } from "../../test/support/report-input.ts";
import { parseDocument } from "../policy/document.ts";
import { inPlaceOrder } from "./place-order.ts";

const raw = {
  Version: "2008-10-17",
  Statement: [
    { Resource: "*", Action: ["b", "a"] },
    { Effect: "Allow", "a/b": 1 },
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

test("findings at one place keep their order", async () => {
  const { raw: document } = await parseDocument('{"Statement":[]}');
  const twins = ["x", "y"].map((check_id) => findingWith({ check_id, path: "/Statement" }));
  expect(inPlaceOrder(twins, document).map(({ check_id }) => check_id)).toEqual(["x", "y"]);
});
