import { expect, test } from "vitest";
import { regionFault, regionShape, regions } from "./regions.ts";

test.each(["eu-west-1", "us-gov-east-1", "cn-north-1", "eu-*", "*", "us-????-1", "*-west-?"])(
  "%s is a Region, or matches one",
  (text) => {
    expect(regionFault(text)).toBeNull();
  },
);

test.each<[string, string[], string | null]>([
  ["EU_West_1", ["eu-west-1"], "eu-west-1"],
  [" eu-west-1 ", ["eu-west-1"], "eu-west-1"],
  ["eu-wets-1", ["eu-west-1"], "eu-west-1"],
  ["us-eats-1", ["us-east-1"], "us-east-1"],
  ["EU_WEST-1".padEnd(40), ["eu-west-1"], "eu-west-1"],
  ["eu-wst-2", ["eu-west-2", "eu-west-1", "eu-west-3"], "eu-west-2"],
  ["nowhere", [], null],
  [`eu-west-1${"x".repeat(30)}`, [], null],
  // A pattern that matches no Region.
  ["eu-wst-*", ["eu-west*"], "eu-west*"],
  ["EU_WST-*", ["eu-west*"], "eu-west*"],
  ["xx-*", [], null],
  ["1eu-wst-*", [], null],
  ["eu-wst-*1", [], null],
  ["eu-nowhere-*", [], null],
  ["eu-?wst-1", [], null],
])("%j is none; near are %j, and %s is meant", (text, near, meant) => {
  expect(regionFault(text)).toEqual({ near, meant });
});

test("of several that are equally near, none is meant, and three are shown", () => {
  const fault = regionFault("ap-southeast-9");
  expect(fault?.near).toHaveLength(3);
  expect(fault?.meant).toBeNull();
});

test("every Region has the shape of one", () => {
  expect(regions.filter((region) => !regionShape.test(region))).toEqual([]);
  expect(
    ["eu-west", "eu-west-100", "e-west-1", "Eu-west-1"].some((one) => regionShape.test(one)),
  ).toBe(false);
});
