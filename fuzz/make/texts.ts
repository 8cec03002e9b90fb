import { stringify } from "yaml";
import { isTooDeep } from "../../src/json/depth.ts";
import type { Random } from "../random.ts";
import { mutateText } from "./mutate.ts";
import { oddName, oddText } from "./odd.ts";

/**
 * JSON in an unusual hand: any white space, escapes where none are needed, members repeated, numbers
 * in other forms. Always valid; means the value, but for what a repeated member hides.
 */
export function quirkyJson(value: unknown, random: Random): string {
  if (isTooDeep(value)) return JSON.stringify(value);
  const space = () =>
    random.chance(0.15) ? random.pick([" ", "\n", "\r\n", "\t", "\r", "    "]) : "";
  const write = (part: unknown): string => {
    if (typeof part === "string") return quirkyString(part, random);
    if (typeof part === "number") return quirkyNumber(part, random);
    if (typeof part !== "object" || part === null) return JSON.stringify(part);
    if (Array.isArray(part)) {
      return `[${part.map((item) => space() + write(item) + space()).join(",")}${space()}]`;
    }
    const members = Object.entries(part).map(([name, member]) => [name, write(member)] as const);
    if (random.chance(0.02)) members.push([oddName(random), write(oddText(random))]);
    const [first] = members;
    // Only a short one: in deep documents each repetition doubles all below it.
    if (first && first[1].length < 200 && random.chance(0.04))
      members.splice(random.below(members.length), 0, first);
    const written = members.map(
      ([name, member]) => `${space()}${quirkyString(name, random)}${space()}:${space()}${member}`,
    );
    return `{${written.join(",")}${space()}}`;
  };
  return (random.chance(0.03) ? "\ufeff" : "") + space() + write(value) + space();
}

function quirkyString(text: string, random: Random): string {
  if (!random.chance(0.05)) return JSON.stringify(text);
  const escaped = [...Array(text.length).keys()].map((at) =>
    random.chance(0.3)
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`
      : JSON.stringify(text[at]).slice(1, -1),
  );
  return `"${escaped.join("")}"`;
}

function quirkyNumber(value: number, random: Random): string {
  const plain = JSON.stringify(value);
  if (!random.chance(0.2)) return plain;
  return random.pick([
    `${plain}${/[.e]/.test(plain) ? "" : ".0"}`,
    "1e999",
    "-0",
    `1${"0".repeat(random.small(400))}`,
    `0.${"1".repeat(1 + random.small(400))}`,
  ]);
}

const yamlStyles = [
  {},
  { collectionStyle: "flow" },
  { lineWidth: 20 },
  { lineWidth: 0, indent: 3 },
  { defaultStringType: "QUOTE_SINGLE" },
  { defaultStringType: "QUOTE_DOUBLE" },
  { defaultStringType: "BLOCK_LITERAL" },
  { defaultKeyType: "PLAIN", aliasDuplicateObjects: true },
] as const;

/**
 * The value as YAML in some style, by the library; as JSON, which is YAML too, when it is nested deeper
 * than any policy: the library takes many seconds over such values, or gives up.
 */
export function yamlText(value: unknown, random: Random): string {
  return isTooDeep(value) ? JSON.stringify(value) : stringify(value, random.pick(yamlStyles));
}

/** Text that is nearly, or not at all, JSON or YAML. */
export function brokenText(value: unknown, random: Random): string {
  const text = random.chance(0.8) ? quirkyJson(value, random) : yamlText(value, random);
  return random.chance(0.05) ? oddText(random) : mutateText(text, random);
}
