/**
 * Sends the same large requests over and over, in a separate process so that the process that measures the
 * server meanwhile is not held up. Arguments: port, clients, family of policy, bytes per request.
 */
import { Agent } from "node:http";
import { benign, hostile } from "../documents.ts";
import { prepared, send } from "../servers.ts";

const [port = 0, clients = 0] = process.argv.slice(2, 4).map(Number);
const [family = "benign", bytes = ""] = process.argv.slice(4);

/** Of the largest policies allowed, as many as the largest body allowed holds. */
const largestPolicy = 1_048_576 - 64;
const make = family === "benign" ? benign : hostile[family];
if (!make) throw new Error(`no family ${family}`);
const count = Math.max(1, Math.floor(Number(bytes) / largestPolicy));
const policies = Array.from({ length: count }, () =>
  make(Math.min(Number(bytes) - 512, largestPolicy)),
);
const request = prepared(
  "tools/call",
  { name: "validate_policies", arguments: { policies } },
  "2026",
);

const outcomes = { answered: 0, shed: 0, refused: 0, failed: 0 };
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const client = async () => {
  for (;;) {
    try {
      const text = await send(port, request, agent);
      if (text.includes("The server is busy")) outcomes.shed++;
      else if (text.includes('"isError":true')) outcomes.failed++;
      else outcomes.answered++;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("413:")) outcomes.refused++;
      else outcomes.failed++;
    }
  }
};
process.on("message", () => process.send?.({ ...outcomes, bodyBytes: request.body.length }));
process.on("disconnect", () => process.exit());
for (let one = 0; one < clients; one++) void client();
process.send?.("sending");
