import { expect, test } from "vitest";
import { failing, findingsByPlace } from "../../../test/support/place-findings.ts";

/** A topic policy whose principal is an expression. */
const topic = (principal: string, before: string, condition = "") => `${before}
Resources:
  Policy:
    Type: AWS::SNS::TopicPolicy
    ${condition}
    Properties:
      Topics: [arn:aws:sns:eu-west-1:111122223333:alerts]
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {AWS: ${principal}}
            Action: sns:Publish
            Resource: arn:aws:sns:eu-west-1:111122223333:alerts
`;

async function messages(text: string): Promise<string[]> {
  const found = await findingsByPlace(text, "template.yaml");
  const findings = found.flatMap((one) => one.findings);
  expect(failing(findings)).toEqual(findings.length > 0 ? ["critical no_public_access"] : []);
  return findings.map(({ message }) => message.replace(/.*This is so /s, ""));
}

const parameter = 'Parameters: {Who: {Type: String, Default: "*"}}\n';

test.each([
  ["a pseudo parameter", "!Equals [!Ref AWS::Region, eu-west-1]"],
  ["another parameter", "!Equals [!Ref Stage, prod]"],
  ["a parameter that may not have a value", '!Not [!Equals [!Ref Stage, ""]]'],
  ["a function that is not read", "!Equals [!Select [0, !Ref Stages], prod]"],
])("a default is seen in a policy that %s creates", async (_title, definition) => {
  const before = `Parameters:
  Who: {Type: CommaDelimitedList, Default: "111122223333,*"}
  Stage: {Type: String}
  Stages: {Type: CommaDelimitedList}
Conditions: {Create: ${definition}}`;
  const [message] = await messages(topic("!Ref Who", before, "Condition: Create"));
  expect(message).toBe("if the parameter `Who` has its default.");
});

const mapping = (values: string) =>
  `${parameter.replace('Who: {Type: String, Default: "*"}', "Stage: {Type: String}")}Mappings: {Callers: {${values}}}`;

test("a parameter that chooses from a mapping may be each of its keys", async () => {
  const before = mapping('prod: {Arn: "111122223333"}, test: {Arn: "*"}');
  const [message] = await messages(topic("!FindInMap [Callers, !Ref Stage, Arn]", before));
  expect(message).toBe("if `Stage` is `test`.");
  const swapped = mapping('Arn: {prod: "111122223333", test: "*"}');
  expect(await messages(topic("!FindInMap [Callers, Arn, !Ref Stage]", swapped))).toEqual([
    "if `Stage` is `test`.",
  ]);
});

test("a key that a mapping does not have gives the default value", async () => {
  const before = mapping('prod: {Arn: "111122223333"}');
  const written = '!FindInMap [Callers, !Ref Stage, Arn, {DefaultValue: "*"}]';
  expect(await messages(topic(written, before))).toHaveLength(1);
  const sound = '!FindInMap [Callers, !Ref Stage, Arn, {DefaultValue: "444455556666"}]';
  expect(await messages(topic(sound, before))).toEqual([]);
});

test.each(["[IsProd, Deny, Allow]", "[IsProd, Allow, Deny]"])(
  "a default is seen with each outcome of a condition: %s",
  async (branches) => {
    const before = `Parameters:
  Who: {Type: String, Default: "*"}
  Env: {Type: String, AllowedValues: [dev, prod]}
Conditions: {IsProd: !Equals [!Ref Env, prod]}`;
    const text = topic("!Ref Who", before).replace("Effect: Allow", `Effect: !If ${branches}`);
    const [message] = await messages(text);
    expect(message).toContain("the parameter `Who` has its default");
  },
);
