import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** @returns A port of 127.0.0.1 that nothing listens on, for a server that must know its address beforehand. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
