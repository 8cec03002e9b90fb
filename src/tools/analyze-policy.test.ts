import { delay, HttpResponse, http } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Settings } from "../../spec/settings.ts";
import { analyzePolicy as contract } from "../../spec/tools/analyze-policy.ts";
import {
  type Answer,
  accessAnalyzer,
  awsFinding,
  found,
  noAnswer,
  refusedByAws,
  stubAwsEnvironment,
} from "../../test/support/access-analyzer.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { onlyCaller } from "../admission/call-pass.ts";
import { createClients } from "../analyze/client.ts";
import { createPool } from "../pool/pool.ts";
import type { ValidationPool } from "../pool/types.ts";
import { createAnalyzePolicy } from "./analyze-policy.ts";

const canary = "canary7f3a";
const policy = {
  Version: "2012-10-17",
  Statement: [{ Sid: canary, Effect: "Allow", Action: "*", Resource: "*" }],
};

const aws = accessAnalyzer();
const { sent } = aws;
const api = aws.answer;

beforeAll(() => aws.server.listen({ onUnhandledFrame: "error" }));
afterAll(() => aws.server.close());
beforeEach(stubAwsEnvironment);
afterEach(() => {
  aws.reset();
  vi.unstubAllEnvs();
});

interface Options {
  readonly settings?: Partial<Settings>;
  readonly signal?: AbortSignal;
  readonly maxResultBytes?: number;
  readonly pool?: ValidationPool;
}

/** A server process with the tool, whose clock the test moves. */
function serve({ settings = {}, signal, maxResultBytes = 1_000_000, pool }: Options = {}) {
  const clock = { ms: 0 };
  const made: string[] = [];
  const tool = createAnalyzePolicy({
    now: () => clock.ms,
    createClients: (options) => {
      const clients = createClients(options);
      return {
        get(region) {
          made.push(region);
          return clients.get(region);
        },
      };
    },
  });
  const { runtime, logged } = bareRuntime(settings);
  const context = {
    runtime: pool ? { ...runtime, pool } : runtime,
    toolNames: [],
    ...onlyCaller,
    maxResultBytes,
    signal: signal ?? new AbortController().signal,
  };
  const call = async (args: object = {}) => {
    const input = contract.input.parse({ policy, ...args });
    const { output } = await tool.run(input, context);
    return contract.output.parse(output);
  };
  return { call, clock, made, logged };
}

describe("findings", () => {
  test("come in the order of the API, under our names, locations unchanged", async () => {
    api(found(awsFinding("A"), awsFinding("B")));
    expect(await serve().call()).toEqual({
      findings: ["A", "B"].map((code) => ({
        finding_type: "SECURITY_WARNING",
        issue_code: code,
        message: `Details of ${code}.`,
        learn_more_link: awsFinding(code).learnMoreLink,
        locations: awsFinding(code).locations,
      })),
      finding_count: 2,
    });
  });

  test("may be none", async () => {
    api(found());
    expect(await serve().call()).toEqual({ findings: [], finding_count: 0 });
  });

  test("of all pages are collected", async () => {
    api(
      () => HttpResponse.json({ findings: [awsFinding("A")], nextToken: "two" }),
      () => HttpResponse.json({ findings: [], nextToken: "three" }),
      found(awsFinding("B")),
    );
    const { findings } = await serve().call();
    expect(findings.map(({ issue_code }) => issue_code)).toEqual(["A", "B"]);
    expect(sent.map(({ url }) => url.searchParams.get("nextToken"))).toEqual([
      null,
      "two",
      "three",
    ]);
  });

  test("that go round in circles are an error", async () => {
    api(() => HttpResponse.json({ findings: [awsFinding("A")], nextToken: "again" }));
    await expect(serve().call()).rejects.toMatchObject({ kind: "cloud_api_error" });
    expect(sent).toHaveLength(2);
  });

  test("without an end are an error after 100 pages", async () => {
    api(() => HttpResponse.json({ findings: [], nextToken: `page-${sent.length}` }));
    await expect(serve().call()).rejects.toMatchObject({ kind: "cloud_api_error" });
    expect(sent).toHaveLength(100);
  });

  test("past the size limit lose their locations, then go from the end, and the answer says so", async () => {
    const many = Array.from({ length: 40 }, (_, index) => awsFinding(`CODE_${index}`));
    api(found(...many));
    const { call } = serve({ maxResultBytes: 4_000 });
    const { findings, truncated, truncated_count = 0 } = await call();
    expect(truncated).toBe(true);
    expect(findings.length + truncated_count).toBe(40);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every((one) => one.locations === undefined)).toBe(true);
  });
});

