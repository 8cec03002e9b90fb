import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import {
  type Forbidden,
  found,
  granted,
  isPublic,
  relation,
  type Side,
  type Wanted,
} from "../../test/support/access.ts";

const Statements = z.union([z.array(z.looseObject({})), z.looseObject({})]);
const type = z.enum(["identity", "resource", "trust", "scp", "rcp"]);
const Relations = z.array(
  z.strictObject({ why: z.string(), left: Statements, is: z.string(), right: Statements }),
);
const ForbiddenAccess = z.strictObject({
  actions: z.array(z.string()).optional(),
  resources: z.array(z.string()).optional(),
  unless: z.array(z.looseObject({})).optional(),
});
const Granted = z.array(
  z.strictObject({
    why: z.string(),
    type: type.default("identity"),
    policy: Statements,
    forbidden: ForbiddenAccess,
    is: z.string(),
  }),
);
const Public = z.array(
  z.strictObject({ why: z.string(), type, policy: Statements, is: z.string() }),
);

const folder = join(import.meta.dirname, "../../test/access");

function read<Schema extends z.ZodType>(schema: Schema, file: string): z.output<Schema> {
  return schema.parse(parse(readFileSync(join(folder, file), "utf8")));
}

/** The relations of a folder, by the name of the file. */
function relationsIn(name: string): [string, z.output<typeof Relations>][] {
  return readdirSync(join(folder, name)).map((file) => [
    basename(file, ".yaml"),
    read(Relations, join(name, file)),
  ]);
}

function inWords(wanted: Wanted): string {
  return typeof wanted === "string" ? wanted : `undecided: ${wanted.undecided}`;
}

describe.each(relationsIn("identity"))("identity, %s", (_, rows) => {
  test.each(rows)("$why", ({ left, is, right }) => {
    expect(relation(left as Side, right as Side)).toBe(is);
  });
});

describe.each(relationsIn("principals"))("%s policies", (name, rows) => {
  test.each(rows)("$why", ({ left, is, right }) => {
    expect(relation(left as Side, right as Side, type.parse(name))).toBe(is);
  });
});

describe("what is forbidden", () => {
  test.each(read(Granted, "granted.yaml"))("$why", ({ type, policy, forbidden, is }) => {
    expect(inWords(found(granted(policy as Side, forbidden as Forbidden, type)))).toBe(is);
  });
});

describe("who is let in", () => {
  test.each(read(Public, "public.yaml"))("$why ($type)", ({ policy, type, is }) => {
    expect(inWords(found(isPublic(policy as Side, type)))).toBe(is);
  });
});
