import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesLinks } from "../support/kubernetes-links.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";

const healthCheck = new URL("../../src/health-check.ts", import.meta.url).pathname;
let server: ServerProcess;
beforeAll(async () => {
  server = await startProcess({ environment: kubernetesLinks });
});
afterAll(() => server?.stop());

test("the server starts in a pod that has the variables of its Service", async () => {
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  const told = server.log.text.split("\n").filter((line) => line.includes("Kubernetes"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("enableServiceLinks: false");
});

test("the image's health check does not take a service link for the port", async () => {
  const env = { PATH: process.env.PATH, VALIDATOR_MCP_HOST: "127.0.0.1" };
  const { port } = new URL(server.url);
  const check = (VALIDATOR_MCP_PORT: string) =>
    promisify(execFile)(process.execPath, [healthCheck], { env: { ...env, VALIDATOR_MCP_PORT } });
  await expect(check(port)).resolves.toBeDefined();
  // Port 8000 of this machine decides; a link must not be an invalid address, which prints a stack trace.
  const { stderr = "" } = await check("tcp://10.96.14.2:80").catch(
    (error: { stderr: string }) => error,
  );
  expect(stderr).toBe("");
});
