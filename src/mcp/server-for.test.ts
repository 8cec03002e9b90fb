import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = new URL("..", import.meta.url).pathname;

/** What a handler would need to speak before its answer; of `mcpReq` it may take the signal. */
const serverInitiated =
  /\b(sendLoggingMessage|sendProgress|createMessage|elicitInput|requestSampling|listRoots|sendResourceUpdated|send(Tool|Resource|Prompt)ListChanged)\b|\bmcpReq\??\.(?!signal\b)|\.(notify|notification)\(/;

test("no handler can send progress, logging, sampling or elicitation", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(50);
  const speaking = files.filter((path) =>
    serverInitiated.test(readFileSync(join(source, path), "utf8")),
  );
  expect(speaking).toEqual([]);
});
