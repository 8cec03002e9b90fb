import { z } from "zod";

/** An option that replaces one built-in text; null keeps the built-in one. */
export function textOption(what: string, placeholders = "") {
  const note = placeholders && ` Placeholders: ${placeholders}.`;
  return z.string().nullable().default(null).describe(`${what}${note}`);
}

/** Options `message`, `suggestion` and `example` of a check. */
export function textOptions(placeholders = "") {
  return {
    message: textOption("Replaces the built-in message.", placeholders),
    suggestion: textOption("Replaces the built-in suggestion; empty means none.", placeholders),
    example: textOption("Replaces the built-in example; empty means none.", placeholders),
  };
}
