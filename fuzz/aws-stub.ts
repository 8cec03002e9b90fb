import { localServer } from "../test/support/issuer.ts";
import { oddText, oddValue } from "./make/odd.ts";
import { Random } from "./random.ts";

export interface AwsStub {
  stop(): Promise<void>;
}

const finding = (random: Random) => ({
  findingDetails: oddText(random),
  findingType: random.pick(["ERROR", "SECURITY_WARNING", "SUGGESTION", "WARNING", "OTHER"]),
  issueCode: oddText(random),
  learnMoreLink: "https://docs.example.com",
  locations: [{ path: [{ value: "Statement" }, { index: 0 }], span: oddValue(random, 1) }],
});

const errorTypes = [
  "ValidationException",
  "AccessDeniedException",
  "ThrottlingException",
  "",
] as const;

/**
 * Stands in for AWS on loopback and is no more reliable than what is sent to it: the answer depends on
 * the request alone, so that a case gets the same one each time.
 */
export async function awsStub(): Promise<AwsStub> {
  const server = await localServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const random = new Random(Buffer.concat(parts).toString("latin1").slice(0, 4_096));
      const send = (status: number, body: string, headers = {}) =>
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
      random.weighted<unknown>([
        [
          5,
          () =>
            send(
              200,
              JSON.stringify({ findings: random.list(random.small(5), () => finding(random)) }),
            ),
        ],
        [1, () => send(200, JSON.stringify(oddValue(random)))],
        [1, () => send(200, oddText(random))],
        [1, () => send(200, JSON.stringify({ findings: [], nextToken: "again" }))],
        [
          2,
          () =>
            send(
              random.pick([400, 403, 429, 500, 302]),
              JSON.stringify({ message: oddText(random) }),
              {
                "x-amzn-errortype": `${random.pick(errorTypes)}:http://x/`,
              },
            ),
        ],
        [1, () => request.socket.destroy()],
      ]);
    });
  });
  // How the SDK is pointed elsewhere; it reads this when the first client is made.
  process.env.AWS_ENDPOINT_URL_ACCESSANALYZER = server.url;
  return { stop: async () => server[Symbol.asyncDispose]() };
}
