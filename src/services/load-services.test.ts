import { expect, test } from "vitest";
import { ToolError } from "../errors.ts";
import { loadServices, ServicesUnavailable } from "./load-services.ts";
import type { ServiceData } from "./model.ts";

const failing = (error: Error) =>
  ({
    load: async () => {
      throw error;
    },
  }) as unknown as ServiceData;

test("services are loaded with the caller's signal", async () => {
  const asked: unknown[] = [];
  const services = { load: async (...given: unknown[]) => void asked.push(...given) };
  const { signal } = new AbortController();
  await loadServices(services as unknown as ServiceData, ["s3"], signal);
  expect(asked).toEqual([["s3"], signal]);
});

test("data that cannot be had is an error of the tool; any other error stays what it is", async () => {
  const loading = loadServices(failing(new ServicesUnavailable("No data.")), []);
  const error: unknown = await loading.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({ kind: "not_ready", message: "No data." });
  const stopped = new Error("stopped");
  await expect(loadServices(failing(stopped), [])).rejects.toBe(stopped);
  expect(new ServicesUnavailable("").name).toBe("ServicesUnavailable");
});
