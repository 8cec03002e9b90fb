import { describe, expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { failing, findingsOfFirst } from "../../../test/support/place-findings.ts";
import { terraformFile } from "../terraform/file.ts";
import { conditionKey } from "./outcomes.ts";

/** A policy whose resource is an expression. */
const policy = (resource: string, rest = "") => `resource "aws_iam_policy" "p" {
  ${rest}
  policy = jsonencode({ Statement = [{ Resource = ${resource} }] })
}
`;

async function formsOf(text: string) {
  const places = (await placesIn(terraformFile, text, "main.tf")) ?? [];
  const [only, ...others] = places;
  if (!only || others.length > 0) throw new Error(`${places.length} places`);
  const { alternatives } = only.place;
  const resources = only.documents.map((document) => {
    const [statement] = (document as { Statement: { Resource: unknown }[] }).Statement;
    return statement?.Resource;
  });
  return { resources, choices: alternatives.map((one) => one.choices), ...only };
}

describe("an expression with several outcomes", () => {
  test("each has a form, which says when it holds", async () => {
    const { resources, choices, state } = await formsOf(policy('var.x ? "a" : "*"'));
    expect(resources).toEqual(["a", "*"]);
    expect(choices).toEqual([["`var.x` is true"], ["`var.x` is false"]]);
    expect(state).toBe("read");
  });

  it.each([
    ["equal conditions", '[var.x ? "a" : "b", var.x ? "c" : "d"]'],
    ["a negation", '[var.x ? "a" : "b", !var.x ? "d" : "c"]'],
    ["parentheses", '[var.x ? "a" : "b", (!(var.x)) ? "d" : "c"]'],
  ])("%s have equal outcomes", async (_title, written) => {
    expect((await formsOf(policy(written))).resources).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
  });

  it.each([
    ["a condition within a condition", 'var.x ? "a" : (var.y ? "b" : "c")', ["a", "b", "c"]],
    ["coalesce", 'coalesce(var.x, "*")', ["${var.x}", "*"]],
    ["the default of lookup", 'lookup(var.m, "a", "*")', ['${lookup(var.m, "a", "*")}', "*"]],
    ["a condition in a text", '"x${var.x ? "a" : "b"}"', ["xa", "xb"]],
    ["a condition that a local decides", 'local.on ? "a" : "b"', ["a"]],
    ["a comparison that a local decides", 'local.stage != "prod" ? "a" : "b"', ["b"]],
    ["a value that lookup finds", 'lookup(local.map, "one", "*")', ["1"]],
    ["two lists of which one is empty", 'coalescelist(local.none, ["z"])', [["z"]]],
    ["a compact list", 'compact([var.x ? "a" : "", "b"])', [["a", "b"], ["b"]]],
    ["a length", 'length(local.none) > 0 ? "a" : "b"', ["b"]],
    ["an item of a list", 'contains(["dev"], local.stage) || local.on ? "a" : "b"', ["a"]],
  ])("%s", async (_title, written, resources) => {
    const locals = `locals {
  on    = true
  stage = "prod"
  none  = []
  map   = { one = "1" }
}
`;
    expect((await formsOf(locals + policy(written))).resources).toEqual(resources);
  });

  test("more forms than are validated are told, and those with wildcards come first", async () => {
    const entries = Array.from({ length: 30 }, (_, index) => `k${index} = "v${index}"`);
    const each = `for_each = { ${entries.join(", ")}, last = "*" }`;
    const { resources, state, reason } = await formsOf(policy("each.value", each));
    expect(resources).toHaveLength(10);
    expect(resources).toContain("*");
    expect(state).toBe("partly_read");
    expect(reason).toBe("It has 31 forms, of which 10 were read.");
  });

  test("of a very long policy fewer are read", async () => {
    const outcomes = Array.from({ length: 12_000 }, (_, at) => `var.x${at} ? "a" : "*"`);
    const { place } = await formsOf(policy(`[${outcomes.join(", ")}]`));
    expect(place.alternatives.length).toBeLessThanOrEqual(10);
    expect(place.reason).toMatch(/^It has more forms than the \d+ that were read\.$/);
  });
});

test.each([
  ['coalesce(var.x, "*")', ["`var.x` has a value", "`var.x` has no value"]],
  ['lookup(var.m, "a", "*")', ["`var.m` has `a`", "`var.m` has no `a`"]],
])("the forms of %s say when they hold", async (written, phrases) => {
  expect((await formsOf(policy(written))).choices.flat()).toEqual(phrases);
});

describe("a loop over values of the file", () => {
  it.each([
    ["a map", 'for_each = { a = "x", b = "y" }', "each.value", ["x", "y"]],
    ["a set", 'for_each = toset(["x", "y"])', "each.key", ["x", "y"]],
    ["a local", "for_each = local.roles", "each.value.arn", ["x", "y"]],
    [
      "a member that one entry lacks",
      "for_each = local.roles",
      'try(each.value.more, "z")',
      ["m", "z"],
    ],
    ["a local by the key", "for_each = local.roles", "local.roles[each.key].arn", ["x", "y"]],
    ["a map that is not known", "for_each = var.roles", "each.value.arn", ["${each.value.arn}"]],
  ])("the entries of %s are forms", async (_title, each, written, resources) => {
    const locals = 'locals {\n roles = { a = { arn = "x", more = "m" }, b = { arn = "y" } }\n}\n';
    expect((await formsOf(locals + policy(written, each))).resources).toEqual(resources);
  });

  it.each([
    ["a list", '[for x in ["a", "b"] : "${x}!"]', ["a!", "b!"]],
    ["a filtered list", '[for x in ["a", "b"] : x if x != "a"]', ["b"]],
    ["a map", '[for k, v in { a = "x" } : "${k}${v}"]', ["ax"]],
    ["a list of objects", '[for x in [{ n = "a" }] : x.n]', ["a"]],
    ["a list that is not known", "[for x in var.list : x]", "${[for x in var.list : x]}"],
    [
      "a filter that is not known",
      '[for x in ["a"] : x if var.on]',
      '${[for x in ["a"] : x if var.on]}',
    ],
  ])("an expression over %s is evaluated", async (_title, written, resource) => {
    expect((await formsOf(policy(written))).resources).toEqual([resource]);
  });

  test("a dynamic block gives a statement for each entry", async () => {
    const { documents, state } = await formsOf(`data "aws_iam_policy_document" "d" {
  dynamic "statement" {
    for_each = [{ name = "a" }, { name = "b" }]
    iterator = grant
    content {
      sid       = grant.value.name
      resources = ["arn:aws:s3:::\${grant.value.name}"]
    }
  }
}
`);
    expect(documents).toMatchObject([
      {
        Statement: [
          { Sid: "a", Resource: ["arn:aws:s3:::a"] },
          { Sid: "b", Resource: ["arn:aws:s3:::b"] },
        ],
      },
    ]);
    expect(state).toBe("read");
  });

  test("loops in loops end", async () => {
    const list = `[${Array.from({ length: 90 }, (_, index) => `"v${index}"`).join(", ")}]`;
    const nested = `[for a in local.l : [for b in local.l : [for c in local.l : [for d in local.l : "\${a}\${d}"]]]]`;
    const text = `locals {\n l = ${list}\n}\n${policy(nested).repeat(5)}`;
    const start = performance.now();
    await placesIn(terraformFile, text, "main.tf");
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

const queue = (identifiers: string, rest = "") => `
data "aws_iam_policy_document" "q" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = ["arn:aws:sqs:eu-west-1:111122223333:jobs"]
    principals {
      type        = "AWS"
      identifiers = ${identifiers}
    }
    ${rest}
  }
}
resource "aws_sqs_queue_policy" "q" {
  queue_url = "https://sqs.eu-west-1.amazonaws.com/111122223333/jobs"
  policy    = data.aws_iam_policy_document.q.json
}
`;
const own = '["arn:aws:iam::111122223333:root"]';

test("public access under one outcome fails, and says which", async () => {
  const found = await findingsOfFirst(queue(`var.org == "" ? ["*"] : ${own}`));
  expect(failing(found)).toEqual(["critical no_public_access"]);
  expect(found[0]?.message).toMatch(/This is so if `var\.org == ""` is true\.$/);
});

test("a condition that comes with the open principal passes", async () => {
  const condition = `dynamic "condition" {
      for_each = var.org != "" ? [var.org] : []
      content {
        test     = "StringEquals"
        variable = "aws:PrincipalOrgID"
        values   = [condition.value]
      }
    }`;
  expect(
    failing(await findingsOfFirst(queue(`var.org == "" ? ${own} : ["*"]`, condition))),
  ).toEqual([]);
});

it.each([
  ["var.x", "var.x", false],
  ["!var.x", "var.x", true],
  ["(!(var.x))", "var.x", true],
  ['var.x != ""', 'var.x == ""', true],
  ["!var.x && var.y", "!var.x && var.y", false],
  ["var.a != var.b || var.c", "var.a != var.b || var.c", false],
])("the condition %s is that of %s", (written, key, isOpposite) => {
  expect(conditionKey(written)).toEqual({ key, isOpposite });
});
