import { z } from "zod";
import { settingSources } from "../../spec/settings.ts";
import { createHandler } from "../../src/awslambda.ts";
import type { FunctionHandler } from "../../src/lambda/create.ts";
import type { FunctionResult } from "../../src/lambda/result.ts";
import { canary } from "../../test/support/canary-traffic.ts";
import { answerOf, eventShapes, shapes } from "../../test/support/lambda-events.ts";
import { hostedFlags, withTokens } from "../../test/support/target.ts";
import { awsStub } from "../aws-stub.ts";
import { holds } from "../broken.ts";
import { readCorpus } from "../make/corpus.ts";
import { Messages } from "../make/messages.ts";
import { mutate } from "../make/mutate.ts";
import { oddText, oddValue } from "../make/odd.ts";
import type { Outputs } from "../outputs.ts";
import type { Random } from "../random.ts";
import type { Target } from "../target.ts";
import { verifyAnswer, verifyAudit, verifyCall } from "../verify/answer.ts";

const EventCase = z.strictObject({
  /** How the function tells who calls. */
  auth: z.enum(["token", "gateway"]),
  event: z.unknown(),
  /** What the platform says is left of its time; null: it says nothing. */
  remainingMs: z.number().nullable(),
});
type EventCase = z.infer<typeof EventCase>;

/** The function as the platform calls it. */
export async function open(outputs: Outputs): Promise<Target<EventCase>> {
  const aws = await awsStub();
  const handlers = { token: await handlerFor("token"), gateway: await handlerFor("gateway") };
  const messages = new Messages(readCorpus());
  return {
    schema: EventCase,
    generate: (random) => makeCase(messages, random),
    async run({ auth, event, remainingMs }) {
      const context =
        remainingMs === null ? undefined : { getRemainingTimeInMillis: () => remainingMs };
      const result = await handlers[auth](event, context);
      verifyForm(result);
      const { status, headers, text } = answerOf(result);
      const contentType = headers.get("content-type") ?? "";
      const records = verifyAudit(outputs.takeOutput(), auth === "gateway");
      // What the platform does not pass on is a documented 500 (docs/deploy-lambda.md).
      if (status === 500 && text.includes("larger than the platform allows")) return;
      const shown = () => JSON.stringify(event).slice(0, 2_000);
      const { toolResult } = verifyAnswer({ status, contentType, text });
      verifyCall(records, toolResult, shown);
      const isProven = auth === "token" || hasIdentity(event);
      holds(isProven || toolResult === undefined, "a call without a caller", shown);
    },
    close: () => aws.stop(),
  };
}

function handlerFor(auth: EventCase["auth"]): Promise<FunctionHandler> {
  const flags = hostedFlags({ auth, analyze_rate_limit: "0", workers: "1" });
  const given = Object.entries(flags).flatMap(([field, value]) => {
    const source = settingSources[field as keyof typeof settingSources];
    return value === undefined ? [] : [[source.variable, value]];
  });
  return createHandler({
    environment: { ...Object.fromEntries(given), ...withTokens.environment },
  });
}

/** The platform takes status, headers of text, and a body of text. */
function verifyForm({
  statusCode,
  headers,
  multiValueHeaders,
  body,
  isBase64Encoded,
}: FunctionResult) {
  const shown = () =>
    JSON.stringify({ statusCode, headers, multiValueHeaders, body }).slice(0, 2_000);
  const isStatus = Number.isInteger(statusCode) && statusCode >= 200 && statusCode <= 599;
  holds(isStatus, "a result off its form", shown);
  holds(
    typeof body === "string" && typeof isBase64Encoded === "boolean",
    "a result off its form",
    shown,
  );
  holds(!headers || !multiValueHeaders, "a result off its form", shown);
  const values = [
    ...Object.values(headers ?? {}),
    ...Object.values(multiValueHeaders ?? {}).flat(),
  ];
  holds(
    values.every((value) => typeof value === "string"),
    "a result off its form",
    shown,
  );
}

/** Whether an authorizer has said anything at all. */
function hasIdentity(event: unknown): boolean {
  if (typeof event !== "object" || event === null || !("requestContext" in event)) return false;
  const { requestContext } = event;
  if (typeof requestContext !== "object" || requestContext === null) return false;
  return (
    Object.hasOwn(requestContext, "authorizer") &&
    "authorizer" in requestContext &&
    typeof requestContext.authorizer === "object" &&
    requestContext.authorizer !== null
  );
}

function makeCase(messages: Messages, random: Random): EventCase {
  const auth = random.chance(0.7) ? "token" : "gateway";
  return {
    auth,
    event: random.chance(0.97) ? makeEvent(messages, auth, random) : oddValue(random),
    remainingMs: random.weighted<number | null>([
      [5, () => null],
      [4, () => 30_000],
      [1, () => random.pick([0, 1, 499, 501, 600, -1, 900_000])],
    ]),
  };
}

function makeEvent(messages: Messages, auth: EventCase["auth"], random: Random): unknown {
  const { method, path, headers, body, encoding } = messages.request(random);
  const event: unknown = eventShapes[random.pick(shapes)]({
    method,
    path,
    headers: Object.fromEntries(headers),
    // The body of an event is text; what is none travels as base64.
    body: encoding === "latin1" ? Buffer.from(body, "latin1").toString("utf8") : body,
    base64: random.chance(0.3),
    ...(random.chance(0.2) && { stage: random.pick(["prod", "$default", canary]) }),
    ...((auth === "gateway" || random.chance(0.1)) &&
      random.chance(0.9) && { authorizer: makeAuthorizer(random) }),
  });
  const plain: unknown = JSON.parse(JSON.stringify(event));
  return random.chance(0.5) ? mutate(plain, random) : plain;
}

/** What authorizers of each kind say. */
function makeAuthorizer(random: Random): unknown {
  const claims = {
    sub: random.chance(0.7) ? "somebody" : oddText(random),
    client_id: random.chance(0.7) ? "agent" : oddValue(random, 1),
    scope: random.pick([
      "iam:validate iam:query",
      "[iam:validate, iam:query]",
      "",
      "iam:validate,iam:analyze",
    ]),
  };
  return random.weighted<unknown>([
    [4, () => ({ jwt: { claims, scopes: null } })],
    [3, () => ({ claims })],
    [2, () => ({ iam: { userArn: "arn:aws:iam::123456789012:user/somebody", userId: "AIDAX" } })],
    [1, () => ({ lambda: claims, principalId: "somebody" })],
    [1, () => oddValue(random)],
  ]);
}