describe("the request", () => {
  test.each([
    ["identity", { policyType: "IDENTITY_POLICY" }],
    ["Resource_Policy", { policyType: "RESOURCE_POLICY" }],
    ["scp", { policyType: "SERVICE_CONTROL_POLICY" }],
    ["RCP", { policyType: "RESOURCE_CONTROL_POLICY" }],
    ["boundary", { policyType: "IDENTITY_POLICY" }],
    ["SESSION_POLICY", { policyType: "IDENTITY_POLICY" }],
    ["endpoint", { policyType: "RESOURCE_POLICY" }],
    [
      "trust",
      {
        policyType: "RESOURCE_POLICY",
        validatePolicyResourceType: "AWS::IAM::AssumeRolePolicyDocument",
      },
    ],
  ])("policy_type %s goes out in the words of the API", async (policy_type, words) => {
    api(found());
    await serve().call({ policy_type });
    expect(sent[0]?.body).toEqual({ policyDocument: JSON.stringify(policy), ...words });
  });

  test("a policy is an identity policy unless the caller says otherwise", async () => {
    api(found());
    await serve().call();
    expect(sent[0]?.body).toMatchObject({ policyType: "IDENTITY_POLICY" });
  });

  test("names this product and its version", async () => {
    api(found());
    await serve().call();
    expect(sent[0]?.headers.get("user-agent")).toMatch(/\bvalidator-mcp\/1\.2\.3\b/);
  });

  test("goes to the server's own region, signed with the server's credentials", async () => {
    api(found());
    await serve().call();
    expect(sent[0]?.url.host).toBe("access-analyzer.eu-west-1.amazonaws.com");
    expect(sent[0]?.headers.get("authorization")).toMatch(/AKIDEXAMPLE\/\d+\/eu-west-1\//);
  });

  test("goes to the default region of the partition asked for", async () => {
    api(found());
    const settings = { allowed_regions: ["cn-north-1"] };
    await serve({ settings }).call({ partition: "aws-cn" });
    expect(sent[0]?.url.host).toBe("access-analyzer.cn-north-1.amazonaws.com.cn");
  });

  test("AWS_DEFAULT_REGION is the own region where AWS_REGION is unset", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    vi.stubEnv("AWS_DEFAULT_REGION", "eu-central-1");
    api(found());
    await serve().call();
    expect(sent[0]?.url.host).toBe("access-analyzer.eu-central-1.amazonaws.com");
  });

  test("without any own region the partition default is asked, and the log says so once", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    api(found());
    const { call, logged } = serve();
    await call();
    await call();
    expect(sent.map(({ url }) => url.host)).toEqual(
      Array(2).fill("access-analyzer.us-east-1.amazonaws.com"),
    );
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/allowed_regions/);
    await expect(call({ region: "eu-west-1" })).rejects.toMatchObject({
      kind: "region_not_allowed",
    });
  });

  test("the log has no warning where the region is known or the operator has named some", async () => {
    api(found());
    const known = serve();
    await known.call();
    vi.stubEnv("AWS_REGION", undefined);
    const named = serve({ settings: { allowed_regions: ["eu-west-1"] } });
    await named.call();
    expect([known.logged, named.logged]).toEqual([[], []]);
  });
});

