/**
 * Runs inside the function image: plays the Runtime API, starts the real runtime client again and
 * again and times process start to first answer. Prints one JSON object.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Subject {
  readonly taskRoot: string;
  readonly handler: string;
}

const subjects: Readonly<Record<string, Subject>> = {
  empty: { taskRoot: import.meta.dirname, handler: "empty.handler" },
  product: { taskRoot: "/var/task", handler: "iam_validator.mcp.awslambda.handler" },
};
const runs = Number(process.env.RUNS ?? 15);

const requests = {
  initialize: {
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  validate: {
    method: "tools/call",
    params: {
      name: "validate_policies",
      arguments: {
        policies: [
          {
            Version: "2012-10-17",
            Statement: [{ Effect: "Allow", Action: "s3:Get*", Resource: "arn:aws:s3:::reports/*" }],
          },
        ],
      },
    },
  },
};

function eventOf(message: object): string {
  return JSON.stringify({
    version: "2.0",
    routeKey: "$default",
    rawPath: "/mcp",
    rawQueryString: "",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      host: "bench.lambda-url.eu-west-1.on.aws",
    },
    requestContext: {
      domainName: "bench.lambda-url.eu-west-1.on.aws",
      stage: "$default",
      http: { method: "POST", path: "/mcp", protocol: "HTTP/1.1", sourceIp: "192.0.2.1" },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    isBase64Encoded: false,
  });
}

interface Run {
  /** Process start to the runtime client's first request for work, in ms. */
  readonly initMs: number;
  /** Process start to the first answer, in ms. */
  readonly answerMs: number;
}

async function coldRun(subject: Subject, event: string): Promise<Run> {
  let waiting: ServerResponse | undefined;
  let initMs = 0;
  let delivered = false;
  const answered = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (url.endsWith("/next")) {
      initMs ||= performance.now() - started;
      if (delivered) {
        waiting = response;
        return;
      }
      delivered = true;
      response.writeHead(200, {
        "content-type": "application/json",
        "lambda-runtime-aws-request-id": "bench",
        "lambda-runtime-deadline-ms": String(Date.now() + 30_000),
        "lambda-runtime-invoked-function-arn": "arn:aws:lambda:eu-west-1:111122223333:function:f",
      });
      response.end(event);
      return;
    }
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.writeHead(202, { "content-type": "application/json" }).end("{}");
      const text = Buffer.concat(parts).toString("utf8");
      if (url.endsWith("/response")) answered.resolve(text);
      else answered.reject(new Error(`${url}: ${text}`));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const started = performance.now();
  const child = spawn("/var/runtime/bootstrap", [], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_FUNCTION_NAME: "bench",
      AWS_LAMBDA_FUNCTION_VERSION: "1",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "1769",
      AWS_LAMBDA_LOG_GROUP_NAME: "bench",
      AWS_LAMBDA_LOG_STREAM_NAME: "bench",
      LAMBDA_TASK_ROOT: subject.taskRoot,
      _HANDLER: subject.handler,
    },
  });
  const text = await answered.promise;
  const answerMs = performance.now() - started;
  if (!/"statusCode":200/.test(text)) throw new Error(`not answered: ${text.slice(0, 500)}`);
  child.kill("SIGKILL");
  waiting?.destroy();
  server.closeAllConnections();
  server.close();
  await once(child, "close");
  return { initMs, answerMs };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

const report: Record<string, { init_ms: number; answer_ms: number }> = {};
const taken = new Map<string, Run[]>();
// Interleaved, so that what else the machine does hits all of them alike.
for (let turn = -1; turn < runs; turn += 1) {
  for (const [name, subject] of Object.entries(subjects)) {
    for (const [kind, message] of Object.entries(requests)) {
      if (name === "empty" && kind !== "initialize") continue;
      const run = await coldRun(subject, eventOf(message));
      // The first round fills the page cache.
      if (turn < 0) continue;
      const key = name === "empty" ? name : `${name}_${kind}`;
      taken.set(key, [...(taken.get(key) ?? []), run]);
    }
  }
}
for (const [key, list] of taken) {
  report[key] = {
    init_ms: median(list.map(({ initMs }) => initMs)),
    answer_ms: median(list.map(({ answerMs }) => answerMs)),
  };
}
process.stdout.write(`${JSON.stringify(report)}\n`);
