/**
 * Opens many connections and holds them: `node flood.ts <port> <count>`. A third says nothing, a third sends half a
 * head, a third asks for something and begins to ask again. Writes a line of JSON when all are open, and one when all
 * are closed.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";

const [port = "", count = ""] = process.argv.slice(2);
const heads = [
  "",
  "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Never-Ended: ",
  "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET ",
];
const closed: Promise<unknown>[] = [];
for (let index = 0; index < Number(count); index++) {
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  const ended = Promise.withResolvers<void>();
  closed.push(ended.promise);
  socket.on("close", () => ended.resolve());
  socket.on("error", () => undefined);
  // Read, or its end would not be seen.
  socket.resume();
  await Promise.race([once(socket, "connect"), ended.promise]).catch(() => undefined);
  const head = heads[index % heads.length] ?? "";
  if (head !== "") socket.write(head);
  // Others want to be served on this machine too.
  if (index % 250 === 249) await setTimeout(1);
}
process.stdout.write(`${JSON.stringify({ opened: closed.length })}\n`);
await Promise.all(closed);
process.stdout.write(`${JSON.stringify({ closed: closed.length })}\n`);
