import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { parseDocument } from "../policy/document.ts";
import { embeddedServices } from "../services/embedded.ts";
import { type AnalysisFinding, analyzeDocument } from "./analyze.ts";
import { issueCodes } from "./codes.ts";
import type { PathElement } from "./path.ts";
import { resourceTypes } from "./types.ts";

/** Codes that the recorded answers of AWS hold; `test/vectors/parity.test.ts` compares those. */
const recorded = [
  "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
  "CREATE_SLR_WITH_STAR_IN_ACTION_AND_RESOURCE",
  "CREATE_SLR_WITH_STAR_IN_RESOURCE",
  "EQUIVALENT_TO_NULL_FALSE",
  "FORALLVALUES_WITH_SINGLE_VALUED_KEY",
  "INVALID_ACTION",
  "INVALID_SERVICE",
  "INVALID_SERVICE_CONDITION_KEY",
  "INVALID_SERVICE_IN_ACTION",
  "INVALID_SERVICE_PRINCIPAL_FORMAT",
  "MISSING_ARN_ACCOUNT",
  "MISSING_ARN_REGION",
  "MISSING_QUALIFIER",
  "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE",
  "PASS_ROLE_WITH_STAR_IN_RESOURCE",
  "POLICY_SIZE_EXCEEDS_IDENTITY_POLICY_QUOTA",
  "REDUNDANT_ACTION",
  "REDUNDANT_RESOURCE",
  "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
  "WILDCARD_WITHOUT_LIKE_OPERATOR",
];

const Type = z.enum(["identity", "resource", "trust", "scp", "rcp"]);
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
type Row = z.output<typeof Row>;
const places = {
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

const folder = join(import.meta.dirname, "../../test/parity/codes");
const table = Object.assign(
  {},
  ...readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => Table.parse(parse(readFileSync(join(folder, file), "utf8")))),
) as z.output<typeof Table>;

/** A statement of each type that gets no code. */
const plain = {
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

describe("codes of AWS's policy checks", () => {
  test("are covered: each by recorded answers or by the table, and by one of them", () => {
    expect([...recorded, ...Object.keys(table)].toSorted()).toEqual(issueCodes);
  });

  test.each(Object.entries(plain))(
    "none is given for a plain statement of the type %s",
    async (type) => {
      expect(codesOf(await analysed({}, Type.parse(type)))).toEqual([]);
    },
  );

  describe.each(Object.entries(table))("%s", (code, { type, place, must, must_not }) => {
    test.each(must.map((row) => [JSON.stringify(row), row] as const))(
      "is given for %s",
      async (_, row) => {
        const findings = await analysed(row, type);
        expect(codesOf(findings)).toContain(code);
        const first = findings.find((one) => one.code === code)?.locations[0];
        if (place && first)
          expect(places[place](first.path), JSON.stringify(first.path)).toBe(true);
        const offsets = findings.map(({ locations }) => locations[0]?.span.start.offset ?? 0);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      },
    );

    test.each(must_not.map((row) => [JSON.stringify(row), row] as const))(
      "is not given for %s",
      async (_, row) => {
        expect(codesOf(await analysed(row, type))).not.toContain(code);
      },
    );
  });

  test("have spans that are the text of the node that the path names", {
    timeout: 120_000,
  }, async () => {
    const rows = Object.values(table).flatMap(({ type, must }) =>
      must.filter(({ text }) => text === undefined).map((row) => ({ type, row })),
    );
    for (const { type, row } of rows) {
      const text = textOf(row, row.type ?? type);
      for (const { code, locations } of await analysed(row, type)) {
        for (const { path, span } of locations) {
          const part = text.slice(span.start.offset, span.end.offset);
          expect(JSON.parse(part), `${code} ${JSON.stringify(path)}`).toEqual(
            nodeAt(JSON.parse(text), path),
          );
        }
      }
    }
  });

  test.each([
    [
      "CREATE_SLR_WITH_STAR_IN_RESOURCE",
      "identity",
      { Resource: "*", Action: "iam:CreateServiceLinkedRole" },
      ["Action", "Resource"],
    ],
    [
      "PASS_ROLE_WITH_NOT_RESOURCE",
      "identity",
      { NotResource: "arn:aws:iam::111122223333:role/x", Action: "iam:PassRole" },
      ["Action", "NotResource"],
    ],
    [
      "MISMATCHED_ACTION_FOR_PRINCIPAL",
      "trust",
      { Principal: { Federated: "accounts.google.com" }, Action: "sts:AssumeRole" },
      ["Action", "Principal"],
    ],
    [
      "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
      "identity",
      {
        Condition: { StringEquals: { "aws:ResourceTag/env": "prod" } },
        Resource: "*",
        Action: "s3:ListAllMyBuckets",
      },
      ["Action", "Condition"],
    ],
  ] as const)(
    "%s has its locations by element, not by place in the text",
    async (code, type, members, order) => {
      const document = { Version: "2012-10-17", Statement: [{ Effect: "Allow", ...members }] };
      const found = (await analysed({ document }, type)).find((one) => one.code === code);
      const names = found?.locations.map(({ path }) => path[2] && Object.values(path[2])[0]);
      expect(names).toEqual(order);
    },
  );
});

const codesOf = (findings: readonly AnalysisFinding[]) => findings.map(({ code }) => code);

function isLast(path: readonly PathElement[], form: RegExp): boolean {
  const last = path.at(-1);
  return last !== undefined && form.test(String(Object.values(last)[0]));
}

/** Number of elements below the condition; 0 outside. */
function conditionDepth(path: readonly PathElement[]): number {
  const at = path.findIndex((one) => "value" in one && one.value === "Condition");
  return at < 0 ? 0 : path.length - 1 - at;
}

function textOf(row: Row, type: z.output<typeof Type>): string {
  return row.text ?? JSON.stringify(row.document ?? written(row, type));
}

/** The value at the path, or the name of the member where the path ends with one. */
function nodeAt(value: unknown, path: readonly PathElement[]): unknown {
  let node = value;
  for (const element of path) {
    if ("key" in element) return element.key;
    const name = "index" in element ? element.index : "value" in element ? element.value : "";
    node = (node as Record<string | number, unknown>)[name];
  }
  return node;
}

async function analysed(row: Row, ofCode: z.output<typeof Type>): Promise<AnalysisFinding[]> {
  const type = row.type ?? ofCode;
  const document = await parseDocument(textOf(row, type));
  return analyzeDocument(document, { type, resourceType: row.resource_type ?? null }, services);
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
