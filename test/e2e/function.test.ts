import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { AuditRecord } from "../../spec/audit.ts";
import type { StartupErrorKind } from "../../spec/errors.ts";
import { ReportFormat } from "../../spec/tools/validate-policies.ts";
import { type FunctionImage, startFunctionImage } from "../support/function-image.ts";
import { dockerRun, functionImage } from "../support/images.ts";
import { answerOf, eventShapes, type HttpRequest, shapes } from "../support/lambda-events.ts";
import { readOnly, rpcRequest, toolError } from "../support/rpc.ts";
import { tokens, withTokens } from "../support/target.ts";

const noEngine = inject("noEngine");
const slowConfig = new URL("./config/slow.yaml", import.meta.url).pathname;

const initialize = rpcRequest(
  "initialize",
  {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "e2e", version: "1" },
  },
  { token: tokens.all },
);
const functionUrl = eventShapes["function URL"];
const callOf = (name: string, args: object, token?: string): HttpRequest =>
  rpcRequest("tools/call", { name, arguments: args }, { token });

/** Starts the function, uses it and stops it. */
async function withFunction<T>(
  options: Parameters<typeof startFunctionImage>[0],
  use: (target: FunctionImage) => Promise<T>,
): Promise<T> {
  const target = await startFunctionImage(options);
  try {
    return await use(target);
  } finally {
    await target.stop();
  }
}

describe.skipIf(noEngine !== null)("the function", () => {
  let target: FunctionImage;
  beforeAll(async () => {
    target = await startFunctionImage(withTokens);
  });
  afterAll(() => target.stop());
  const send = async (shape: (typeof shapes)[number], request: HttpRequest) =>
    answerOf(await target.invoke(eventShapes[shape](request)));

  test.each(shapes)("answers a %s", async (shape) => {
    for (const base64 of [false, true]) {
      const { status, body } = await send(shape, { ...initialize, base64 });
      expect([status, body.result?.protocolVersion]).toEqual([200, "2025-11-25"]);
    }
    const { body } = await send(
      shape,
      callOf("validate_policies", { policies: [readOnly] }, tokens.all),
    );
    expect(body.result?.isError).toBe(false);
    expect((await send(shape, { method: "GET" })).status).toBe(405);
    expect((await send(shape, rpcRequest("tools/list"))).status).toBe(401);
  });

  test("writes audit records that the platform's console does not touch", async () => {
    const queries = () =>
      target.out.all.flatMap((line) => parsedRecord(line)).filter(({ tool }) => tool === "query");
    expect(queries()).toEqual([]);
    await send("function URL", callOf("query", { kind: "actions", service: "s3" }, tokens.query));
    await expect.poll(queries).toMatchObject([{ subject: "client-query" }]);
  });

  test("serves the baked reference data", async () => {
    const { body } = await send("function URL", callOf("get_config", {}, tokens.config));
    expect(body.result?.structuredContent).toMatchObject({
      reference_data: { source: "directory" },
    });
  });

  test("does large calls in worker threads, also where its code is bundled", async () => {
    const Statement = Array.from({ length: 6_000 }, (_, index) => ({
      ...readOnly.Statement[0],
      Sid: `S${index}`,
    }));
    const policies = [{ ...readOnly, Statement }];
    const { body } = await send(
      "function URL",
      callOf("validate_policies", { policies, detail: "summary" }, tokens.all),
    );
    expect(body.result?.isError).toBe(false);
  });

  test.each(ReportFormat.options)("writes reports as %s", async (format) => {
    const { body } = await send(
      "function URL",
      callOf("validate_policies", { policies: [readOnly], format }, tokens.all),
    );
    expect(body.result?.isError).toBe(false);
  });
});

