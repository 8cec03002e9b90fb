import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { getResponse, type RequestHandler } from "msw";

/** A way to GitHub for a server in another process or container, which ends at the handlers of the tests. */
export interface GithubNetwork extends AsyncDisposable {
  /** What Node needs to take this way. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the environment refers to: folder here to folder there. */
  readonly folders: Readonly<Record<string, string>>;
}

const there = "/opt/github";

/** Starts a proxy that answers as GitHub does, with a certificate made for this run. */
export async function startGithubNetwork(
  handlers: readonly RequestHandler[],
): Promise<GithubNetwork> {
  const folder = await mkdtemp(join(tmpdir(), "github-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
    ...["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=github.com"],
    ...["-addext", "subjectAltName=DNS:github.com,DNS:api.github.com"],
  ]);
  const github = createServer({ key: await readFile(key), cert: await readFile(cert) });
  await rm(key);
  // The server in the container is another user.
  await chmod(folder, 0o755);
  github.on("request", async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part));
    const { method = "GET", headers, url = "/" } = incoming;
    const request = new Request(`https://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    const answer =
      (await getResponse([...handlers], request)) ?? new Response(null, { status: 404 });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  const proxy = createProxy();
  proxy.on("connect", ({ url = "" }, socket) => {
    if (!/^(api\.)?github\.com:443$/.test(url)) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    github.emit("connection", socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    environment: {
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: `${there}/cert.pem`,
    },
    folders: { [folder]: there },
    async [Symbol.asyncDispose]() {
      github.closeAllConnections();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
