import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createAuthenticator } from "../create.ts";

const warnings: string[] = [];
let details: object | undefined;
const create = (environment: Record<string, string> = {}, serverless = true) =>
  createAuthenticator({
    auth: "gateway",
    explicit: true,
    mode: "hosted",
    serverless,
    environment,
    log: {
      info() {},
      warn(fields, message) {
        details = fields;
        warnings.push(message);
      },
    },
  });
const event = (authorizer: unknown, version: string | null = "2.0") => ({
  ...(version && { version }),
  requestContext: { http: { method: "POST", path: "/mcp" }, authorizer },
});
const bearer = new Headers({ authorization: "Bearer forged", "x-amzn-oidc-identity": "forged" });
const claims = { sub: "alice", client_id: "agent", scope: "iam:query iam:config" };
const iam = {
  accessKey: "AKIAIOSFODNN7EXAMPLE",
  accountId: "111122223333",
  callerId: "AIDACKCEVSQ6C2EXAMPLE",
  cognitoIdentity: null,
  principalOrgId: "aws:PrincipalOrgId",
  userArn: "arn:aws:iam::111122223333:user/alice",
  userId: "AIDACKCEVSQ6C2EXAMPLE",
};

describe("identity comes from the authorizer", () => {
  test.each([
    [
      "JWT claims",
      event({ jwt: { claims, scopes: null } }),
      { subject: "alice", clientId: "agent", scopes: ["iam:config", "iam:query"] },
    ],
    ["JWT claims before IAM", event({ jwt: { claims }, iam }), { subject: "alice" }],
    [
      "client from azp",
      event({ jwt: { claims: { sub: "alice", azp: "app" } } }),
      { clientId: "app", scopes: [] },
    ],
    [
      "claims without subject",
      event({ jwt: { claims: { scope: "iam:query" } } }),
      { subject: "gateway", clientId: "gateway", scopes: ["iam:query"] },
    ],
    [
      "scopes with commas",
      event({ jwt: { claims: { ...claims, scope: "iam:query,iam:config" } } }),
      { scopes: ["iam:config", "iam:query"] },
    ],
    [
      "scopes as list",
      event({ jwt: { claims: { ...claims, scope: ["iam:query", 7] } } }),
      { scopes: ["iam:query"] },
    ],
    [
      "scopes as a list in text",
      event({ jwt: { claims: { ...claims, scope: "[iam:query iam:config]" } } }),
      { scopes: ["iam:config", "iam:query"] },
    ],
    [
      "scopes as a list in text with spaces around",
      event({ jwt: { claims: { ...claims, scope: " [iam:query] " } } }),
      { scopes: ["iam:query"] },
    ],
    [
      "brackets that are not a list, letter by letter",
      event({ jwt: { claims: { ...claims, scope: "a [iam:query]" } } }),
      { scopes: ["[iam:query]", "a"] },
    ],
    [
      "brackets that end before the text does",
      event({ jwt: { claims: { ...claims, scope: "[iam:query] a" } } }),
      { scopes: ["[iam:query]", "a"] },
    ],
    [
      "client_id before azp",
      event({ jwt: { claims: { ...claims, azp: "app" } } }),
      { clientId: "agent" },
    ],
    [
      "client from the subject",
      event({ jwt: { claims: { sub: "alice" } } }),
      { clientId: "alice", scopes: [] },
    ],
    [
      "claims that are not text are none",
      event({ jwt: { claims: { sub: 7, client_id: ["agent"], azp: "app" } } }),
      { subject: "app", clientId: "app" },
    ],
    [
      "scp where there is no scope",
      event({ jwt: { claims: { sub: "a", scp: "iam:query" } } }),
      { scopes: ["iam:query"] },
    ],
    [
      "scope hides scp",
      event({ jwt: { claims: { scope: "", scp: "iam:query" } } }),
      { scopes: [] },
    ],
    [
      "format 1.0 of an HTTP API",
      event({ claims, scopes: null }, "1.0"),
      { subject: "alice", scopes: ["iam:config", "iam:query"] },
    ],
    ["a REST API with a user pool", event({ claims }, null), { subject: "alice" }],
    ["IAM", event({ iam }), { subject: iam.userArn, clientId: iam.userArn, scopes: [] }],
    [
      "IAM without ARN",
      event({ iam: { ...iam, userArn: null } }),
      { subject: iam.userId, scopes: [] },
    ],
    [
      "IAM without ARN and id",
      event({ iam: { ...iam, userArn: null, userId: null } }),
      { subject: "gateway", clientId: "gateway", scopes: [] },
    ],
    [
      "IAM, which has no scopes even if it says so",
      event({ iam: { ...iam, scope: "iam:config" } }),
      { scopes: [] },
    ],
  ])("%s", async (_, given, caller) => {
    const authenticator = await create();
    for (const headers of [new Headers(), bearer]) {
      expect(await authenticator.authenticate({ headers, event: given })).toMatchObject({ caller });
    }
  });

  test("scopes come from the claim that is named, and from no other", async () => {
    const authenticator = await create({ VALIDATOR_MCP_AUTH_GATEWAY_SCOPE_CLAIM: "permissions" });
    const scoped = { ...claims, permissions: "iam:analyze" };
    for (const [given, scopes] of [
      [scoped, ["iam:analyze"]],
      [claims, []],
    ] as const) {
      const result = await authenticator.authenticate({
        headers: new Headers(),
        event: event({ jwt: { claims: given } }),
      });
      expect(result).toMatchObject({ caller: { scopes } });
    }
  });
});

