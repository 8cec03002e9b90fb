import { beforeAll, describe, expect, test } from "vitest";
import { createHandler, type FunctionHandler, lazyEntry } from "../../src/awslambda.ts";
import {
  answerOf,
  type EventShape,
  eventShapes,
  type HttpRequest,
} from "../support/lambda-events.ts";
import { rpcRequest } from "../support/rpc.ts";
import { configPath } from "../support/target.ts";

const hosted = { VALIDATOR_MCP_CONFIG: configPath, VALIDATOR_MCP_LOG_LEVEL: "error" };
const open = { ...hosted, VALIDATOR_MCP_AUTH: "none" };
const longTime = { getRemainingTimeInMillis: () => 30_000 };

async function send(shape: EventShape, request: HttpRequest, to: FunctionHandler) {
  return answerOf(await to(eventShapes[shape](request), longTime));
}

describe("gateway", () => {
  const claims = { jwt: { claims: { sub: "alice", scope: "iam:config" }, scopes: ["iam:config"] } };
  const iam = { iam: { userArn: "arn:aws:iam::123456789012:role/ci", userId: "AROAEXAMPLE:ci" } };
  let behind: FunctionHandler;
  beforeAll(async () => {
    behind = await createHandler({ environment: { ...hosted, VALIDATOR_MCP_AUTH: "gateway" } });
  });
  const getConfig = () => rpcRequest("tools/call", { name: "get_config", arguments: {} });

  test("takes identity and scopes from the authorizer, without an Authorization header", async () => {
    const request = { ...getConfig(), authorizer: claims };
    const { status, body } = await send("HTTP API 2.0", request, behind);
    expect([status, body.result?.isError]).toEqual([200, false]);
  });

  test("does not let a header that the client sends change anything", async () => {
    const { headers, body } = getConfig();
    const request = {
      headers: { ...headers, authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
      body,
    };
    const told = await send("HTTP API 2.0", { ...request, authorizer: claims }, behind);
    expect(told.body.result?.isError).toBe(false);
    const { status, body: refusal } = await send("HTTP API 2.0", request, behind);
    expect([status, refusal.error]).toEqual([401, "invalid_token"]);
  });

  test("shows callers of an IAM authorizer no tool", async () => {
    const request = { ...rpcRequest("tools/list"), authorizer: iam };
    const { status, body } = await send("function URL", request, behind);
    expect([status, body.result?.tools]).toEqual([200, []]);
  });
});

describe("start-up", () => {
  test.each([
    ["no config", { VALIDATOR_MCP_AUTH: "none" }, /VALIDATOR_MCP_CONFIG/],
    ["no auth", { VALIDATOR_MCP_CONFIG: configPath }, /VALIDATOR_MCP_AUTH/],
    ["a config that is missing", { ...open, VALIDATOR_MCP_CONFIG: "/nowhere.yaml" }, /nowhere/],
    ["auth it does not know", { ...hosted, VALIDATOR_MCP_AUTH: "kerberos" }, /kerberos/],
    [
      "a directory that is none",
      { ...open, VALIDATOR_MCP_AWS_SERVICES_DIR: "/nowhere" },
      /nowhere/,
    ],
  ])("with %s fails before any request is answered", async (_, environment, says) => {
    await expect(createHandler({ environment })).rejects.toThrow(says);
  });

  test("is hosted whatever the mode says", async () => {
    const environment = { ...open, VALIDATOR_MCP_MODE: "local" };
    await expect(createHandler({ environment })).resolves.toBeTypeOf("function");
  });

  test("happens once, when the handler is first looked at, and again after a failure", async () => {
    let starts = 0;
    let fails = true;
    const entry = lazyEntry(async () => {
      starts += 1;
      if (fails) throw new Error("the identity provider is down");
      return createHandler({ environment: open });
    });
    expect(starts).toBe(0);
    const first = entry.handler;
    expect(starts).toBe(1);
    await expect(first({}, longTime)).rejects.toThrow("down");
    fails = false;
    const event = eventShapes["function URL"](rpcRequest("tools/list"));
    expect((await entry.handler(event, longTime)).statusCode).toBe(200);
    expect((await first(event, longTime)).statusCode).toBe(200);
    await entry.ready();
    expect(starts).toBe(2);
  });
});
