import type { LineSink } from "../src/mcp/audit.ts";
import type { Runtime } from "../src/runtime.ts";
import type { Tool } from "../src/tools/tool.ts";
import { type InProcess, startInProcess } from "../test/support/in-process.ts";
import { hostedFlags, withTokens } from "../test/support/target.ts";
import { type AwsStub, awsStub } from "./aws-stub.ts";
import { holds } from "./broken.ts";
import { verifyLog } from "./outputs.ts";
import { type Known, verifyAnswer, verifyAudit, verifyCall } from "./verify/answer.ts";
import { isPlainCall } from "./verify/fast-path.ts";
import type { WireRequest } from "./wire-request.ts";

export interface WireOptions {
  readonly extraTools?: readonly Tool[];
  readonly sink?: (lines: LineSink) => LineSink;
  readonly adjust?: (runtime: Runtime) => Runtime;
}

export interface Exchanged extends Known {
  /** 0: the request could not be written as one. */
  readonly status: number;
  readonly text: string;
}

/** The real app and all behind it, but for the socket before it and AWS. */
export interface Wire {
  readonly server: InProcess;
  /** Sends a request and verifies all that comes of it. Exchanges must not overlap. */
  exchange(request: WireRequest): Promise<Exchanged>;
  /** Takes the audit lines since the last time; what else was written is verified. */
  takeAudit(): string[];
  close(): Promise<void>;
}

/** Long enough for what an answer is made of; streams that stay open send nothing after it. */
const streamQuietMs = 20;

export async function openWire({ extraTools, sink, adjust }: WireOptions): Promise<Wire> {
  const aws: AwsStub = await awsStub();
  const audit: string[] = [];
  const push: LineSink = (line) => void audit.push(line);
  const server = await startInProcess({
    flags: {
      ...hostedFlags(),
      auth: "token",
      analyze_rate_limit: "0",
      workers: "1",
      log_level: "debug",
    },
    environment: withTokens.environment ?? {},
    sink: sink ? sink(push) : push,
    ...(extraTools && { extraTools }),
    ...(adjust && { adjust }),
  });
  server.log.all.length = 0;
  return {
    server,
    async exchange(sent) {
      audit.length = 0;
      server.log.all.length = 0;
      const request = requestOf(server.url, sent);
      if (!request) return { toolResult: undefined, id: undefined, status: 0, text: "" };
      const response = await server.app.fetch(request);
      const contentType = response.headers.get("content-type") ?? "";
      const text = await textOf(response, contentType);
      const shown = () => JSON.stringify(sent).slice(0, 2_000);
      verifyLog(server.log.all);
      const records = verifyAudit(audit);
      const known = verifyAnswer({ status: response.status, contentType, text });
      verifyCall(records, known.toolResult, shown);
      const plain = isPlainCall(sent);
      holds(
        !plain || known.toolResult !== undefined,
        "a plain call without a result",
        () => `${response.status} ${text} ${shown()}`,
      );
      holds(
        !plain || known.id === plain.id,
        "a result with another id",
        () => `${text} ${shown()}`,
      );
      holds(
        !plain || records[0]?.tool === plain.tool,
        "an audit record of another tool",
        () => `${JSON.stringify(records)} ${shown()}`,
      );
      return { ...known, status: response.status, text };
    },
    takeAudit() {
      verifyLog(server.log.all.splice(0));
      return audit.splice(0);
    },
    async close() {
      await server.stop();
      await server.runtime.pool.close();
      await aws.stop();
    },
  };
}

/** @returns undefined for what cannot be written as a request: headers that no parser lets through. */
function requestOf(
  url: string,
  { method, path, headers, body, encoding = "utf8" }: WireRequest,
): Request | undefined {
  try {
    return new Request(url + path, {
      method,
      headers: [
        ["host", new URL(url).host],
        ...headers.map(([name, value]): [string, string] => [name, value]),
      ],
      ...(method !== "GET" && method !== "HEAD" && { body: Buffer.from(body, encoding) }),
    });
  } catch {
    return undefined;
  }
}

/** The body; of a stream that stays open, what has come until it falls quiet. */
async function textOf(response: Response, contentType: string): Promise<string> {
  if (!contentType.startsWith("text/event-stream")) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, streamQuietMs);
    });
    const chunk = await Promise.race([reader?.read(), quiet]);
    clearTimeout(timer);
    if (chunk?.value !== undefined) text += chunk.value;
    if (chunk && !chunk.done) continue;
    await reader?.cancel().catch(() => undefined);
    return text;
  }
}
