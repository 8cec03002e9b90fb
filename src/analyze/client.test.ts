import { expect, test } from "vitest";
import { createClients, mostClients } from "./client.ts";

test("there is one client for a region, and not one for every name that callers invent", async () => {
  const clients = createClients({ version: "1.2.3", maxConnections: 1, maxIdleConnections: 1 });
  const clientOf = async (region: string) => (await clients.get(region)).client;
  const first = await clientOf("eu-west-1");
  expect(await clientOf("eu-west-1")).toBe(first);
  for (let number = 1; number < mostClients; number++) await clientOf(`xx-invented-${number}`);
  expect(await clientOf("eu-west-1")).toBe(first);
  await clientOf("xx-invented-99");
  expect(await clientOf("eu-west-1")).not.toBe(first);
});
