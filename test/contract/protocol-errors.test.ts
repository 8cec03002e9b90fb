import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type Era, eras, type RpcAnswer, rpc } from "../support/rpc.ts";
import { tokens, withTokens } from "../support/target.ts";

// Tools are the subject of scopes.test.ts, forms of messages that of http.test.ts.

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess(withTokens);
});
afterAll(() => target.stop());

const everything = { token: tokens.all };

/** What two answers must have in common to be told apart by nothing but the name asked for. */
function shapeOf({ status, headers, text }: RpcAnswer, asked: string): object {
  const kept = [...headers].filter(([name]) => name !== "date" && name !== "content-length");
  return { status, headers: Object.fromEntries(kept), text: text.replaceAll(asked, "<asked>") };
}

/** The JSON-RPC error of an answer with HTTP 200. */
function errorOf({ status, body }: RpcAnswer) {
  expect(status).toBe(200);
  expect(body).not.toHaveProperty("result");
  return body.error;
}

const hiddenResources = [
  "iam://checks",
  "iam://checks/sid_uniqueness",
  "iam://checks/nothing",
  "iam://sensitive-categories",
  "iam://sensitive-actions/data_access",
  "iam://sensitive-actions/nothing",
  "iam://config-schema",
  "iam://config-examples",
];
const hiddenPrompts = ["generate_secure_policy", "review_policy_security"];

describe.each(eras)("hidden and absent look alike in all but the name (%s)", (era) => {
  const options = { token: tokens.query, era };

  test.each(hiddenResources)("resource %s", async (uri) => {
    const absent = await rpc(target, "resources/read", { uri: "iam://absent" }, options);
    expect(errorOf(absent)).toEqual({
      code: -32602,
      message: expect.any(String),
      data: { uri: "iam://absent" },
    });
    const hidden = await rpc(target, "resources/read", { uri }, options);
    expect(shapeOf(hidden, uri)).toEqual(shapeOf(absent, "iam://absent"));
  });

  test.each(hiddenPrompts)("prompt %s, with arguments or without", async (name) => {
    for (const args of [undefined, {}, { policy_json: "{}", service: "s3" }]) {
      const ask = (asked: string) =>
        rpc(target, "prompts/get", { name: asked, ...(args && { arguments: args }) }, options);
      const absent = await ask("absent_prompt");
      expect(errorOf(absent)?.code).toBe(-32602);
      expect(shapeOf(await ask(name), name)).toEqual(shapeOf(absent, "absent_prompt"));
    }
  });
});

async function promptError(name: string, args: object, era: Era) {
  return errorOf(
    await rpc(target, "prompts/get", { name, arguments: args }, { ...everything, era }),
  );
}

describe.each(eras)("prompts (%s)", (era) => {
  test("arguments of more characters than a prompt is rendered with are refused", async () => {
    const name = "review_policy_security";
    const most = { name, arguments: { policy_json: "x".repeat(100_000) } };
    const { body } = await rpc(target, "prompts/get", most, { ...everything, era });
    expect(body).toHaveProperty("result.messages");
    expect(await promptError(name, { policy_json: "x".repeat(100_001) }, era)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/100001 characters; the limit is 100000/),
    });
  });

  test.each([
    ["generate_secure_policy", { operations: "read", resources: "all" }, "service"],
    ["generate_secure_policy", { service: "s3", resources: "all" }, "operations"],
    ["generate_secure_policy", { service: "s3", operations: "read" }, "resources"],
    ["fix_policy_issues_workflow", { policy_json: "{}" }, "issues_description"],
    ["fix_policy_issues_workflow", { issues_description: "x" }, "policy_json"],
    ["review_policy_security", { other: "x" }, "policy_json"],
    ["review_policy_security", {}, "policy_json"],
  ])("%s with %o lacks %s", async (name, args, missing) => {
    expect(await promptError(name, args, era)).toEqual({
      code: -32602,
      message: expect.stringContaining(missing),
    });
  });

  test("arguments of the prototype are none", async () => {
    const args = JSON.parse('{"__proto__": {"policy_json": "{}"}, "toString": "x"}');
    expect((await promptError("review_policy_security", args, era))?.code).toBe(-32602);
  });

  test("what is optional may be left out", async () => {
    const args = { service: "s3", operations: "read", resources: "all" };
    const params = { name: "generate_secure_policy", arguments: args };
    const { body } = await rpc(target, "prompts/get", params, { ...everything, era });
    expect(JSON.stringify(body.result?.messages)).toContain("Lambda function");
  });
});

describe.each(eras)("categories of sensitive actions (%s)", (era) => {
  const read = (category: string) =>
    rpc(
      target,
      "resources/read",
      { uri: `iam://sensitive-actions/${category}` },
      { ...everything, era },
    );

  test("an unknown one is refused with those there are", async () => {
    const error = errorOf(await read("nothing"));
    expect(error?.code).toBe(-32602);
    for (const known of [
      "credential_exposure",
      "data_access",
      "priv_esc",
      "privilege_escalation",
      "resource_exposure",
    ]) {
      expect(error?.message).toContain(known);
    }
  });

  test.each(["priv_esc", "privilege_escalation", "PRIV_ESC", "Data_Access"])(
    "%s is known",
    async (category) => {
      const { status, body } = await read(category);
      expect(status).toBe(200);
      const [content] = (body.result?.contents ?? []) as { text: string; mimeType: string }[];
      expect(content?.mimeType).toBe("application/json");
      const { category: named, actions } = JSON.parse(content?.text ?? "{}");
      expect(named).toBe(category);
      expect(actions).toEqual(actions.toSorted());
      expect(actions.length).toBeGreaterThan(10);
    },
  );
});

const resources: [uri: string, mimeType: string][] = [
  ["iam://checks", "application/json"],
  ["iam://checks/policy_size", "application/json"],
  ["iam://sensitive-categories", "application/json"],
  ["iam://sensitive-actions/data_access", "application/json"],
  ["iam://config-schema", "application/json"],
  ["iam://config-examples", "text/markdown"],
];

test.each(resources)("%s is one text of type %s, the same in both eras", async (uri, mimeType) => {
  const texts = [];
  for (const era of eras) {
    const { body } = await rpc(target, "resources/read", { uri }, { ...everything, era });
    const contents = body.result?.contents as { text: string }[];
    expect(contents).toEqual([{ uri, mimeType, text: expect.stringMatching(/^[\s\S]{20}/) }]);
    if (mimeType === "application/json") JSON.parse(contents[0]?.text ?? "");
    texts.push(contents[0]?.text);
  }
  expect(texts[0]).toBe(texts[1]);
});

test.each(eras)("a defect in a resource is -32603 without details (%s)", async (era) => {
  // The start reads the registry too, so it breaks afterwards.
  let isBroken = false;
  const broken = await startInProcess({
    adjust: (runtime) => ({
      ...runtime,
      get registry() {
        if (isBroken) throw new Error("secret detail");
        return runtime.registry;
      },
    }),
  });
  isBroken = true;
  const { body, text } = await rpc(broken, "resources/read", { uri: "iam://checks" }, { era });
  await broken.stop();
  expect(body.error?.code).toBe(-32603);
  const [, id = "missing"] = /see (\S+) in the log/.exec(text) ?? [];
  expect(broken.log.text).toContain(id);
  expect(text + broken.log.text).not.toContain("secret detail");
});
