import { holds } from "../broken.ts";
import type { Answer } from "./answer.ts";

/**
 * Reads the answers of an HTTP/1.1 server, strictly: what it sends must be HTTP whatever it was sent.
 * @param bytes One character each.
 * @returns complete answers; one that is still going on at the end is left out.
 */
export function readAnswers(bytes: string): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest !== "") {
    const head =
      /^HTTP\/1\.1 (\d{3}) ([^\r\n]*)\r\n((?:[!#$%&'*+.^`|~\w-]+:[^\r\n\0]*\r\n)*)\r\n/.exec(rest);
    if (!head && !rest.includes("\r\n\r\n") && rest.startsWith("HTTP/1.1")) return answers;
    holds(head !== null, "an answer that is not HTTP", () => JSON.stringify(rest.slice(0, 500)));
    const [whole, code = "", , lines = ""] = head;
    const status = Number(code);
    const headers = new Map(
      lines
        .split("\r\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [name = ""] = line.split(":", 1);
          return [name.toLowerCase(), line.slice(name.length + 1).trim()] as const;
        }),
    );
    rest = rest.slice(whole.length);
    const body = bodyOf(rest, status, headers);
    if (!body) return answers;
    rest = rest.slice(body.length);
    if (status < 200) continue;
    const text = Buffer.from(body.text, "latin1").toString("utf8");
    answers.push({ status, contentType: headers.get("content-type") ?? "", text });
  }
  return answers;
}

/** @returns undefined when there is more of it to come. */
function bodyOf(
  rest: string,
  status: number,
  headers: ReadonlyMap<string, string>,
): { readonly text: string; readonly length: number } | undefined {
  // An answer to HEAD says how long its body would be, and another answer follows at once, or none.
  const isBare = status < 200 || status === 204 || status === 304 || /^(HTTP\/1\.1 |$)/.test(rest);
  if (isBare) return { text: "", length: 0 };
  if (headers.get("transfer-encoding") === "chunked") return chunks(rest);
  const length = headers.get("content-length");
  // Without a length it goes on to the end of the connection.
  const size = length === undefined ? rest.length : Number(length);
  return size > rest.length ? undefined : { text: rest.slice(0, size), length: size };
}

function chunks(rest: string): { readonly text: string; readonly length: number } | undefined {
  let text = "";
  let at = 0;
  for (;;) {
    const end = rest.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, end), 16);
    holds(Number.isInteger(size), "an answer that is not HTTP", () =>
      JSON.stringify(rest.slice(at, at + 100)),
    );
    text += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (at > rest.length) return undefined;
    if (size === 0) return { text, length: at };
  }
}
