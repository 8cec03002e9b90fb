import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Settings } from "../../../spec/settings.ts";
import { localAnalyzePolicy as contract } from "../../../spec/tools/local/analyze-policy.ts";
import {
  accessAnalyzer,
  awsFinding,
  found,
  stubAwsEnvironment,
} from "../../../test/support/access-analyzer.ts";
import { bareRuntime } from "../../../test/support/bare-runtime.ts";
import { folderWith } from "../../../test/support/local.ts";
import { onlyCaller } from "../../admission/call-pass.ts";
import { createClients } from "../../analyze/client.ts";
import { createLocalAnalyzePolicy } from "./analyze-policy.ts";

const policy = { Statement: { Effect: "Allow", Action: "*", Resource: "*" } };

const aws = accessAnalyzer();
let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  aws.server.listen({ onUnhandledFrame: "error" });
  ({ folder, remove } = await folderWith({
    config: "[profile audit]\nregion = ap-south-1\n[profile elsewhere]\n",
    credentials: [
      "[audit]\naws_access_key_id = AKIDAUDIT\naws_secret_access_key = not-a-secret",
      "[elsewhere]\naws_access_key_id = AKIDELSEWHERE\naws_secret_access_key = not-a-secret\n",
    ].join("\n"),
  }));
});
afterAll(async () => {
  aws.server.close();
  await remove();
});
beforeEach(() => {
  stubAwsEnvironment();
  vi.stubEnv("AWS_CONFIG_FILE", join(folder, "config"));
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"));
  aws.answer(found(awsFinding("A")));
});
afterEach(() => {
  aws.reset();
  vi.unstubAllEnvs();
});

function serve(settings: Partial<Settings> = {}) {
  const { runtime } = bareRuntime({ mode: "local", ...settings });
  const tool = createLocalAnalyzePolicy(runtime, { now: () => 0, createClients });
  return async (args: object = {}) => {
    const { output } = await tool.run(contract.input.parse({ policy, ...args }), {
      runtime,
      toolNames: [],
      ...onlyCaller,
      maxResultBytes: 1_000_000,
      signal: new AbortController().signal,
    });
    return contract.output.parse(output);
  };
}

const signers = () =>
  aws.sent.map(({ url, headers }) => [
    /Credential=(\w+)\//.exec(headers.get("authorization") ?? "")?.[1],
    url.host.split(".")[1],
  ]);

describe("analyze_policy with a profile", () => {
  test("asks with the credentials of that profile, and of the environment without one", async () => {
    const call = serve();
    await call({ profile: "audit" });
    await call();
    await call({ profile: "elsewhere" });
    expect(signers()).toEqual([
      ["AKIDAUDIT", "eu-west-1"],
      ["AKIDEXAMPLE", "eu-west-1"],
      ["AKIDELSEWHERE", "eu-west-1"],
    ]);
  });

  test("asks in the profile's region where the environment names none", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    const call = serve();
    await call({ profile: "audit" });
    await call({ profile: "elsewhere" });
    expect(signers()).toEqual([
      ["AKIDAUDIT", "ap-south-1"],
      ["AKIDELSEWHERE", "us-east-1"],
    ]);
  });

  test("that does not exist says whose credentials are missing and what to do", async () => {
    await expect(serve()({ profile: "nobody" })).rejects.toMatchObject({
      kind: "no_credentials",
      message: expect.stringMatching(/profile "nobody".*aws sso login/),
    });
    expect(aws.sent).toEqual([]);
  });
});

describe("bounds", () => {
  test("every region may be asked, unless allowed_regions says which", async () => {
    await serve()({ region: "sa-east-1" });
    expect(signers()).toEqual([["AKIDEXAMPLE", "sa-east-1"]]);
    const bounded = serve({ allowed_regions: ["eu-west-1"] });
    await expect(bounded({ region: "sa-east-1" })).rejects.toMatchObject({
      kind: "region_not_allowed",
    });
  });

  test("the rate is counted over all profiles together", async () => {
    const call = serve({ analyze_rate_limit: 2 });
    await call({ profile: "audit" });
    await call();
    await expect(call({ profile: "elsewhere" })).rejects.toMatchObject({ kind: "rate_limited" });
  });
});
