import { HttpResponse, http, passthrough } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { vi } from "vitest";

/** A request that reached the stand-in of the API. */
interface SentRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export type Answer = () => Response | Promise<Response>;

export interface AccessAnalyzer {
  readonly server: SetupServer;
  /** Requests since the last `reset`. */
  readonly sent: SentRequest[];
  /** Answers in every region, one per request; the last one stays. */
  answer(...answers: Answer[]): void;
  /** Forgets requests and answers. */
  reset(): void;
}

/** Stands in for the AWS API, in this process. */
export function accessAnalyzer(): AccessAnalyzer {
  // Calls to a server under test go through.
  const isOwn = ({ request }: { request: Request }) =>
    new URL(request.url).hostname === "127.0.0.1";
  const server = setupServer(http.all(isOwn, () => passthrough()));
  const sent: SentRequest[] = [];
  return {
    server,
    sent,
    answer(...answers) {
      server.use(
        http.post("https://:host/policy/validation", async ({ request }) => {
          const body = JSON.parse(await request.text());
          sent.push({ url: new URL(request.url), headers: request.headers, body });
          return answers[Math.min(sent.length, answers.length) - 1]?.() ?? HttpResponse.error();
        }),
      );
    },
    reset() {
      sent.length = 0;
      server.resetHandlers();
    },
  };
}

/** Gives the AWS SDK credentials and a region, and nothing of this machine. */
export function stubAwsEnvironment(): void {
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  vi.stubEnv("AWS_SESSION_TOKEN", undefined);
  vi.stubEnv("AWS_PROFILE", undefined);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_DEFAULT_REGION", undefined);
  vi.stubEnv("AWS_CONFIG_FILE", "/dev/null");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
  vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
}

/** A finding as the API sends it. */
export function awsFinding(issueCode: string, findingDetails = `Details of ${issueCode}.`) {
  const path = [{ value: "Statement" }, { index: 0 }, { value: "Action" }];
  const span = {
    start: { line: 1, column: 60, offset: 60 },
    end: { line: 1, column: 63, offset: 63 },
  };
  return {
    findingDetails,
    findingType: "SECURITY_WARNING",
    issueCode,
    learnMoreLink: `https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#${issueCode}`,
    locations: [{ path, span }],
  };
}

export function found(...findings: object[]): Answer {
  return () => HttpResponse.json({ findings });
}

/** An error answer in the API's own shape. */
export function refusedByAws(status: number, type: string, message: string): Answer {
  return () =>
    HttpResponse.json(
      { message },
      { status, headers: { "x-amzn-errortype": `${type}:http://x/` } },
    );
}

export const noAnswer: Answer = () => new Promise(() => {});