describe.skipIf(noEngine !== null)("the function's module", () => {
  test("does nothing when it is imported", async () => {
    const script =
      'const m = await import("/var/task/iam_validator.mjs"); console.log(Object.keys(m).join(), typeof m.mcp.awslambda);';
    const ended = await dockerRun(
      ...["--network", "none", "--entrypoint", "/var/lang/bin/node", functionImage],
      ...["--input-type=module", "-e", script],
    );
    expect(ended).toEqual({ code: 0, stdout: "mcp object\n", stderr: "" });
  });
});

describe.skipIf(noEngine !== null)("the function refuses to start", () => {
  const rows: readonly [StartupErrorKind, Readonly<Record<string, string>>, RegExp][] = [
    ["config_required", { VALIDATOR_MCP_CONFIG: "", VALIDATOR_MCP_AUTH: "" }, /CONFIG.*AUTH/],
    ["auth_not_explicit", { VALIDATOR_MCP_AUTH: "" }, /VALIDATOR_MCP_AUTH/],
    ["config_missing", { VALIDATOR_MCP_CONFIG: "/var/task/no.yaml" }, /no\.yaml/],
    ["cache_directory", { VALIDATOR_MCP_CACHE_DIRECTORY: "/var/task/cache" }, /not writable/],
    ["unknown_auth", { VALIDATOR_MCP_AUTH: "kerberos" }, /kerberos/],
    ["auth_jwt", { VALIDATOR_MCP_AUTH: "jwt" }, /AUTH_JWT_ISSUER/],
  ];

  test.each(rows)("%s: an initialization error that says why", async (_, environment, says) => {
    await withFunction({ environment }, async (target) => {
      const { errorType, errorMessage } = await target.failure(functionUrl(initialize));
      expect(errorType).toBe("StartupError");
      expect(errorMessage).toMatch(says);
    });
  });
});

