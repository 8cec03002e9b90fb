import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyClient } from "../support/clients.ts";
import { connect } from "../support/clients.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { connectLocal } from "../support/local.ts";
import { publishedSchemas } from "../support/published-schemas.ts";
import { call, eras, rpc } from "../support/rpc.ts";

/** All that a client can list, with every schema, and what it is told at the start. */
async function surfaceOf(client: AnyClient) {
  const server = client.getServerVersion();
  return {
    server: { ...server, version: "(of the build)" },
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
    resources: (await client.listResources()).resources,
    resourceTemplates: (await client.listResourceTemplates()).resourceTemplates,
    prompts: (await client.listPrompts()).prompts,
  };
}

const written = (surface: object) => `${JSON.stringify(surface, null, 2)}\n`;

let hosted: InProcess;
let surfaces: Record<"hosted" | "local", Awaited<ReturnType<typeof surfaceOf>>>;
beforeAll(async () => {
  hosted = await startInProcess();
  const overHttp = await connect(hosted, "SDK 2 on 2026-07-28");
  const overStdio = await connectLocal("SDK 2 on 2026-07-28");
  surfaces = { hosted: await surfaceOf(overHttp), local: await surfaceOf(overStdio) };
  await Promise.all([overHttp.close(), overStdio.close()]);
}, 60_000);
afterAll(() => hosted.stop());

const howToAccept =
  "Callers rely on this. If the change is intended, accept it: " +
  "npx vitest run --project contract test/contract/surface.test.ts -u";

test.each(["hosted", "local"] as const)("the %s surface is what it was", async (mode) => {
  await expect(written(surfaces[mode]), howToAccept).toMatchFileSnapshot(`./surface/${mode}.snap`);
});

test("each tool of local mode shows a published schema, its own or the hosted one", () => {
  for (const { name, inputSchema, outputSchema } of surfaces.local.tools) {
    const shown = { input: inputSchema, output: outputSchema };
    for (const [io, schema] of Object.entries(shown)) {
      const published =
        publishedSchemas.get(`local.${name}.${io}`) ?? publishedSchemas.get(`${name}.${io}`);
      const { $id, title, ...rest } = published ?? {};
      expect(schema, `${name}.${io}`).toEqual({ ...rest, type: "object" });
    }
  }
});

describe("the hosted surface", () => {
  test.each(eras)("is the same in every revision (%s)", async (era) => {
    const { body } = await rpc(hosted, "tools/list", {}, { era });
    expect(body.result?.tools).toEqual(surfaces.hosted.tools);
  });

  test("shows nothing of local mode", () => {
    const text = JSON.stringify(surfaces.hosted);
    expect(text).not.toMatch(/set_config|"glob"|session_config|config_path|your own AWS/);
    for (const { inputSchema } of surfaces.hosted.tools) {
      expect(Object.keys(inputSchema.properties ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(path|glob|profile|file|root|yaml)$/)]),
      );
    }
  });

  test.each(eras)("knows no set_config, by name either (%s)", async (era) => {
    const absent = await call(hosted, "set_config", { action: "clear" }, { era });
    const invented = await call(hosted, "set_confiq", { action: "clear" }, { era });
    expect(absent.body.error).toEqual({
      code: -32602,
      message: invented.body.error?.message.replace("set_confiq", "set_config"),
    });
  });

  test.each([
    ["validate_policies", { path: "policy.json" }],
    ["validate_policies", { policies: [], glob: "*.json" }],
    ["analyze_policy", { policy: {}, profile: "default" }],
  ])("refuses what local mode takes as it refuses any unknown field: %s %j", async (name, args) => {
    const { body } = await call(hosted, name, args);
    expect(body.result).toMatchObject({ isError: true });
    expect(JSON.stringify(body.result)).toMatch(/unknown field|policies/);
  });
});

describe("the local surface", () => {
  test("has all of the hosted one beside what is its own", () => {
    const { hosted: one, local: other } = surfaces;
    const { tools: hostedTools, ...hostedRest } = one;
    const { tools: localTools, ...localRest } = other;
    expect(localRest).toEqual(hostedRest);
    const shared = ["query", "describe_checks"];
    const named = (tools: typeof localTools) => tools.filter(({ name }) => shared.includes(name));
    expect(named(localTools)).toEqual(named(hostedTools));
    expect(localTools.map(({ name }) => name).sort()).toEqual(
      [...hostedTools.map(({ name }) => name), "set_config"].sort(),
    );
  });

  test("only set_config changes anything, only analyze_policy reaches out", () => {
    const hints = surfaces.local.tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.openWorldHint,
    ]);
    expect(hints).toEqual([
      ["validate_policies", true, false],
      ["query", true, false],
      ["describe_checks", true, false],
      ["get_config", true, false],
      ["set_config", false, false],
      ["analyze_policy", true, true],
    ]);
  });

  test("has no union at the root of an input, which model providers refuse", () => {
    for (const { inputSchema } of surfaces.local.tools) {
      expect(inputSchema.type).toBe("object");
      expect(Object.keys(inputSchema)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(oneOf|anyOf|allOf)$/)]),
      );
    }
  });
});