describe("long texts", () => {
  const yaml = `Id: ${"x".repeat(20_000)}\nStatement: []\n`;
  const settings = Settings.parse({ max_policy_bytes: 30_000 });
  const data = { settings, environment: {}, configValue: {}, digest: "" };
  const pool = createPool(data, { workers: 1, queue: 1 });
  afterAll(() => pool.close());

  test("are parsed in a worker and sent like short ones", async () => {
    api(found());
    await serve({ settings, pool }).call({ policy: yaml });
    expect(sent[0]?.body).toMatchObject({
      policyDocument: JSON.stringify({ Id: "x".repeat(20_000), Statement: [] }),
    });
    // A worker starts in 2 s; on busy cores 20 s were not enough.
  }, 60_000);

  test.each([
    ["syntax", `${yaml}[`, "invalid_policy_entry"],
    ["size", yaml.repeat(2), "policy_too_large"],
  ])("are refused for their %s as short ones are", async (_, text, kind) => {
    await expect(serve({ settings, pool }).call({ policy: text })).rejects.toMatchObject({ kind });
  });

  test("short ones need no worker, long ones never hold this thread", async () => {
    api(found());
    const { runtime } = bareRuntime();
    const read: number[] = [];
    const readDocument: ValidationPool["readDocument"] = async ({ text }) => {
      read.push(text.length);
      return "{}";
    };
    const { call } = serve({ pool: { ...runtime.pool, readDocument } });
    const textOf = (length: number) => "Statement: []".padEnd(length, " ");
    await call({ policy: textOf(2_048) });
    expect([sent.length, read]).toEqual([1, []]);
    await call({ policy: textOf(2_049) });
    expect([sent.length, read]).toEqual([2, [2_049]]);
  });
});

describe("refused before AWS is asked", () => {
  const huge = { ...policy, Id: "x".repeat(3_000) };
  test.each([
    [
      "an unknown partition",
      { partition: "azure" },
      "unsupported_partition",
      /Unsupported partition .*aws-cn/,
    ],
    [
      "an unknown policy type",
      { policy_type: "role" },
      "unknown_policy_type",
      /Invalid policy_type "role"; use one of identity, .*rcp, /,
    ],
    [
      "no policy document",
      { policy: "no: {policy" },
      "invalid_policy_entry",
      /^policy is not a policy document/,
    ],
    ["a policy too large", { policy: huge }, "policy_too_large", /max_policy_bytes/],
    [
      "a region that is not allowed",
      { region: "us-east-1" },
      "region_not_allowed",
      /us-east-1.*eu-west-1/,
    ],
  ])(
    "%s: no client is made and no call of the rate limit spent",
    async (_, args, kind, message) => {
      api(found());
      const settings = { max_policy_bytes: 2_000, analyze_rate_limit: 1 };
      const { call, made } = serve({ settings });
      await expect(call(args)).rejects.toMatchObject({
        kind,
        message: expect.stringMatching(message),
      });
      expect(made).toEqual([]);
      expect(sent).toEqual([]);
      await call();
      expect(made).toEqual(["eu-west-1"]);
    },
  );

  test("the whole request is bounded too", async () => {
    const { call } = serve({ settings: { max_request_bytes: 10 } });
    await expect(call()).rejects.toMatchObject({
      kind: "request_too_large",
      message: expect.stringMatching(/max_request_bytes/),
    });
  });

  test("errors come in order: partition, policy type, shape, size, region, rate", async () => {
    api(found());
    const settings = { max_policy_bytes: 2_000, analyze_rate_limit: 1 };
    const { call } = serve({ settings });
    await call();
    const wrong = { partition: "x", policy_type: "x", policy: "[", region: "x" };
    const right = [{ partition: "aws" }, { policy_type: "scp" }, { policy: huge }, { policy }];
    const kinds = [
      "unsupported_partition",
      "unknown_policy_type",
      "invalid_policy_entry",
      "policy_too_large",
      "region_not_allowed",
    ];
    let args: object = wrong;
    for (const [step, kind] of kinds.entries()) {
      await expect(call(args)).rejects.toMatchObject({ kind });
      args = { ...args, ...right[step] };
    }
    await expect(call()).rejects.toMatchObject({ kind: "rate_limited" });
  });
});

