import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { type AnalysisFinding, analyzeDocument } from "../../src/access-analyzer/analyze.ts";
import type { PathElement } from "../../src/access-analyzer/path.ts";
import { resourceTypes } from "../../src/access-analyzer/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

/** The documents of `test/parity/codes`, and what the local analysis says of them. */

export const Type = z.enum(["identity", "resource", "trust", "scp", "rcp"]);
const Members = z.record(z.string(), z.unknown());
const Row = z.looseObject({
  type: Type.optional(),
  resource_type: z.enum(resourceTypes).optional(),
  second: Members.optional(),
  extra: Members.optional(),
  fill: z.int().positive().optional(),
  document: Members.optional(),
  text: z.string().optional(),
  Version: z.string().nullish(),
  Id: z.string().optional(),
});
export type Row = z.output<typeof Row>;
export const places = {
  document: (path) => path.length === 0,
  statement: (path) =>
    path.length <= 2 && "value" in (path[0] ?? {}) && isLast(path, /^\d+$|^Statement$/),
  element: (path) =>
    !path.some((one) => "value" in one && one.value === "Condition" && path.at(-1) !== one),
  member: (path) => "key" in (path.at(-1) ?? {}),
  action: (path) => path.some((one) => "value" in one && one.value === "Action"),
  resource: (path) => path.some((one) => "value" in one && /^(?:Not)?Resource$/.test(one.value)),
  principal: (path) => path.some((one) => "value" in one && /^(?:Not)?Principal$/.test(one.value)),
  operator: (path) => conditionDepth(path) === 1 && "key" in (path.at(-1) ?? {}),
  key: (path) => conditionDepth(path) === 2 && "key" in (path.at(-1) ?? {}),
  values: (path) => conditionDepth(path) === 2 && "value" in (path.at(-1) ?? {}),
  value: (path) => conditionDepth(path) >= 2 && !("key" in (path.at(-1) ?? {})),
} satisfies Record<string, (path: readonly PathElement[]) => boolean>;

const Table = z.record(
  z.string(),
  z.strictObject({
    type: Type.default("identity"),
    place: z.enum(Object.keys(places) as [keyof typeof places]).optional(),
    must: z.array(Row).min(3),
    must_not: z.array(Row).min(3),
  }),
);

const folder = join(import.meta.dirname, "../parity/codes");
export const table = Object.assign(
  {},
  ...readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => Table.parse(parse(readFileSync(join(folder, file), "utf8")))),
) as z.output<typeof Table>;

/** A statement of each type that gets no code. */
export const plain = {
  identity: { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::example-bucket/*" },
  resource: {
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::111122223333:role/reader" },
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::example-bucket/*",
  },
  trust: {
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::111122223333:root" },
    Action: "sts:AssumeRole",
  },
  scp: { Effect: "Deny", Action: "s3:DeleteBucket", Resource: "*" },
  rcp: {
    Effect: "Deny",
    Principal: "*",
    Action: "s3:*",
    Resource: "*",
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  },
} satisfies Record<z.output<typeof Type>, object>;

const services = embeddedServices();

export const codesOf = (findings: readonly AnalysisFinding[]) => findings.map(({ code }) => code);

function isLast(path: readonly PathElement[], form: RegExp): boolean {
  const last = path.at(-1);
  return last !== undefined && form.test(String(Object.values(last)[0]));
}

/** Number of elements below the condition; 0 outside. */
function conditionDepth(path: readonly PathElement[]): number {
  const at = path.findIndex((one) => "value" in one && one.value === "Condition");
  return at < 0 ? 0 : path.length - 1 - at;
}

export function textOf(row: Row, type: z.output<typeof Type>): string {
  return row.text ?? JSON.stringify(row.document ?? written(row, type));
}

/** The value at the path, or the name of the member where the path ends with one. */
export function nodeAt(value: unknown, path: readonly PathElement[]): unknown {
  let node = value;
  for (const element of path) {
    if ("key" in element) return element.key;
    const name = "index" in element ? element.index : "value" in element ? element.value : "";
    node = (node as Record<string | number, unknown>)[name];
  }
  return node;
}

export async function analysed(
  row: Row,
  ofCode: z.output<typeof Type>,
): Promise<AnalysisFinding[]> {
  const type = row.type ?? ofCode;
  return analysedText(textOf(row, type), type, row.resource_type);
}

export async function analysedText(
  text: string,
  type: z.output<typeof Type>,
  resourceType?: Row["resource_type"],
): Promise<AnalysisFinding[]> {
  const document = await parseDocument(text);
  return analyzeDocument(document, { type, resourceType: resourceType ?? null }, services);
}

function written(row: Row, type: z.output<typeof Type>): object {
  const {
    type: _,
    resource_type: __,
    second,
    extra,
    fill,
    document: ___,
    text: ____,
    Version,
    Id,
    ...own
  } = row;
  const first: Record<string, unknown> = { ...plain[type], ...own };
  if (fill !== undefined) {
    const names = Array.from({ length: fill }, (_, at) => String(at).padStart(5, "0"));
    if (type === "trust") {
      first.Principal = { AWS: names.map((name) => `arn:aws:iam::111122223333:role/r${name}`) };
    } else first.Resource = names.map((name) => `arn:aws:s3:::bucket-${name}`);
  }
  const statements = [first, ...(second ? [{ ...plain[type], ...second }] : [])];
  return {
    ...(Version === null ? {} : { Version: Version ?? "2012-10-17" }),
    ...(Id === undefined ? {} : { Id }),
    ...extra,
    Statement: statements.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)),
    ),
  };
}
