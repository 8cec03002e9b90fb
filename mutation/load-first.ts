/** Loads what is mutated before any test: a module that a test loads late would count as noticed by that test alone. */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { groups } from "./groups.ts";

for (const path of globSync([...(groups[process.env.MUTATION_GROUP ?? ""]?.mutate ?? [])])) {
  await import(pathToFileURL(resolve(path)).href);
}
