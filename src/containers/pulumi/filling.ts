import { isRecord } from "../../record.ts";
import type { Filling } from "../filled-value.ts";
import { fillInterpolations } from "../placeholders.ts";
import type { Unknowns } from "../unknowns.ts";

/** What Pulumi fills in: `${…}` and the values of functions. */
export function fillingOf(unknowns: Unknowns): Filling {
  return {
    text: (text) => fillInterpolations({ text, offsets: null }, unknowns).text,
    call: (value, at) => {
      const name = callNamed(value, "fn::");
      return name && unknowns.token({ source: name, like: "text", span: at });
    },
  };
}

/** @returns the name of a function, if the value is a call of one whose name begins so. */
export function callNamed(value: unknown, start: string): string | null {
  if (!isRecord(value)) return null;
  const [name, second] = Object.keys(value);
  if (name === undefined || second !== undefined) return null;
  return name.toLowerCase().startsWith(start) ? name : null;
}
