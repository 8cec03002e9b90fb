// Runs the authorization scenarios of the official suite against the login, with a person who presses Allow.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startLoginIssuer } from "../test/support/login/issuer.ts";
import { allowAndSignIn } from "../test/support/login/person.ts";
import { jwtVariables, prefixed } from "../test/support/login/variables.ts";
import { startProcess } from "../test/support/process.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * @param suite path of the suite's command. @param directory where it writes its results.
 * @param variables of the server, without the prefix VALIDATOR_MCP_AUTH_.
 * @returns the suite's exit code, and what it printed.
 */
export async function runAuthorization(
  suite: string,
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const [port, callbackPort] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${port}`;
  const issuer = await startLoginIssuer({ callback: `${base}/oauth/callback` });
  const server = await startProcess({
    flags: { auth: "jwt", port: String(port) },
    environment: prefixed({
      ...jwtVariables(issuer.url),
      BASE_URL: base,
      JWT_AUDIENCE: `${base}/mcp`,
      ...variables,
    }),
  });
  try {
    const registered = await fetch(`${base}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Conformance suite",
        redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
      }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const where = ["--url", base, "--client-id", client_id, "--resource", `${base}/mcp`];
    const child = spawn(
      process.execPath,
      [suite, "authorization", ...where, "-p", String(callbackPort)],
      { cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    const opened = new Set<string>();
    const read = (part: Buffer) => {
      output += part.toString();
      // The suite prints the address that a person is to open.
      for (const [, address = ""] of output.matchAll(
        /(http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+)\s/g,
      )) {
        if (opened.has(address)) continue;
        opened.add(address);
        allowAndSignIn(new URL(address), base)
          .then((back) => fetch(back))
          .catch((error: unknown) => {
            output += `\nThe person did not get through: ${String(error)}\n`;
            child.kill();
          });
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const [code] = await once(child, "close");
    return { code: typeof code === "number" ? code : 1, output };
  } finally {
    await server.stop();
    await issuer[Symbol.asyncDispose]();
  }
}
