import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxLoginBodyBytes } from "../../spec/login.ts";
import { raw } from "../support/http.ts";
import { base, githubVariables, prefixed } from "../support/login/variables.ts";
import { type Probed, startProbed } from "../support/probed.ts";
import { rpcRequest } from "../support/rpc.ts";

/** As in loop-routes.test.ts: the routes here need a server with metrics, a login, or an API of AWS. */
const mostMs = 15;
const attempts = 10;

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

let aws: Server;
let open: Probed;
let login: Probed;
let metricsUrl: string;
/** The findings of the API's next answers, as JSON text. */
let awsFindings = "[]";

beforeAll(async () => {
  aws = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(`{"findings":${awsFindings}}`);
    });
  }).listen(0, "127.0.0.1");
  await once(aws, "listening");
  [open, login] = await Promise.all([
    startProbed({
      environment: {
        VALIDATOR_MCP_ANALYZE_RATE_LIMIT: "1000",
        VALIDATOR_MCP_METRICS_PORT: "0",
        AWS_ENDPOINT_URL_ACCESSANALYZER: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
        AWS_SECRET_ACCESS_KEY: "not-a-secret",
        AWS_EC2_METADATA_DISABLED: "true",
        AWS_REGION: "eu-west-1",
      },
    }),
    startProbed({ flags: { auth: "github" }, environment: prefixed(githubVariables) }),
  ]);
  metricsUrl = /"url":"(http[^"]+\/metrics)"/.exec(open.log.text)?.[1] ?? "";
  for (const { url } of [open, login]) {
    while ((await raw(`${url}/ready`)).status !== 200) await after(50);
  }
}, 90_000);
afterAll(async () => {
  await Promise.all([open?.stop(), login?.stop()]);
  aws?.close();
});

async function expectShortTurns(target: Probed, send: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  const within = () => took.filter((ms) => ms <= mostMs).length;
  do took.push(await target.longestTurnOf(send));
  while (within() < 2 && took.length < attempts);
  expect(within(), `took ${took.join()} ms`).toBeGreaterThanOrEqual(2);
}

const finding = {
  findingType: "ERROR",
  issueCode: "INVALID_ACTION",
  findingDetails: "The action does not exist.",
  learnMoreLink: "https://docs.aws.amazon.com/",
  locations: [],
};
const span = { start: { line: 1, column: 1, offset: 1 }, end: { line: 1, column: 2, offset: 2 } };
const location = { path: [{ value: "Statement" }, { index: 0 }, { value: "Action" }], span };
const answersOfAws = {
  "no findings": [],
  "100 findings": many(100, () => finding),
  "2,000 findings": many(2_000, () => finding),
  "a text of 1 MB": [{ ...finding, findingDetails: "x".repeat(1_000_000) }],
  "a finding with 10,000 locations": [{ ...finding, locations: many(10_000, () => location) }],
  "2,000 findings with 10 locations": many(2_000, () => ({
    ...finding,
    locations: many(10, () => location),
  })),
  "7 MB of empty locations": [{ ...finding, locations: many(2_300_000, () => ({})) }],
};

test.for(Object.entries(answersOfAws))(
  "an answer of AWS with %s holds the event loop for at most 15 ms",
  { timeout: 120_000 },
  async ([, findings]) => {
    awsFindings = JSON.stringify(findings);
    const { body } = rpcRequest("tools/call", {
      name: "analyze_policy",
      arguments: { policy_type: "IDENTITY_POLICY", policy: { Version: "2012-10-17" } },
    });
    await expectShortTurns(open, async () => {
      const { text } = await raw(`${open.url}/mcp`, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body,
      });
      expect(text).toContain('"finding_count"');
    });
  },
);

test("GET /metrics holds the event loop for at most 15 ms", { timeout: 120_000 }, () =>
  expectShortTurns(open, async () => expect((await raw(metricsUrl)).status).toBe(200)),
);

const json = "application/json";
const form = "application/x-www-form-urlencoded";
/** As many of the items as a body may have. */
const filled = (item: (index: number) => string, used = 0) => {
  let text = "";
  for (let at = 0; used + text.length + item(at).length <= maxLoginBodyBytes; at++)
    text += item(at);
  return text;
};
const pairs = filled((at) => `a${at}=1&`);
const repeated = filled(() => "code=1&");
const escapes = `code=${filled(() => "%41", 5)}`;
const sealed = "grant_type=refresh_token&client_id=x&token=x&refresh_token=";
const posts: readonly (readonly [path: string, what: string, type: string, body: string])[] = [
  ...["token", "consent"].flatMap((path) => [
    [path, "many fields", form, pairs] as const,
    [path, "one field many times", form, repeated] as const,
    [path, "one field of escapes", form, escapes] as const,
    [path, "a long sealed value", form, `${sealed}${filled(() => "A", sealed.length)}`] as const,
  ]),
  [
    "register",
    "many redirects",
    json,
    `{"redirect_uris":["http://127.0.0.1/"${filled((at) => `,"http://127.0.0.1:${at}/"`, 50)}]}`,
  ],
  ["register", "brackets", json, filled(() => "[")],
  [
    "register",
    "a name of escapes",
    json,
    `{"redirect_uris":["http://127.0.0.1/"],"client_name":"${filled(() => "\\u202e", 70)}"}`,
  ],
];

test.for(posts)(
  "POST /oauth/%s with %s holds the event loop for at most 15 ms",
  { timeout: 120_000 },
  async ([path, , type, body]) => {
    await expectShortTurns(login, async () => {
      const { status } = await raw(`${login.url}/oauth/${path}`, {
        method: "POST",
        headers: { "content-type": type, host: "validator.example.com", origin: base },
        body,
      });
      // A body that is refused for its size would not have been parsed.
      expect([200, 201, 400, 401]).toContain(status);
    });
  },
);

const gets: readonly (readonly [what: string, path: string, status: number])[] = [
  ["the login's metadata", "/.well-known/oauth-authorization-server", 200],
  ["the resource's metadata", "/.well-known/oauth-protected-resource", 200],
  ["authorize without fields", "/oauth/authorize", 400],
  ["authorize with a client id of 12 KB", `/oauth/authorize?client_id=${"x".repeat(12_000)}`, 400],
  [
    "authorize with 2,000 fields",
    `/oauth/authorize?${many(2_000, (at) => `a${at}=1`).join("&")}`,
    400,
  ],
  ["authorize with 12 KB of escapes", `/oauth/authorize?redirect_uri=${"%41".repeat(4_000)}`, 400],
  ["callback with a state of 12 KB", `/oauth/callback?code=x&state=${"A".repeat(12_000)}`, 400],
];

test.for(gets)(
  "GET of %s holds the event loop for at most 15 ms",
  { timeout: 120_000 },
  async ([, path, expected]) => {
    await expectShortTurns(login, async () => {
      const { status } = await raw(`${login.url}${path}`, {
        headers: { host: "validator.example.com" },
      });
      expect(status).toBe(expected);
    });
  },
);
