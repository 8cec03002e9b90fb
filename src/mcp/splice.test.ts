import { expect, test } from "vitest";
import { encodeOutput, writeOutput } from "../results/prepared-output.ts";
import { Splice } from "./splice.ts";

const output = { report: '"quoted" \\ é 🙂 \u2028', truncated: false };
const result = {
  content: [{ type: "text", text: JSON.stringify(output) }],
  structuredContent: output,
  isError: false,
};

test("an output takes the place of its stand-in, byte for byte as if it had been in the answer", async () => {
  const splice = new Splice();
  const standIn = splice.standIn(encodeOutput(writeOutput(output)));
  const answer = (inside: object) => ({
    jsonrpc: "2.0",
    id: "é",
    result: { ...inside, _meta: {} },
  });
  const filled = await splice.fill(Response.json(answer(standIn)));
  expect(await filled.text()).toBe(JSON.stringify(answer(result)));
  expect(filled.headers.get("content-type")).toMatch(/^application\/json/);
  expect(filled.headers.has("content-length")).toBe(false);
});

test("the two places may stand in any order, inside anything", async () => {
  const splice = new Splice();
  const { content, structuredContent } = splice.standIn(writeOutput(output));
  const event = (inside: object) => `event: message\ndata: ${JSON.stringify(inside)}\n\n`;
  const filled = await splice.fill(new Response(event({ structuredContent, content })));
  expect(await filled.text()).toBe(
    event({ structuredContent: result.structuredContent, content: result.content }),
  );
});

test("what looks like an empty place elsewhere in the answer is none", async () => {
  const splice = new Splice();
  const { content, structuredContent } = splice.standIn(writeOutput(output));
  const answer = (content: unknown, structuredContent: unknown) => ({
    id: "",
    _meta: { "": 0 },
    other: { a: { "": 0 } },
    content,
    structuredContent,
  });
  const filled = await splice.fill(Response.json(answer(content, structuredContent)));
  expect(await filled.json()).toEqual(answer(result.content, output));
});

test("an answer that says something else stays as it is", async () => {
  const splice = new Splice();
  splice.standIn(writeOutput(output));
  const filled = await splice.fill(Response.json({ error: "cut" }, { status: 503 }));
  expect([filled.status, await filled.json()]).toEqual([503, { error: "cut" }]);
});

test("without an output the response is the same", async () => {
  const response = new Response("x");
  expect(await new Splice().fill(response)).toBe(response);
});
