// Child of http.ts: the server and a plain echo in one process, whose processor time it reports.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { standardOutput } from "../src/mcp/audit.ts";
import { startInProcess } from "../test/support/in-process.ts";

const target = await startInProcess({ sink: standardOutput(pino({ level: "silent" })) });

const app = new Hono();
app.post("/mcp", async (c) => c.json(await c.req.json()));
const echo = createServer(getRequestListener(app.fetch));
echo.listen(0, "127.0.0.1");
await once(echo, "listening");
// A listening TCP server has an address of this form.
const { port } = echo.address() as AddressInfo;

process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ echo: `http://127.0.0.1:${port}`, server: target.url });