/** Plays the one call of the platform's API that the self check makes. */
async function functionUrlApi(status: number, body: object, errorType?: string) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(status, {
      "content-type": "application/json",
      ...(errorType && { "x-amzn-errortype": errorType }),
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    paths,
    environment: {
      VALIDATOR_MCP_AUTH: "gateway",
      AWS_LAMBDA_FUNCTION_NAME: "validator",
      AWS_ENDPOINT_URL_LAMBDA: `http://host.docker.internal:${port}`,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
      AWS_SECRET_ACCESS_KEY: "not-a-key",
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(noEngine !== null)("gateway in the function", () => {
  const urlOf = (AuthType: string) => ({
    AuthType,
    FunctionUrl: "https://x.lambda-url.eu-west-1.on.aws/",
    FunctionArn: "arn:aws:lambda:eu-west-1:123456789012:function:validator",
    CreationTime: "2026-11-21T07:00:00Z",
  });
  const claims = { jwt: { claims: { sub: "alice", scope: "iam:config" } } };

  test("refuses to start beside a function URL that anyone may call", async () => {
    await using api = await functionUrlApi(200, urlOf("NONE"));
    await withFunction({ environment: api.environment }, async (target) => {
      const { errorType, errorMessage } = await target.failure(functionUrl(initialize));
      expect([errorType, errorMessage]).toEqual([
        "StartupError",
        expect.stringContaining("must not be paired with a function URL of auth type NONE"),
      ]);
      expect(api.paths[0]).toContain("/functions/validator/url");
    });
  });

  test.each([
    ["has a URL with IAM auth", 200, urlOf("AWS_IAM"), undefined, false],
    ["has no URL", 404, { Message: "none" }, "ResourceNotFoundException", false],
    ["may not look", 403, { Message: "no" }, "AccessDeniedException", true],
  ] as const)("starts where it %s", async (_, status, body, errorType, warns) => {
    await using api = await functionUrlApi(status, body, errorType);
    await withFunction({ environment: api.environment }, async (target) => {
      const request = callOf("get_config", {});
      const allowed = await target.invoke(functionUrl({ ...request, authorizer: claims }));
      expect(answerOf(allowed).body.result?.isError).toBe(false);
      const headers = { ...request.headers, authorization: "Bearer anything" };
      const refused = answerOf(await target.invoke(functionUrl({ ...request, headers })));
      expect([refused.status, refused.body.error]).toEqual([401, "invalid_token"]);
      expect(target.err.text.includes("could not be checked")).toBe(warns);
    });
  });
});

describe.skipIf(noEngine !== null)("time and space of the function", () => {
  const statements = (count: number, ms: number) => ({
    ...readOnly,
    Statement: Array.from({ length: count }, (_, index) => ({
      ...readOnly.Statement[0],
      Sid: `wait${ms}n${index}`,
    })),
  });
  const slow = (policy: object) => functionUrl(callOf("validate_policies", { policies: [policy] }));

  test("a call past request_timeout_s is a tool error", async () => {
    const environment = { VALIDATOR_MCP_REQUEST_TIMEOUT_S: "1", AWS_LAMBDA_FUNCTION_TIMEOUT: "30" };
    await withFunction({ flags: { config_source: slowConfig }, environment }, async (target) => {
      const { status, body } = answerOf(await target.invoke(slow(statements(100, 20))));
      expect([status, body.result]).toEqual([
        200,
        toolError(expect.stringContaining("the limit is 1 s (request_timeout_s)")),
      ]);
    });
  });

  test("so is one that the function's own timeout would cut, also when one check never lets go", async () => {
    const environment = { AWS_LAMBDA_FUNCTION_TIMEOUT: "4" };
    await withFunction({ flags: { config_source: slowConfig }, environment }, async (target) => {
      await target.invoke(functionUrl(initialize));
      // Many short steps, then one step longer than the timeout: its thread is ended.
      for (const policy of [statements(300, 20), statements(1, 20_000)]) {
        const { status, body } = answerOf(await target.invoke(slow(policy)));
        expect([status, body.result]).toEqual([
          200,
          toolError(
            expect.stringContaining("the platform's timeout came before request_timeout_s"),
          ),
        ]);
      }
      expect(answerOf(await target.invoke(functionUrl(initialize))).status).toBe(200);
    });
  });

  test("an answer of more than 5.5 MiB arrives degraded, and no answer is too large", async () => {
    const environment = { VALIDATOR_MCP_MAX_RESPONSE_BYTES: String(64 * 1_048_576) };
    await withFunction({ environment }, async (target) => {
      for (const statements of [1_800, 4_000]) {
        const Statement = Array.from({ length: statements }, (_, index) => ({
          Sid: `S${index}`,
          Effect: "Allow",
          Action: "*",
          Resource: "*",
        }));
        const policies = [{ ...readOnly, Statement }];
        const request = callOf("validate_policies", { policies, detail: "full" });
        const headers = { ...request.headers, "accept-encoding": "gzip" };
        const { status, bytes } = answerOf(
          await target.invoke(functionUrl({ ...request, headers })),
        );
        expect(status).toBe(200);
        expect(bytes.byteLength).toBeLessThan(5.6 * 1_048_576);
      }
    });
  });

  test("without baked data and without a network a call fails, and says so", async () => {
    const environment = {
      VALIDATOR_MCP_AWS_SERVICES_DIR: "",
      VALIDATOR_MCP_REFERENCE_DATA_URL: "http://127.0.0.1:9/list.json",
      VALIDATOR_MCP_REQUEST_TIMEOUT_S: "5",
    };
    await withFunction({ environment }, async (target) => {
      const request = callOf("validate_policies", { policies: [readOnly] });
      const { body } = answerOf(await target.invoke(functionUrl(request)));
      expect(body.result?.isError).toBe(true);
    });
  });
});

function parsedRecord(line: string): AuditRecord[] {
  if (!line.startsWith("{")) return [];
  const parsed = AuditRecord.safeParse(JSON.parse(line));
  return parsed.success ? [parsed.data] : [];
}
