import { quote } from "../shared/quote.ts";
import type { Fault } from "./former-names.ts";

/** Letters of Cyrillic and Greek, and the Latin ones that look the same. */
const lookAlikes = "АВЕКМНОРСТХаеорсхіΑΒΕΖΗΙΚΜΝΟΡΤΧο";
const latin = "ABEKMHOPCTXaeopcxiABEZHIKMNOPTXo";

/** The action as a keyboard writes it: without quotation marks, full-width and similar letters. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/["'“”„‘’`]/g, "")
    .replace(/[^\0-\x7f]/g, (letter) => latin[lookAlikes.indexOf(letter)] ?? letter);
}

/** @returns what is wrong with the form of an action, in the order in which a reader would see it. */
export function malformed(text: string): Fault {
  const typed = plain(text);
  if (typed !== text && /^[A-Za-z0-9-]+:[A-Za-z0-9*?]+$/.test(typed)) {
    return {
      message: `${quote(text)} is not an action: it contains a character that AWS does not accept there.`,
      suggestion: `Write ${quote(typed)}.`,
      meant: typed,
    };
  }
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon);
  const name = text.slice(colon + 1);
  if (colon < 0) {
    // Other separators are typing errors, if what they separate exists.
    const [, service, action] = /^([A-Za-z0-9-]+)[./;]([A-Za-z0-9*?]+)$/.exec(text) ?? [];
    return {
      ...(service === undefined ? { isBare: true } : { meant: `${service}:${action}` }),
      message: `${quote(text)} is not an action: an action is written \`service:Name\`, and the colon is missing.`,
      suggestion: /^\*+$/.test(text)
        ? "Write `*` for every action, or better name the actions."
        : service !== undefined
          ? `Write ${quote(`${service}:${action}`)}.`
          : "Put the service prefix in front, for instance `s3:GetObject`.",
    };
  }
  if (/\s/.test(text)) {
    const meant = text.replace(/\s+/g, "");
    return {
      message: `${quote(text)} is not an action: it contains a space.`,
      ...(/^[\w-]+:[\w*?-]+$/.test(meant)
        ? { meant, suggestion: `Write ${quote(meant)}.` }
        : { suggestion: "Write each action as an entry of a list, in the form `service:Name`." }),
    };
  }
  if (/[*?]/.test(prefix)) {
    return {
      message: `${quote(text)} has a wildcard in the service prefix, which AWS refuses; the prefix must name one service.`,
      suggestion: `Write one action per service, for instance ${quote(`s3:${name || "*"}`)}. Wildcards after the colon are fine.`,
      aws_issue_code: "INVALID_SERVICE_IN_ACTION",
    };
  }
  if (prefix === "" || name === "") {
    return {
      message: `${quote(text)} is not an action: the ${prefix === "" ? "service prefix before" : "name after"} the colon is missing.`,
      suggestion: "Write `service:Name`, for instance `s3:GetObject`.",
    };
  }
  // `s3::GetObject`, `aws:s3:GetObject`, `arn:aws:s3:GetObject`, `s3:GetObject()`, `s3:Get.*`
  const [, service, action] =
    /^(?:(?:arn:)?aws:)?([A-Za-z0-9-]+)::?([A-Za-z0-9*?]+)(?:\(\))?$/.exec(
      text.replace(/\.\*$/, "*"),
    ) ?? [];
  return {
    ...(service === undefined ? {} : { meant: `${service}:${action}` }),
    message: `${quote(text)} is not an action: the service prefix takes letters, digits, \`-\` and \`_\`, the name also \`*\` and \`?\`.`,
    suggestion:
      service === undefined
        ? "Write `service:Name`, for instance `s3:GetObject`; policy variables are not replaced in actions."
        : `Write ${quote(`${service}:${action}`)}.`,
  };
}
