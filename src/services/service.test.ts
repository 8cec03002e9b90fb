import { describe, expect, test } from "vitest";
import { serviceDataFrom } from "../../test/support/service-data.ts";
import { type AwsServiceDefinition, factsFromDefinition } from "./definition.ts";

function serviceOf(definition: AwsServiceDefinition) {
  const service = serviceDataFrom([definition], { date: "2026-01-31" }).get(definition.Name);
  if (!service) throw new Error("the service is not there");
  return service;
}

const properties = {
  IsList: false,
  IsPermissionManagement: false,
  IsTaggingOnly: false,
  IsWrite: false,
};

describe("a definition in the layout of the service reference", () => {
  test.each([
    ["permissions-management", { ...properties, IsPermissionManagement: true, IsWrite: true }],
    ["tagging", { ...properties, IsTaggingOnly: true, IsWrite: true }],
    ["write", { ...properties, IsWrite: true, IsList: true }],
    ["list", { ...properties, IsList: true }],
    ["read", properties],
    ["read", {}],
  ])("has level %s for the flags %j", (level, Properties) => {
    const service = serviceOf({ Name: "x", Actions: [{ Name: "A", Annotations: { Properties } }] });
    expect(service.action("A")?.accessLevel).toBe(level);
  });

  test("has level Unknown without flags", () => {
    expect(serviceOf({ Name: "x", Actions: [{ Name: "A" }] }).action("a")).toMatchObject({
      accessLevel: "Unknown",
      resourceTypes: [],
      conditionKeys: [],
      description: null,
    });
  });

  test("may lack every list, or have members we do not know", () => {
    const service = serviceOf({ Name: "S3", Version: "v9", Operations: [{}] });
    expect(service).toMatchObject({
      prefix: "s3",
      actions: [],
      resourceTypes: [],
      conditionKeys: [],
    });
  });

  test("sorts actions by code point and keeps the rest in its order", () => {
    const service = serviceOf({
      Name: "x",
      Actions: [{ Name: "b" }, { Name: "B" }, { Name: "A" }, { Name: "_" }, { Name: "Ab" }],
      Resources: [{ Name: "z" }, { Name: "a" }],
    });
    // `B` is `b` again.
    expect(service.actions.map((action) => action.name)).toEqual(["A", "Ab", "_", "b"]);
    expect(service.resourceTypes.map((type) => type.name)).toEqual(["z", "a"]);
  });

  test("keeps several types of a key, and finds keys by their placeholder", () => {
    const service = serviceOf({
      Name: "x",
      ConditionKeys: [
        { Name: "x:Tag/${Key}", Types: ["String"] },
        { Name: "x:Tag/fixed", Types: ["ARN", "ArrayOfARN"], Description: "Fixed." },
      ],
    });
    expect(service.conditionKey("X:tag/FIXED")).toMatchObject({
      types: ["ARN", "ArrayOfARN"],
      description: "Fixed.",
    });
    expect(service.conditionKey("x:tag/other")?.name).toBe("x:Tag/${Key}");
    expect(service.conditionKey("x:other")).toBeUndefined();
  });

  test("names an action with its service, and describes it", () => {
    const service = serviceOf({
      Name: "X",
      Actions: [{ Name: "B" }, { Name: "A", Annotations: { Description: "Does A." } }],
    });
    expect(service.action("a")).toMatchObject({
      service: "x",
      name: "A",
      qualified: "x:A",
      description: "Does A.",
    });
    expect(service.action("B")?.description).toBeNull();
    expect(service.action("C")).toBeUndefined();
  });

  test("an action supports keys by each of their placeholders, and no empty one", () => {
    const ActionConditionKeys = ["x:Tag/${Key}", "x:Of/${Key}", "x:Plain"];
    const { actions } = serviceOf({ Name: "x", Actions: [{ Name: "A", ActionConditionKeys }] });
    const [action] = actions;
    const keys = ["", "x:tag/a", "x:of/a", "x:plain", "x:other"];
    expect(keys.map((key) => action?.supportsKey(key))).toEqual([false, true, true, true, false]);
  });

  test("an action supports keys of its types, also of one whose name differs in case", () => {
    const service = serviceOf({
      Name: "x",
      Actions: [{ Name: "A", Resources: [{ Name: "Thing" }, { Name: "missing" }] }],
      Resources: [{ Name: "thing", ConditionKeys: ["x:Of/${Key}"] }],
    });
    const action = service.action("A");
    expect(action?.resourceTypes).toEqual(["Thing", "missing"]);
    expect(action?.supportsKey("x:of/it")).toBe(true);
    expect(action?.supportsKey("x:of")).toBe(false);
  });

  test("actions with the same keys and types answer alike, key after key", () => {
    const service = serviceOf({
      Name: "x",
      Actions: [
        { Name: "A", ActionConditionKeys: ["x:One"], Resources: [{ Name: "thing" }] },
        { Name: "B", ActionConditionKeys: ["x:One"], Resources: [{ Name: "thing" }] },
        { Name: "C", ActionConditionKeys: ["x:Two"] },
      ],
      Resources: [{ Name: "thing", ConditionKeys: ["x:Tag/${Key}"] }],
    });
    const long = `x:tag/${"k".repeat(122)}`;
    const keys = ["x:one", "X:ONE", "x:two", "x:tag/a", `${long}k`, long, "x:two", ""];
    const answers = keys.map((key) =>
      ["A", "B", "C"].filter((name) => service.action(name)?.supportsKey(key)).join(""),
    );
    expect(answers).toEqual(["AB", "AB", "C", "AB", "AB", "AB", "C", ""]);
  });

  test("comes apart where several ARN formats stand in one string", () => {
    const service = serviceOf({
      Name: "x",
      Resources: [{ Name: "t", ARNFormats: ["arn:a:b, arn:c:d ", "arn:e"] }],
    });
    expect(service.resourceType("T")?.arnFormats).toEqual(["arn:a:b", "arn:c:d", "arn:e"]);
  });

  test.each([[null], [[]], [{}], [{ Name: "" }], [{ Name: "x", Actions: [{}] }], [{ Name: 7 }]])(
    "is refused when it has another shape: %j",
    (document) => {
      expect(() => factsFromDefinition(document)).toThrow();
    },
  );
});
