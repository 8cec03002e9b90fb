import { AuditRecord } from "../../spec/audit.ts";
import { toolContracts } from "../../spec/tools/index.ts";
import { isRecord } from "../../src/record.ts";
import { canaryLines } from "../../test/support/canary-traffic.ts";
import { parseCsv } from "../../test/support/csv.ts";
import { schemaErrors } from "../../test/support/published-schemas.ts";
import { sarifErrors } from "../../test/support/sarif-schema.ts";
import { holds } from "../broken.ts";

/** An answer of the server, wherever it came from. */
export interface Answer {
  readonly status: number;
  /** Empty: none was named. */
  readonly contentType: string;
  readonly text: string;
}

/** What is known of an answer once it has been verified. */
export interface Known {
  /** The result of a tool call, if it is one. */
  readonly toolResult: ToolResult | undefined;
  readonly id: unknown;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly output: unknown;
}

/** Statuses at and above 500 that the documentation promises. */
const documented: ReadonlyMap<number, RegExp> = new Map([
  // More large bodies, or more streams, than this process takes; not ready yet.
  [503, /The server is busy|Too many open streams|not_ready/],
]);

/** Whatever was sent, the answer is of a form that the contract knows. */
export function verifyAnswer({ status, contentType, text }: Answer): Known {
  const shown = () => `status ${status}: ${text.slice(0, 2_000)}`;
  const excuse = documented.get(status);
  holds(status < 500 || (excuse?.test(text) ?? false), "a status of 500 or more", shown);
  if (text === "") return { toolResult: undefined, id: undefined };
  const message = contentType.startsWith("text/event-stream") ? lastEvent(text) : text;
  if (message === undefined || contentType.startsWith("text/plain")) {
    return { toolResult: undefined, id: undefined };
  }
  const body = parsed(message);
  holds(isRecord(body), "an answer that is not a JSON object", shown);
  if (!Object.hasOwn(body, "jsonrpc")) return { toolResult: undefined, id: undefined };
  const { jsonrpc, id = null, result, error } = body;
  holds(jsonrpc === "2.0", "an answer off JSON-RPC", shown);
  holds(
    id === null || typeof id === "string" || typeof id === "number",
    "an answer with a wrong id",
    shown,
  );
  if (error !== undefined) {
    holds(result === undefined && isRecord(error), "an answer off JSON-RPC", shown);
    const { code, message: words } = error;
    holds(Number.isInteger(code) && typeof words === "string", "an error off JSON-RPC", shown);
    holds(code !== -32603 || status === 503, "internal error", shown);
    return { toolResult: undefined, id };
  }
  holds(isRecord(result), "an answer off JSON-RPC", shown);
  return { toolResult: toolResultOf(result), id };
}

/** @returns the data of the last event of a stream; undefined: there is none. */
function lastEvent(text: string): string | undefined {
  return text
    .split("\n")
    .findLast((line) => line.startsWith("data: "))
    ?.slice("data: ".length);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Results of tool calls are the only ones with `content`. */
function toolResultOf(result: Record<string, unknown>): ToolResult | undefined {
  if (!Object.hasOwn(result, "content")) return undefined;
  const shown = () => JSON.stringify(result).slice(0, 2_000);
  const { content, isError, structuredContent } = result;
  const [only, ...more] = Array.isArray(content) ? content : [];
  holds(
    isRecord(only) && more.length === 0 && only.type === "text" && typeof only.text === "string",
    "a tool result off its schema",
    shown,
  );
  holds(typeof isError === "boolean", "a tool result off its schema", shown);
  if (isError) {
    holds(structuredContent === undefined, "a tool error with an output", shown);
    holds(!/fault in this server/.test(only.text), "internal error", shown);
    return { isError, output: undefined };
  }
  const same = JSON.stringify(structuredContent) === JSON.stringify(parsed(only.text));
  holds(same, "text and structured content differ", shown);
  return { isError, output: structuredContent };
}

/** @param name Of the tool that was called. */
export function verifyOutput(name: string, output: unknown): void {
  const errors = schemaErrors(`${name}.output`, output);
  holds(
    errors.length === 0,
    "an output off its schema",
    () => `${name}: ${errors.slice(0, 3).join("; ")}: ${JSON.stringify(output).slice(0, 2_000)}`,
  );
  if (isRecord(output) && typeof output.report === "string") verifyReport(output.report);
}

/** The formats text and concise begin with the name of a policy, and a name can begin with a brace. */
function beginsWithAPolicyName(report: string): boolean {
  const [first = ""] = report.split("\n");
  return / (passes|fails) \w+ \(\w+\)$/.test(first) || /:\d+:\d+: \w+ \w+: /.test(first);
}

/** Each format must be read by a strict reader, whatever the policies say. */
function verifyReport(report: string): void {
  const shown = () => report.slice(0, 2_000);
  holds(report.isWellFormed(), "a report that is not text", shown);
  if (/^[[{]/.test(report) && !beginsWithAPolicyName(report)) {
    const value: unknown = JSON.parse(report);
    // Lists are for GitLab, `diagnostics` for reviewdog; neither has a schema of its standard here.
    const errors = isRecord(value) && !("diagnostics" in value) ? sarifErrors(value) : [];
    holds(errors.length === 0, "a report that is not SARIF", () => `${errors[0]} ${shown()}`);
  } else if (report.startsWith("<!")) {
    holds(!/<script>\||<\/script><!--/.test(report), "a report with foreign markup", shown);
  } else if (report.startsWith("Summary,Count")) {
    const rows = parseCsv(report);
    holds(
      rows.every((row) => [1, 2, 11].includes(row.length)),
      "a report with broken rows",
      shown,
    );
    const formula = /^[=+\-@＝＋－＠]/;
    holds(!rows.flat().some((cell) => formula.test(cell)), "a report with a formula", shown);
  }
}

/**
 * Lines of the audit are records and nothing else, and show nothing of what was sent.
 * @param identityIsSent Who calls is part of the input, and belongs into a record.
 */
export function verifyAudit(lines: readonly string[], identityIsSent = false): AuditRecord[] {
  return lines.map((line) => {
    const { success, data } = AuditRecord.safeParse(parsed(line));
    holds(success, "an audit line that is not a record", () => line);
    holds(data.outcome !== "internal_error", "internal error", () => line);
    const { subject, scopes, ...rest } = data;
    const [shown] = canaryLines(identityIsSent ? JSON.stringify(rest) : line);
    holds(shown === undefined, "an audit record shows what was sent", () => line);
    return data;
  });
}

/** One call, one record, and the record says of it what the caller was told. */
export function verifyCall(
  records: readonly AuditRecord[],
  result: ToolResult | undefined,
  sent: () => string,
): void {
  const expected = result ? 1 : 0;
  holds(records.length >= expected, "a missing audit record", sent);
  holds(
    records.length <= expected,
    "one audit record too many",
    () => `${JSON.stringify(records)} ${sent()}`,
  );
  const [record] = records;
  if (!record || !result) return;
  holds(
    record.outcome === (result.isError ? "tool_error" : "success"),
    "an audit record of another outcome",
    () => `${JSON.stringify(record)} ${sent()}`,
  );
  if (!result.isError && toolContracts.some(({ name }) => name === record.tool)) {
    verifyOutput(record.tool, result.output);
  }
}