test.each([
  ["no event", undefined],
  ["an event of another kind", { Records: [] }],
  ["a load balancer", { requestContext: { elb: { targetGroupArn: "arn" } } }],
  ["no authorizer", event(undefined)],
  ["an empty authorizer", event({})],
  ["null", event({ jwt: null, iam: null })],
  ["claims that are text", event({ jwt: { claims: "sub=alice" } })],
  ["claims that are a list", event({ jwt: { claims: [] } })],
  ["a custom authorizer of format 2.0", event({ lambda: { sub: "alice", scope: "iam:config" } })],
  ["claims in the wrong place of format 2.0", event({ claims })],
  [
    "a custom authorizer of a REST API",
    event({ principalId: "alice", claims: '{"sub":"a"}' }, "1.0"),
  ],
])("%s is refused, whatever the headers say", async (_, given) => {
  const authenticator = await create();
  for (const headers of [new Headers(), bearer]) {
    expect(await authenticator.authenticate({ headers, event: given })).toEqual({
      refusal: {
        kind: "invalid_token",
        description: "The gateway in front of this server passed on no identity.",
      },
    });
  }
});

test("exists in the function only", async () => {
  await expect(create({}, false)).rejects.toMatchObject({
    kind: "gateway_outside_function",
    message: expect.stringContaining("serverless only"),
  });
});

test("asks clients for no scope; step-up is a separate switch", async () => {
  const shown = { provider: "gateway", challengeScopes: [], requiredScopes: [] };
  expect(await create()).toMatchObject({ ...shown, stepUp: false });
  const stepUp = await create({ VALIDATOR_MCP_AUTH_STEP_UP: "1" });
  expect(stepUp).toMatchObject({ ...shown, stepUp: true });
});

test("a variable of another provider is warned of", async () => {
  warnings.length = 0;
  await create({ VALIDATOR_MCP_AUTH_TOKENS: "x", VALIDATOR_MCP_AUTH_GATEWAY_SCOPE_CLAIM: "x" });
  expect(warnings[0]).toBe("These variables have no effect with --auth gateway.");
});

describe("the function's URL is checked", () => {
  const url = "https://lambda.eu-central-1.amazonaws.com/2021-10-31/functions/validator/url";
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  beforeEach(() => {
    warnings.length = 0;
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
  });
  afterEach(() => {
    server.resetHandlers();
    vi.unstubAllEnvs();
  });
  afterAll(() => server.close());
  const start = () => create({ AWS_LAMBDA_FUNCTION_NAME: "validator" });
  const answer = (body: object, status = 200, type?: string) =>
    server.use(
      http.get(url, () =>
        HttpResponse.json(body, { status, headers: type ? { "x-amzn-errortype": type } : {} }),
      ),
    );

  test("NONE refuses to start", async () => {
    answer({ FunctionUrl: "https://x.lambda-url.eu-central-1.on.aws/", AuthType: "NONE" });
    await expect(start()).rejects.toMatchObject({
      kind: "gateway_public_url",
      message:
        "Auth gateway must not be paired with a function URL of auth type NONE: such a URL has no authorizer. Change the URL to AWS_IAM, remove it, or choose --auth jwt (VALIDATOR_MCP_AUTH=jwt).",
    });
  });

  test("AWS_IAM starts without a word", async () => {
    answer({ FunctionUrl: "https://x.lambda-url.eu-central-1.on.aws/", AuthType: "AWS_IAM" });
    await expect(start()).resolves.toMatchObject({ provider: "gateway" });
    expect(warnings).toEqual([]);
  });

  test("no URL starts without a word", async () => {
    answer(
      { Message: "The resource you requested does not exist." },
      404,
      "ResourceNotFoundException",
    );
    await expect(start()).resolves.toMatchObject({ provider: "gateway" });
    expect(warnings).toEqual([]);
  });

  const verify =
    "make sure that no function URL of auth type NONE reaches this function, or anyone may call it.";
  const unchecked = (reason: string) =>
    `The function URL could not be checked (${reason}): ${verify}`;

  test.each([[undefined], [" "]])(
    "the function name %j starts with a warning and without a call",
    async (name) => {
      const environment = name === undefined ? {} : { AWS_LAMBDA_FUNCTION_NAME: name };
      await expect(create(environment)).resolves.toMatchObject({ provider: "gateway" });
      expect(warnings).toEqual([
        `AWS_LAMBDA_FUNCTION_NAME is not set, so no URL was checked: ${verify}`,
      ]);
    },
  );

  test("a fault of AWS Lambda is asked about once more, then starts with a warning", async () => {
    let asked = 0;
    server.use(
      http.get(url, () => {
        asked += 1;
        return HttpResponse.json({}, { status: 500, headers: { "x-amzn-errortype": "Fault" } });
      }),
    );
    await expect(start()).resolves.toMatchObject({ provider: "gateway" });
    expect([asked, warnings]).toEqual([2, [unchecked("Fault")]]);
  });

  test("an answer that does not come in time starts with a warning", async () => {
    const over = AbortSignal.abort();
    const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
    try {
      await expect(start()).resolves.toMatchObject({ provider: "gateway" });
      expect([limit.mock.calls, warnings]).toEqual([[[3_000]], [unchecked("AbortError")]]);
    } finally {
      limit.mockRestore();
    }
  });

  test("no permission starts with a warning", async () => {
    answer({ Message: "User is not authorized" }, 403, "AccessDeniedException");
    await expect(start()).resolves.toMatchObject({ provider: "gateway" });
    expect([details, warnings]).toEqual([
      { reason: "AccessDeniedException" },
      [unchecked("AccessDeniedException")],
    ]);
  });

  test("no network starts with a warning", async () => {
    server.use(http.get(url, () => HttpResponse.error()));
    await expect(start()).resolves.toMatchObject({ provider: "gateway" });
    expect(warnings).toEqual([unchecked("TypeError")]);
  });
});
