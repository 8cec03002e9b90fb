import { expect, test } from "vitest";
import {
  decodeDescriptions,
  decodeService,
  encodeDescriptions,
  encodeService,
} from "./embedded-format.ts";
import type { AccessLevel } from "./model.ts";

const levels: readonly AccessLevel[] = [
  "list",
  "permissions-management",
  "read",
  "tagging",
  "write",
  "Unknown",
];
const facts = {
  prefix: "x",
  actions: [
    ...levels.map((accessLevel, at) => ({
      name: `Action${at}`,
      accessLevel,
      resourceTypes: at % 2 === 0 ? ["thing", "unlisted"] : ["unlisted"],
      conditionKeys: at % 2 === 0 ? [] : ["x:One", "x:Unlisted"],
    })),
    { name: "Bare", accessLevel: "read" as const, resourceTypes: [], conditionKeys: [] },
  ],
  resourceTypes: [
    { name: "thing", arnFormats: ["arn:a", "arn:b"], conditionKeys: ["x:Two", "x:OfThing"] },
    { name: "plain", arnFormats: [], conditionKeys: [] },
  ],
  conditionKeys: [
    { name: "x:One", types: ["String", "ArrayOfString"] },
    { name: "x:Two", types: [] },
  ],
};
const descriptions = { actions: ["First.", null], conditionKeys: [null, "Two."] };

test("a service is decoded as it was encoded, on one line", () => {
  const line = encodeService(facts);
  expect(line).not.toContain("\n");
  const { descriptions: later, ...decoded } = decodeService(line, () => descriptions);
  expect(decoded).toStrictEqual(facts);
  expect(later()).toBe(descriptions);
});

test("lists that actions share are written once", () => {
  expect(JSON.parse(encodeService(facts)).slice(3, 5)).toEqual([
    [[], [0, 3]],
    [[0, 2], [2], []],
  ]);
});

test("descriptions are decoded as they were encoded", () => {
  const line = encodeDescriptions(descriptions);
  expect(line).not.toContain("\n");
  expect(decodeDescriptions(line)).toStrictEqual(descriptions);
});
