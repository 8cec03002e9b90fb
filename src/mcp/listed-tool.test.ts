import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineToolContract } from "../../spec/contract.ts";
import { listedTool } from "./listed-tool.ts";

const contract = defineToolContract({
  name: "weigh",
  title: "Weigh a policy",
  tag: "query",
  description: "Says how heavy it is.",
  input: z.strictObject({ unit: z.string().default("g") }),
  output: z.strictObject({ weight: z.number().default(0) }),
  errors: [],
});

describe("a tool in a list", () => {
  test("has the texts of its contract and its schemas, as callers send and get them", () => {
    expect(listedTool(contract)).toMatchObject({
      name: "weigh",
      title: "Weigh a policy",
      description: "Says how heavy it is.",
      // What has a default may be left out by who sends it, and is there for who gets it.
      inputSchema: { type: "object", properties: { unit: { default: "g" } } },
      outputSchema: { type: "object", required: ["weight"] },
    });
    expect(listedTool(contract).inputSchema).not.toHaveProperty("required");
  });

  test("that is a union of objects has the type that older clients insist on", () => {
    const one = z.strictObject({ kind: z.literal("one") });
    const two = z.strictObject({ kind: z.literal("two"), n: z.number() });
    const listed = listedTool({ ...contract, input: z.discriminatedUnion("kind", [one, two]) });
    expect(listed.inputSchema).toMatchObject({ type: "object", oneOf: [{}, {}] });
  });

  test("must take and give objects, or the server does not start", () => {
    expect(() => listedTool({ ...contract, output: z.array(z.string()) })).toThrow(
      new TypeError("The output of weigh is not an object."),
    );
  });

  test.each([
    [{}, { readOnlyHint: true, openWorldHint: false }],
    [{ openWorld: true }, { readOnlyHint: true, openWorldHint: true }],
    [
      { mutates: true },
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ],
  ])("says what it does to the world: %j", (traits, annotations) => {
    expect(listedTool({ ...contract, ...traits }).annotations).toEqual(annotations);
  });
});
