import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnyClient, clientKinds, connect } from "../support/clients.ts";
import { call, eras, rpc } from "../support/rpc.ts";
import { type ChosenTarget, startTarget } from "../support/start-target.ts";
import { tokens, withTokens } from "../support/target.ts";

let target: ChosenTarget;
beforeAll(async () => {
  target = await startTarget(withTokens);
});
afterAll(() => target.stop());

/** What each token opens, in the order lists show it. */
const visible = {
  all: {
    tools: ["validate_policies", "query", "describe_checks", "get_config", "analyze_policy"],
    resources: [
      "iam://checks",
      "iam://sensitive-categories",
      "iam://config-schema",
      "iam://config-examples",
    ],
    templates: ["iam://sensitive-actions/{category}", "iam://checks/{check_id}"],
    prompts: ["generate_secure_policy", "fix_policy_issues_workflow", "review_policy_security"],
  },
  validate: {
    tools: ["validate_policies", "describe_checks"],
    resources: ["iam://checks", "iam://sensitive-categories"],
    templates: ["iam://sensitive-actions/{category}", "iam://checks/{check_id}"],
    prompts: ["generate_secure_policy", "fix_policy_issues_workflow", "review_policy_security"],
  },
  query: {
    tools: ["query"],
    resources: [],
    templates: [],
    prompts: ["fix_policy_issues_workflow"],
  },
  config: {
    tools: ["get_config"],
    resources: ["iam://config-schema", "iam://config-examples"],
    templates: [],
    prompts: ["fix_policy_issues_workflow"],
  },
  analyze: {
    tools: ["analyze_policy"],
    resources: [],
    templates: [],
    prompts: ["fix_policy_issues_workflow"],
  },
  none: { tools: [], resources: [], templates: [], prompts: ["fix_policy_issues_workflow"] },
} as const;

type Holder = keyof typeof visible;
const holders = Object.keys(visible) as Holder[];

async function seenBy(client: AnyClient) {
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  return {
    tools: tools.map(({ name }) => name),
    resources: resources.map(({ uri }) => uri),
    templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    prompts: prompts.map(({ name }) => name),
  };
}

describe.each(clientKinds)("%s", (kind) => {
  test.each(holders)("a caller with token %s sees exactly what its scopes open", async (holder) => {
    const client = await connect(target, kind, tokens[holder]);
    try {
      expect(await seenBy(client)).toEqual(visible[holder]);
      expect(await seenBy(client)).toEqual(visible[holder]);
    } finally {
      await client.close();
    }
  });
});

describe.each(eras)("hidden and absent look alike (%s)", (era) => {
  const options = { token: tokens.query, era };

  test("as tools, byte for byte but for the name", async () => {
    const absent = await call(target, "no_such_tool", {}, options);
    expect(absent.status).toBe(200);
    expect(absent.body.error).toEqual({ code: -32602, message: "Tool no_such_tool not found" });
    const hidden = ["validate_policies", "describe_checks", "get_config", "analyze_policy"];
    const onPrototype = ["toString", "__proto__", "constructor", "hasOwnProperty"];
    for (const name of [...hidden, ...onPrototype]) {
      const answer = await call(target, name, { policies: [] }, options);
      expect(answer.status).toBe(absent.status);
      expect(answer.text).toBe(absent.text.replaceAll("no_such_tool", name));
      expect(headersOf(answer.headers)).toEqual(headersOf(absent.headers));
    }
  });

  test("as resources", async () => {
    const absent = await rpc(target, "resources/read", { uri: "iam://nothing" }, options);
    expect(absent.status).toBe(200);
    expect(absent.body.error).toMatchObject({ code: -32602, data: { uri: "iam://nothing" } });
    const hidden = ["iam://checks", "iam://checks/sid_uniqueness", "iam://config-schema"];
    for (const uri of [...hidden, "toString", "iam://checks/"]) {
      const answer = await rpc(target, "resources/read", { uri }, options);
      expect(answer.status).toBe(absent.status);
      expect(answer.text).toBe(absent.text.replaceAll("iam://nothing", uri));
    }
  });

  test("as prompts", async () => {
    const absent = await rpc(target, "prompts/get", { name: "no_such_prompt" }, options);
    expect(absent.status).toBe(200);
    expect(absent.body.error).toMatchObject({ code: -32602 });
    for (const name of ["generate_secure_policy", "review_policy_security", "toString"]) {
      const answer = await rpc(target, "prompts/get", { name }, options);
      expect(answer.status).toBe(absent.status);
      expect(answer.text).toBe(absent.text.replaceAll("no_such_prompt", name));
    }
  });

  test("and leave no audit record", () => {
    expect(target.audit.all).toEqual([]);
  });
});

/** Length and date differ with the name and the clock. */
function headersOf(headers: Headers): object {
  const kept = [...headers].filter(([name]) => name !== "date" && name !== "content-length");
  return Object.fromEntries(kept);
}

test("a name of any length is echoed in part only", async () => {
  const { text } = await call(target, "x".repeat(100_000), {}, { token: tokens.query });
  expect(text.length).toBeLessThan(300);
});

describe("with step-up", () => {
  let stepUp: ChosenTarget;
  beforeAll(async () => {
    stepUp = await startTarget({
      ...withTokens,
      environment: { ...withTokens.environment, VALIDATOR_MCP_AUTH_STEP_UP: "1" },
    });
  });
  afterAll(() => stepUp.stop());

  test.each(eras)("a call of a hidden tool is a 403 that names the scope (%s)", async (era) => {
    const options = { token: tokens.query, era };
    const { status, headers, text } = await call(stepUp, "validate_policies", {}, options);
    expect(status).toBe(403);
    expect(headers.get("www-authenticate")).toMatch(
      /^Bearer .*error="insufficient_scope".*scope="iam:validate"/,
    );
    expect(JSON.parse(text)).toMatchObject({ error: "insufficient_scope" });
  });

  test("an unknown tool stays unknown, and lists stay as they are", async () => {
    const options = { token: tokens.query };
    const { status, body } = await call(stepUp, "no_such_tool", {}, options);
    expect([status, body.error?.code]).toEqual([200, -32602]);
    const { body: list } = await rpc(stepUp, "tools/list", {}, options);
    expect(list.result?.tools).toHaveLength(1);
  });
});

describe("with a profile", () => {
  test.each([
    ["validate-only", ["validate_policies", "describe_checks"]],
    ["validate-and-query", ["validate_policies", "query", "describe_checks"]],
    ["read-only", visible.all.tools],
    ["full", visible.all.tools],
  ] as const)("%s keeps its part for everyone", async (profile, names) => {
    const narrow = await startTarget({ flags: { profile } });
    const { body } = await rpc(narrow, "tools/list");
    const { body: answer } = await call(narrow, "get_config");
    await narrow.stop();
    const tools = body.result?.tools as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(names);
    const gone = !(names as readonly string[]).includes("get_config");
    expect(answer.error?.message).toBe(gone ? "Tool get_config not found" : undefined);
  });
});
