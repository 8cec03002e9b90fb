import { expect, it } from "vitest";
import { openText } from "./open.ts";
import { PlaceDocument } from "./place-document.ts";
import { render } from "./render.ts";

async function bytesOf(text: string): Promise<number | undefined> {
  const opened = await openText({ name: "main.tf", text });
  const [place] = opened?.places ?? [];
  const [alternative] = place?.alternatives ?? [];
  if (!opened || !place || !alternative) return undefined;
  const { unknowns } = opened;
  const rendered = render(alternative.value, unknowns, "first", { get: () => undefined });
  return new PlaceDocument(rendered, alternative, { place, lines: null, unknowns }).compactBytes;
}

it("measures blocks as the provider renders them, and jsonencode as it is written", async () => {
  const short = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };
  const sizeOf = (statement: object) =>
    JSON.stringify({ Version: "2012-10-17", Statement: [statement] }).length;
  const blocks = (actions: string) =>
    `data "aws_iam_policy_document" "d" {\n  statement {\n    actions = ${actions}\n    resources = ["*"]\n  }\n}\n`;
  expect(await bytesOf(blocks('["s3:GetObject"]'))).toBe(sizeOf(short));
  expect(await bytesOf(blocks('["s3:GetObject", "s3:GetObject"]'))).toBe(sizeOf(short));
  expect(await bytesOf(blocks('["s3:GetObject", "s3:PutObject"]'))).toBe(
    sizeOf({ ...short, Action: ["s3:GetObject", "s3:PutObject"] }),
  );
  const encoded = `resource "aws_iam_policy" "p" {\n  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["s3:GetObject"], Resource = "*" }] })\n}\n`;
  expect(await bytesOf(encoded)).toBe(sizeOf({ ...short, Action: ["s3:GetObject"] }));
});
