import { describe, expect, it } from "vitest";
import { withTree } from "./parser.ts";

const block = 'resource "aws_sqs_queue" "q" {\n  name = "jobs-${var.stage}" # è\n}\n';

describe("parsing Terraform text", () => {
  it("gives offsets in UTF-16 units", async () => {
    const text = `# 𝛼 è\n${block}`;
    const start = await withTree(text, ({ rootNode }) => rootNode.firstNamedChild?.endIndex);
    expect(text.slice(start)).toMatch(/^\nresource/);
  });

  it("reads texts at the same time, each in slices", async () => {
    const counts = await Promise.all(
      [200, 400, 600].map((copies) =>
        withTree(block.repeat(copies), ({ rootNode }) => rootNode.namedChild(0)?.namedChildCount),
      ),
    );
    expect(counts).toEqual([200, 400, 600]);
  });

  it("survives nesting that no stack would hold", async () => {
    const hasError = await withTree(`x = ${"[".repeat(20_000)}`, (tree) => tree.rootNode.hasError);
    expect(hasError).toBe(true);
  });

  it("stops when its signal fires", async () => {
    const signal = AbortSignal.abort(new Error("deadline"));
    const parsing = withTree(block.repeat(20_000), () => null, signal);
    await expect(parsing).rejects.toThrow("deadline");
  });
});
