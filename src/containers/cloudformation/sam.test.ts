import { expect, test } from "vitest";
import { findingsByPlace } from "../../../test/support/place-findings.ts";
import { openText } from "../open.ts";

async function placesOf(text: string) {
  const places = (await openText({ text }))?.places ?? [];
  return places.map(({ address, policyType, service, path }) => ({
    address,
    policyType,
    service,
    path,
  }));
}

const statement = `{Effect: Allow, Principal: "*", Action: execute-api:Invoke, Resource: "execute-api:/*"}`;
const policy = `{ResourcePolicy: {CustomStatements: [${statement}]}}`;

const template = (endpoint: string) => `Transform: AWS::Serverless-2016-10-31
Globals:
  Api:
    ${endpoint}
    Auth: ${policy}
  Function:
    AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: sts:AssumeRole}]}
Resources:
  Handler:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Add:
          Type: Api
          Properties: {Path: /add, Method: post, Auth: ${policy}}
`;

test("policies in Globals and in events of SAM are validated", async () => {
  const at = "ResourcePolicy.CustomStatements";
  const api = { policyType: "RESOURCE_POLICY", service: "execute-api" };
  const end = ["Auth", "ResourcePolicy", "CustomStatements"];
  expect(await placesOf(template(""))).toEqual([
    { address: `Globals.Api.Auth.${at}`, ...api, path: ["Globals", "Api", ...end] },
    {
      address: "Globals.Function.AssumeRolePolicyDocument",
      policyType: "TRUST_POLICY",
      service: null,
      path: ["Globals", "Function", "AssumeRolePolicyDocument"],
    },
    {
      address: `Resources.Handler.Properties.Events.Add.Properties.Auth.${at}`,
      ...api,
      path: ["Resources", "Handler", "Properties", "Events", "Add", "Properties", ...end],
    },
  ]);
});

test("an API of SAM is private if Globals says so", async () => {
  const own = `${template("")}  Open:
    Type: AWS::Serverless::Api
    Properties: {StageName: v1, Auth: ${policy}}
`;
  // An API that only VPC endpoints reach is `high`.
  const isPublic = async (text: string) =>
    (await findingsByPlace(text, null)).map(({ findings }) =>
      findings.some(({ severity }) => severity === "critical"),
    );
  const inGlobals = (type: string) =>
    own.replace("  Api:\n    \n", `  Api:\n    EndpointConfiguration: {Type: ${type}}\n`);
  expect(await isPublic(inGlobals("REGIONAL"))).toEqual([true, false, true, true]);
  expect(await isPublic(inGlobals("PRIVATE"))).toEqual([false, false, false, false]);
  const exception = inGlobals("PRIVATE").replace(
    "{StageName: v1,",
    "{StageName: v1, EndpointConfiguration: {Type: REGIONAL},",
  );
  expect(await isPublic(exception)).toEqual([false, false, false, true]);
});

test("two loops with ids of one form hide no policy", async () => {
  const loop = (name: string, list: string) => `  Fn::ForEach::${name}:
    - Name
    - [${list}]
    - Role\${Name}:
        Type: AWS::IAM::Role
        Properties: {AssumeRolePolicyDocument: {Statement: []}}
`;
  const text = `Transform: AWS::LanguageExtensions
Resources:
${loop("First", "a, b")}${loop("Second", "c")}`;
  expect(await placesOf(text)).toHaveLength(2);
});