describe("rate limit", () => {
  test("the call past the limit is refused, until a minute has passed", async () => {
    api(found());
    const { call, clock } = serve({ settings: { analyze_rate_limit: 2 } });
    await call();
    await call();
    await expect(call()).rejects.toMatchObject({
      kind: "rate_limited",
      message: expect.stringMatching(/rate limit.*2 per minute.*per process/),
    });
    expect(sent).toHaveLength(2);
    clock.ms += 60_000;
    await call();
  });

  test("0 is not a limit", async () => {
    api(found());
    const { call } = serve({ settings: { analyze_rate_limit: 0 } });
    for (let count = 0; count < 15; count++) await call();
    expect(sent).toHaveLength(15);
  });
});

describe("AWS fails", () => {
  test("without credentials the server says that it has none", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
    api(found());
    await expect(serve().call()).rejects.toMatchObject({
      kind: "no_credentials",
      message: expect.stringMatching(/no AWS credentials/),
    });
    expect(sent).toEqual([]);
  });

  test.each([
    [400, "ThrottlingException", "Rate exceeded"],
    [
      403,
      "AccessDeniedException",
      "User is not authorized to perform: access-analyzer:ValidatePolicy",
    ],
    [403, "ExpiredTokenException", "The security token included in the request is expired"],
    [403, "UnrecognizedClientException", "The security token included in the request is invalid."],
    [400, "ValidationException", "Invalid policy document"],
    [500, "InternalServerException", "Internal error"],
    [400, "SomethingNewException", "AWS has thought of something new"],
  ])("%d %s is shown with its code and message", async (status, type, message) => {
    api(refusedByAws(status, type, message));
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_api_error",
      message: expect.stringContaining(`${type}: ${message}`),
    });
  });

  test("throttling is tried again as the SDK is told to", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "2");
    api(refusedByAws(429, "ThrottlingException", "Rate exceeded"), found(awsFinding("A")));
    expect(await serve().call()).toMatchObject({ finding_count: 1 });
    expect(sent).toHaveLength(2);
  });

  test("control characters and endless texts of AWS do not come through", async () => {
    api(refusedByAws(400, "ValidationException", `line\n\u0007${"x".repeat(5_000)}`));
    const error = await serve()
      .call()
      .catch((thrown: Error) => thrown.message);
    expect(error).not.toMatch(/\p{Cc}/u);
    expect(String(error).length).toBeLessThan(1_200);
  });

  test("a network failure gives a short reason", async () => {
    api(() => HttpResponse.error());
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_network_error",
      message: expect.stringMatching(
        /^Access Analyzer in eu-west-1 could not be reached \(.{1,40}\)/,
      ),
    });
  });

  test.each<[string, Answer]>([
    ["no JSON", () => new HttpResponse("<html>", { headers: { "content-type": "text/html" } })],
    ["cut JSON", () => new HttpResponse('{"findings":[{')],
    ["no findings", () => HttpResponse.json({})],
    ["findings that are not a list", () => HttpResponse.json({ findings: "many" })],
    ["a finding without a code", found({ ...awsFinding("A"), issueCode: undefined })],
    ["a finding of an unknown type", found({ ...awsFinding("A"), findingType: "ODDITY" })],
    ["an error page of a proxy", () => new HttpResponse("<html>Bad", { status: 502 })],
  ])("%s is an answer that cannot be read", async (_, answer) => {
    api(answer);
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_network_error",
      message: expect.stringMatching(
        /^Access Analyzer in eu-west-1 returned a response that could not/,
      ),
    });
  });
});

