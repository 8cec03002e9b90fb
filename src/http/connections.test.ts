import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Connections } from "./connections.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const most = 6;

/** A server that holds so many sockets, and clients of any loopback address. */
async function serve() {
  const server = createServer((_, response) => response.end("answer"));
  let cuts = 0;
  const onCut = () => {
    cuts++;
  };
  new Connections(server, { most, takeMs: 60_000, unreadBytes: 1_000_000, onCut });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  open.push(server, { close: () => server.closeAllConnections() });
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const from = async (localAddress: string, count: number): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    for (let left = count; left > 0; left--) {
      const accepted = once(server, "connection");
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.on("error", () => undefined);
      socket.resume();
      open.push({ close: () => socket.destroy() });
      sockets.push(socket);
      await accepted;
    }
    return sockets;
  };
  return { from, cuts: () => cuts };
}

const stillOpen = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length;

test("an address with many unused connections loses its own, not those of another", async () => {
  const { from, cuts } = await serve();
  const honest = await from("127.0.0.2", 2);
  const flood = await from("127.0.0.1", 40);
  await expect.poll(() => stillOpen(flood)).toBe(most - honest.length);
  expect(cuts()).toBe(40 - (most - honest.length));
  expect(stillOpen(honest)).toBe(2);
});

test("an address with many unused connections loses them before another's that are idle", async () => {
  const { from } = await serve();
  const honest = await from("127.0.0.2", 3);
  for (const socket of honest) {
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "data");
  }
  const flood = await from("127.0.0.1", 20);
  await expect.poll(() => stillOpen(flood)).toBe(3);
  expect(stillOpen(honest)).toBe(3);
});

test("of one address alone the connections of longest standing are closed", async () => {
  const { from } = await serve();
  const sockets = await from("127.0.0.1", most + 2);
  await expect.poll(() => stillOpen(sockets)).toBe(most);
  expect(stillOpen(sockets.slice(2))).toBe(most);
});
