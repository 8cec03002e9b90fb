import { describe, expect, test } from "vitest";
import { partitionDefaults } from "../../spec/tools/analyze-policy.ts";
import { ToolError } from "../errors.ts";
import { chooseRegion, partitionOf, partitions, quoted, type RegionRequest } from "./regions.ts";

const nothing: RegionRequest = {
  partition: undefined,
  region: null,
  allowed: undefined,
  ambient: undefined,
};
const choose = (request: Partial<RegionRequest>) => chooseRegion({ ...nothing, ...request });

describe("without a region from the caller", () => {
  test.each<[string, Partial<RegionRequest>, string]>([
    ["the server's own region is asked", { ambient: "eu-west-1" }, "eu-west-1"],
    [
      "the own region is asked when it is one of those allowed",
      { ambient: "eu-west-1", allowed: ["us-east-1", "eu-west-1"] },
      "eu-west-1",
    ],
    [
      "the partition's default is asked when the own region is not allowed",
      { ambient: "eu-west-1", allowed: ["us-east-1"] },
      "us-east-1",
    ],
    [
      "the partition's default is asked when the own region lies in another partition",
      { ambient: "eu-west-1", partition: "aws-cn", allowed: ["eu-west-1", "cn-north-1"] },
      "cn-north-1",
    ],
    [
      "the only allowed region of the partition is asked when the default is not allowed",
      { allowed: ["ap-south-1", "cn-north-1"] },
      "ap-south-1",
    ],
    ["the partition's default is asked when nothing is known", {}, "us-east-1"],
    ["an empty list allows the default", { allowed: [] }, "us-east-1"],
  ])("%s", (_, request, region) => {
    expect(choose(request)).toBe(region);
  });

  test.each(partitions)("%s has a default Region in its partition", (partition) => {
    expect(choose({ partition, allowed: [] })).toBe(partitionDefaults[partition]);
    expect(choose({ partition, region: partitionDefaults[partition], allowed: [] })).toBe(
      partitionDefaults[partition],
    );
  });

  test.each<[string, Partial<RegionRequest>]>([
    [
      "a partition the own region is not in is refused",
      { ambient: "us-east-1", partition: "aws-cn" },
    ],
    ["the default is refused when others are allowed", { allowed: ["eu-west-1", "eu-west-2"] }],
  ])("%s", (_, request) => {
    expect(() => choose(request)).toThrow(ToolError);
  });
});

describe("a region from the caller", () => {
  test.each<[string, Partial<RegionRequest>]>([
    ["is asked when it is the own one", { region: "eu-west-1", ambient: "eu-west-1" }],
    ["is asked when it is allowed", { region: "eu-west-1", allowed: ["eu-west-1"] }],
    ["needs no partition beside it", { region: "cn-northwest-1", allowed: ["cn-northwest-1"] }],
    ["may be any one when the list is empty", { region: "ap-southeast-4", allowed: [] }],
    ["is the default when the own one is unknown", { region: "us-east-1" }],
  ])("%s", (_, request) => {
    expect(choose(request)).toBe(request.region);
  });

  test.each<[string, Partial<RegionRequest>]>([
    ["other than the own one is refused", { region: "us-east-1", ambient: "eu-west-1" }],
    ["that is not listed is refused", { region: "us-east-1", allowed: ["eu-west-1"] }],
    [
      "is refused even when it is the own one, if a list leaves it out",
      {
        region: "us-east-1",
        ambient: "us-east-1",
        allowed: ["eu-west-1"],
      },
    ],
    ["other than the default is refused when the own one is unknown", { region: "eu-west-1" }],
    [
      "of another partition than the one named is refused",
      {
        region: "us-gov-west-1",
        partition: "aws",
        allowed: [],
      },
    ],
    ["cannot be a host name", { region: "us-east-1.example.com/", allowed: [] }],
    ["cannot be empty", { region: "", allowed: [] }],
  ])("%s", (_, request) => {
    expect(() => choose(request)).toThrow(ToolError);
  });

  test("is named in the refusal, with the allowed ones", () => {
    expect(() => choose({ region: "us-east-1", allowed: ["eu-west-1", "eu-west-2"] })).toThrow(
      /"us-east-1".*eu-west-1, eu-west-2.*allowed_regions/,
    );
    expect(() => choose({ region: "US-EAST-1", allowed: [] })).toThrow(
      'Region "US-EAST-1" is not allowed; this server may call: every AWS region (allowed_regions).',
    );
  });

  test("is named with both partitions when it is not of the one named", () => {
    expect(() => choose({ region: "cn-north-1", partition: "aws", allowed: [] })).toThrow(
      'Region "cn-north-1" (partition aws-cn, not aws) is not allowed',
    );
  });
});

test("an unknown partition is refused with the known ones", () => {
  expect(partitionOf("aws-cn")).toBe("aws-cn");
  for (const word of ["AWS", "", "toString", "azure"]) {
    expect(() => partitionOf(word)).toThrow(/Unsupported partition .*aws, aws-cn, aws-us-gov/);
  }
});

test("a word of the caller is shown back up to 64 characters", () => {
  expect(quoted('a"\n')).toBe('"a\\"\\n"');
  expect(quoted("x".repeat(64))).toBe(`"${"x".repeat(64)}"`);
  expect(quoted("x".repeat(65))).toBe(`"${"x".repeat(64)}…"`);
});
