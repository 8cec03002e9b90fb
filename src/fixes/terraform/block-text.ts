import { isRecord } from "../../record.ts";
import type { WrittenText } from "./written-text.ts";

/** Arguments of a `statement` block by the element that they give. */
export const argumentNames: ReadonlyMap<string, string> = new Map([
  ["Sid", "sid"],
  ["Effect", "effect"],
  ["Action", "actions"],
  ["NotAction", "not_actions"],
  ["Resource", "resources"],
  ["NotResource", "not_resources"],
]);

interface PartText {
  readonly text: string;
  readonly isBlock: boolean;
}

type Argument = readonly [name: string, value: unknown];

/**
 * Arguments and blocks for members of a statement.
 * https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/iam_policy_document
 * @returns null for a member that has none, or a value whose expression is not known.
 */
export function blockTexts(
  written: WrittenText,
  members: Readonly<Record<string, unknown>>,
  indent: string,
): PartText[] | null {
  const own: Argument[] = [];
  const blocks: (readonly [type: string, inner: readonly Argument[]])[] = [];
  for (const [name, value] of Object.entries(members)) {
    const argument = argumentNames.get(name);
    const isText = name === "Sid" || name === "Effect";
    if (argument !== undefined) own.push([argument, isText ? value : [value].flat()]);
    else if (name === "Condition" && isRecord(value)) blocks.push(...conditions(value));
    else if (name === "Principal" || name === "NotPrincipal") {
      const type = name === "Principal" ? "principals" : "not_principals";
      const byType = isRecord(value) ? value : { "*": value };
      for (const [of, identifiers] of Object.entries(byType)) {
        blocks.push([
          type,
          [
            ["type", of],
            ["identifiers", [identifiers].flat()],
          ],
        ]);
      }
    } else return null;
  }
  const texts: (PartText | null)[] = (aligned(written, own, indent) ?? [null]).map((text) =>
    text === null ? null : { text, isBlock: false },
  );
  for (const [type, inner] of blocks) {
    const lines = aligned(written, inner, indent + written.layout.indent);
    texts.push(lines && { text: blockText(written, type, lines, indent), isBlock: true });
  }
  return texts.every((one) => one !== null) ? texts : null;
}

/** @returns a `statement` block; null as for {@link blockTexts}. */
export function statementText(
  written: WrittenText,
  statement: Readonly<Record<string, unknown>>,
  indent: string,
): string | null {
  const inner = indent + written.layout.indent;
  const parts = blockTexts(written, statement, inner);
  if (!parts) return null;
  const { lineEnd } = written.layout;
  const lines = parts.map(({ text, isBlock }, index) =>
    isBlock && index > 0 ? `${lineEnd}${inner}${text}` : text,
  );
  return blockText(written, "statement", lines, indent).replaceAll(`${inner}${lineEnd}`, lineEnd);
}

function conditions(condition: Readonly<Record<string, unknown>>) {
  return Object.entries(condition).flatMap(([operator, keys]) =>
    Object.entries(isRecord(keys) ? keys : {}).map(
      ([key, values]) =>
        [
          "condition",
          [
            ["test", operator],
            ["variable", key],
            ["values", [values].flat()],
          ],
        ] as const,
    ),
  );
}

function blockText(
  { layout: { lineEnd, indent: level } }: WrittenText,
  type: string,
  lines: readonly string[],
  indent: string,
): string {
  const inner = lines.map((line) => `${lineEnd}${indent}${level}${line}`).join("");
  return `${type} {${inner}${lineEnd}${indent}}`;
}

/** Arguments with their equals signs below each other, as `terraform fmt` writes them. */
function aligned(written: WrittenText, all: readonly Argument[], indent: string): string[] | null {
  const width = Math.max(0, ...all.map(([name]) => name.length));
  const lines = all.map(([name, value]) => {
    const text = written.valueText(value, indent);
    return text === null ? null : `${name.padEnd(width)} = ${text}`;
  });
  return lines.every((line) => line !== null) ? lines : null;
}