describe("large answers", () => {
  test("of more than 8 MiB are refused", async () => {
    api(found({ ...awsFinding("A"), findingDetails: "x".repeat(8 * 1_048_576) }));
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_api_error",
      message: "Access Analyzer in eu-west-1 returned more than 8 MiB of findings.",
    });
  });

  test("of more than 16 MiB over all pages are refused", async () => {
    let page = 0;
    api(() => {
      page += 1;
      const findings = [{ ...awsFinding("A"), findingDetails: "x".repeat(6 * 1_048_576) }];
      return HttpResponse.json({ findings, nextToken: `page ${page}` });
    });
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_api_error",
      message: "Access Analyzer in eu-west-1 returned more than 16 MiB of findings.",
    });
    expect(page).toBe(3);
  });

  test.each([
    ["nested 7,000 levels deep", `{"findings":[],"more":${"[".repeat(7_000)}${"]".repeat(7_000)}}`],
    ["with a token of 10,000 characters", `{"findings":[],"nextToken":"${"x".repeat(10_000)}"}`],
  ])("%s cannot be parsed", async (_, text) => {
    api(() => new HttpResponse(text, { headers: { "content-type": "application/json" } }));
    await expect(serve().call()).rejects.toMatchObject({
      kind: "cloud_network_error",
      message: expect.stringContaining("could not be parsed"),
    });
  });

  test("in chunks of one byte are read", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ findings: [awsFinding("A")] }));
    const chunks = ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    api(() => new HttpResponse(chunks, { headers: { "content-type": "application/json" } }));
    expect(await serve().call()).toMatchObject({ finding_count: 1 });
  });

  test("with an error are read to 64 KiB", async () => {
    const headers = { "x-amzn-errortype": "ValidationException" };
    const message = "x".repeat(1_000_000);
    api(() => HttpResponse.json({ message }, { status: 400, headers }));
    await expect(serve().call()).rejects.toMatchObject({
      message: expect.stringMatching(/^Access Analyzer in eu-west-1 .{1,200}$/),
    });
  });
});

describe("slow answers", () => {
  test("as much time as request_timeout_s is the caller's own still", async () => {
    api(noAnswer);
    const { call } = serve({ settings: { request_timeout_s: 1 } });
    await expect(call({ timeout_seconds: 1 })).rejects.toMatchObject({ kind: "cloud_timeout" });
  });

  test("the caller's own time runs out", async () => {
    api(noAnswer);
    await expect(serve().call({ timeout_seconds: 0.05 })).rejects.toMatchObject({
      kind: "cloud_timeout",
      message: expect.stringMatching(/timed out.*0\.05 seconds/),
    });
  });

  test("the time runs on between the SDK's attempts", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "10");
    const headers = { "x-amzn-errortype": "ThrottlingException", "retry-after": "3600" };
    api(() => HttpResponse.json({ message: "Rate exceeded" }, { status: 429, headers }));
    await expect(serve().call({ timeout_seconds: 0.05 })).rejects.toMatchObject({
      kind: "cloud_timeout",
    });
  });

  test("the time runs on while credentials are fetched", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://localhost/credentials");
    aws.server.use(http.get("http://localhost/credentials", noAnswer));
    await expect(serve().call({ timeout_seconds: 0.05 })).rejects.toMatchObject({
      kind: "cloud_timeout",
    });
  });

  test("more time than request_timeout_s is not to be had: the call's deadline comes first", async () => {
    const deadline = new AbortController();
    const reason = new Error("deadline");
    api(async () => {
      await delay(20);
      deadline.abort(reason);
      return noAnswer();
    });
    const { call } = serve({ settings: { request_timeout_s: 1 }, signal: deadline.signal });
    await expect(call({ timeout_seconds: 1e300 })).rejects.toBe(reason);
  });

  test("a caller who goes away ends the call", async () => {
    const caller = new AbortController();
    const reason = new Error("gone");
    api(() => {
      caller.abort(reason);
      return noAnswer();
    });
    await expect(serve({ signal: caller.signal }).call()).rejects.toBe(reason);
  });
});

test("nothing of policy or findings is logged or printed, whatever happens", async () => {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  }
  for (const answer of [
    found(awsFinding("A", canary)),
    refusedByAws(400, "ValidationException", canary),
    () => new HttpResponse(canary),
    () => HttpResponse.error(),
  ]) {
    aws.reset();
    api(answer);
    const { call, logged } = serve();
    await call().catch(() => undefined);
    printed.push(...logged);
  }
  vi.restoreAllMocks();
  expect(printed.join("\n")).not.toContain(canary);
});

test("audit records count one policy, whatever the arguments are", () => {
  const tool = createAnalyzePolicy({ now: () => 0, createClients });
  expect([{}, null, { policy: [1, 2] }].map((args) => tool.policyCount(args))).toEqual([1, 1, 1]);
});

test("a call may have as many values as a policy needs", () => {
  expect(createAnalyzePolicy({ now: () => 0, createClients }).takesPolicies).toBe(true);
});
