import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = new URL("../../", import.meta.url).pathname;
const text = readFileSync(join(root, "SECURITY.md"), "utf8");

const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      integrity: z.string().optional(),
    }),
  ),
});

/** In code spans: paths of this repository, and files of its root. */
const places = [...text.matchAll(/`([^`\s]+)`/g)]
  .map(([, span = ""]) => span)
  .filter(
    (span) =>
      /^(?:bench|conformance|deploy|docs|examples|fuzz|scripts|spec|src|test|\.github)\//.test(
        span,
      ) || /^(?:Dockerfile|[\w.-]+\.(?:json|md|ya?ml))$/.test(span),
  );

/** Cells of every row below "What is enforced where". */
const rows = (text.split("## What is enforced where")[1]?.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| (?:Threat|---)/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

test("every path it names is there", () => {
  expect(new Set(places).size).toBeGreaterThan(100);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});

test("every threat has a control, a place in the code and a test that holds it", () => {
  expect(rows.length).toBeGreaterThan(40);
  for (const [threat, control, code = "", tests = "", ...others] of rows) {
    expect([threat, control, others]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/./),
      [],
    ]);
    const [inCode, inTests] = [code, tests].map((cell) => [...cell.matchAll(/`([^`]+)`/g)]);
    expect([threat, inCode?.length]).not.toEqual([threat, 0]);
    expect([threat, inTests?.length]).not.toEqual([threat, 0]);
    for (const [, path] of inTests ?? []) expect(path).toMatch(/\.test\.ts$/);
    for (const [, path] of inCode ?? []) expect(path).not.toMatch(/\.test\.ts$/);
  }
});

test("answers each item of the lists it is held against, in order", () => {
  const items = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, item]) => item);
  expect(items(/^\| API(\d+) /gm)).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 1)));
  expect(items(/^\| (3\.\d+) /gm)).toEqual(Array.from({ length: 12 }, (_, at) => `3.${at + 1}`));
});

test("what users install runs no script of a dependency, and is what the lock file names", () => {
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const installs = ["Dockerfile", "action.yml"].flatMap(
    (name) => read(name).match(/npm ci.*/g) ?? [],
  );
  expect(installs.length).toBeGreaterThan(2);
  expect(installs.filter((line) => !line.includes("--ignore-scripts"))).toEqual([]);
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+[\w.-]*$/);
  }
  const { packages } = Lock.parse(JSON.parse(read("package-lock.json")));
  // Development and optional packages, too: they run where releases are built. Left out are the linter's builds for
  // platforms that nothing here is built on; npm wrote no integrity for them.
  const foreign = /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux-(arm64|x64)-musl)/;
  const installed = Object.entries(packages).filter(([path]) => path !== "" && !foreign.test(path));
  expect(installed.length).toBeGreaterThan(200);
  for (const [path, { integrity }] of installed) {
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
  }
});

test("the README leads to it", () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain("](SECURITY.md)");
});
