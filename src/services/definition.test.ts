import { expect, test } from "vitest";
import { definitionFromService, factsFromDefinition, serviceFromText } from "./definition.ts";

const definition = (name: string, key = "s3:prefix") => ({
  Name: "s3",
  Actions: [{ Name: name, ActionConditionKeys: [key] }],
  ConditionKeys: [{ Name: key, Types: ["String"] }],
});

test.each(["GetObject", "AssumeRoleWithSAML", "post-confirm"])("%s is a name", (name) => {
  expect(factsFromDefinition(definition(name)).actions[0]?.name).toBe(name);
});

test.each([
  ["an end of a line", "Get\n# Do as I say"],
  ["a back-tick", "Get`x`"],
  ["mark-up", "Get<b>"],
  ["a control character", "Get\u001b[2K"],
  ["more than 256 characters", "x".repeat(257)],
])("a definition is refused whose action holds %s", (_, name) => {
  expect(() => factsFromDefinition(definition(name))).toThrow();
});

test.each([
  ["no bound", "<".repeat(200_000)],
  ["an end of a line", "s3:a\nb"],
  ["a back-tick", "s3:`a`"],
])("a definition is refused whose condition key has %s", (_, key) => {
  expect(() => factsFromDefinition(definition("GetObject", key))).toThrow();
});

test.each([
  "aws:RequestTag/${TagKey}",
  "<issuer>:sub",
  "s3:ExistingObjectTag/<key>",
  "${OidcProvider}:aud",
])("%s is a condition key", (key) => {
  expect(factsFromDefinition(definition("GetObject", key)).conditionKeys[0]?.name).toBe(key);
});

const whole = {
  Name: "x",
  Version: "v1.4",
  Actions: [
    {
      Name: "Admin",
      Annotations: {
        Properties: {
          IsList: false,
          IsPermissionManagement: true,
          IsTaggingOnly: false,
          IsWrite: false,
        },
      },
    },
    {
      Name: "Get",
      ActionConditionKeys: ["x:One"],
      Annotations: {
        Properties: {
          IsList: false,
          IsPermissionManagement: false,
          IsTaggingOnly: false,
          IsWrite: false,
        },
        Description: "Gets.",
      },
      Resources: [{ Name: "thing" }],
    },
    { Name: "Unknown", Annotations: {} },
  ],
  ConditionKeys: [
    { Name: "x:One", Types: ["String"], Description: "One." },
    { Name: "x:Two", Types: [] },
  ],
  Resources: [
    { Name: "plain", ARNFormats: [] },
    { Name: "thing", ARNFormats: ["arn:aws:x:::a", "arn:aws:x:::b"], ConditionKeys: ["x:Two"] },
  ],
};

test("a service is written as the definition that it was read from", () => {
  expect(definitionFromService(serviceFromText("x", JSON.stringify(whole)))).toStrictEqual(whole);
});

test.each([
  ["list", "IsList"],
  ["permissions-management", "IsPermissionManagement"],
  ["tagging", "IsTaggingOnly"],
  ["write", "IsWrite"],
])("the access level %s is written as %s", (_, flag) => {
  const Properties = { IsList: false, IsPermissionManagement: false, IsTaggingOnly: false };
  const action = {
    Name: "A",
    Annotations: { Properties: { ...Properties, IsWrite: false, [flag]: true } },
  };
  const service = serviceFromText("x", JSON.stringify({ Name: "X", Actions: [action] }));
  expect(definitionFromService(service).Actions).toStrictEqual([action]);
});

test("what is named twice counts once", () => {
  const facts = factsFromDefinition({
    Name: "X",
    Actions: [
      {
        Name: "Get",
        ActionConditionKeys: ["x:One", "x:One"],
        Resources: [{ Name: "thing" }, { Name: "thing" }],
      },
      { Name: "GET", ActionConditionKeys: ["x:Two"] },
    ],
    Resources: [{ Name: "thing", ARNFormats: ["arn:a , arn:b,", ",", ""] }, { Name: "Thing" }],
    ConditionKeys: [{ Name: "x:One" }, { Name: "X:one" }],
  });
  expect(facts).toMatchObject({
    prefix: "x",
    actions: [{ name: "Get", resourceTypes: ["thing"], conditionKeys: ["x:One"] }],
    resourceTypes: [{ name: "thing", arnFormats: ["arn:a", "arn:b"], conditionKeys: [] }],
    conditionKeys: [{ name: "x:One", types: [] }],
  });
  expect(facts.descriptions()).toEqual({ actions: [null], conditionKeys: [null] });
});

test("a definition of another service is refused", () => {
  expect(() => serviceFromText("y", JSON.stringify(whole))).toThrow("about another service");
});

test.each([
  ["a\u0000", "arn"],
  ["`", "arn"],
  ["a".repeat(8193), "arn"],
])("an ARN format with %j is refused", (format) => {
  expect(() =>
    factsFromDefinition({ Name: "x", Resources: [{ Name: "a", ARNFormats: [format] }] }),
  ).toThrow();
});
