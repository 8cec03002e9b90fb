import type { FunctionResult } from "../../src/awslambda.ts";

/** A request as a client wrote it, before the platform made an event of it. */
export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What an authorizer in front found out. */
  readonly authorizer?: unknown;
  readonly base64?: boolean;
  readonly stage?: string;
  /** Encoded, without the question mark. */
  readonly query?: string;
}

/** Single values as the platform writes them: the last of each name. */
const lastValues = (pairs: readonly (readonly [string, string])[]) => Object.fromEntries(pairs);
const allValues = (pairs: readonly (readonly [string, string])[]) => {
  const values: Record<string, string[]> = {};
  for (const [name, value] of pairs) values[name] = [...(values[name] ?? []), value];
  return values;
};
/** Names and values as they came, which is what a load balancer passes on. */
const rawPairs = (query: string) =>
  query
    .split("&")
    .filter((part) => part !== "")
    .map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      return [name, value.join("=")];
    });

const domainName = "abc123.execute-api.eu-west-1.amazonaws.com";

function bodyOf({ body, base64 = false }: HttpRequest) {
  return {
    body: body !== undefined && base64 ? Buffer.from(body).toString("base64") : (body ?? null),
    isBase64Encoded: base64,
  };
}

/** Load balancers and formats before 2.0 hand names on as they came; format 2.0 in lower case. */
const titleCase = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
const titled = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [titleCase(name), value]));
const lists = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

/** Format 2.0 takes cookies out of the headers, one to an entry. */
function cookiesOf(all: Readonly<Record<string, string>>, host: string) {
  const { cookie, ...others } = all;
  const headers = { host, "x-forwarded-proto": "https", ...others };
  return cookie ? { headers, cookies: cookie.split("; ") } : { headers };
}

function version2(request: HttpRequest, host: string) {
  const { method = "POST", path = "/mcp", headers = {}, authorizer, stage = "$default" } = request;
  const rawPath = stage === "$default" ? path : `/${stage}${path}`;
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString: request.query ?? "",
    ...cookiesOf(headers, host),
    requestContext: {
      accountId: "123456789012",
      apiId: "abc123",
      domainName: host,
      domainPrefix: "abc123",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "t" },
      requestId: "r1",
      routeKey: "$default",
      stage,
      time: "21/Nov/2026:07:00:00 +0000",
      timeEpoch: 1_795_244_400_000,
      ...(authorizer !== undefined && { authorizer }),
    },
    ...bodyOf(request),
  };
}

function version1(request: HttpRequest, path: string) {
  const { method = "POST", headers = {}, authorizer, stage = "prod" } = request;
  const all = titled({ host: domainName, ...headers });
  const decoded = [...new URLSearchParams(request.query ?? "")];
  return {
    resource: "/{proxy+}",
    path,
    httpMethod: method,
    headers: all,
    multiValueHeaders: lists(all),
    queryStringParameters: decoded.length > 0 ? lastValues(decoded) : null,
    multiValueQueryStringParameters: decoded.length > 0 ? allValues(decoded) : null,
    pathParameters: { proxy: "mcp" },
    stageVariables: null,
    requestContext: {
      accountId: "123456789012",
      apiId: "abc123",
      domainName,
      httpMethod: method,
      identity: { sourceIp: "192.0.2.1" },
      path: `/${stage}${path}`,
      protocol: "HTTP/1.1",
      requestId: "r1",
      resourcePath: "/{proxy+}",
      stage,
      ...(authorizer !== undefined && { authorizer }),
    },
    ...bodyOf(request),
  };
}

const elb = {
  targetGroupArn:
    "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/validator/73e2d6bc24d8a067",
};

function loadBalancer(request: HttpRequest) {
  const { method = "POST", path = "/mcp" } = request;
  const body = bodyOf(request);
  return {
    requestContext: { elb },
    httpMethod: method,
    path,
    ...body,
    body: body.body ?? "",
  };
}

/** Every form in which an HTTP request reaches a function. */
export const eventShapes = {
  "function URL": (request: HttpRequest) => version2(request, "abc123.lambda-url.eu-west-1.on.aws"),
  "HTTP API 2.0": (request: HttpRequest) => version2(request, domainName),
  "HTTP API 1.0": (request: HttpRequest) => {
    const { path = "/mcp", stage = "$default" } = request;
    return {
      version: "1.0",
      ...version1({ ...request, stage }, stage === "$default" ? path : `/${stage}${path}`),
    };
  },
  "REST API": (request: HttpRequest) => version1(request, request.path ?? "/mcp"),
  "load balancer": (request: HttpRequest) => ({
    ...loadBalancer(request),
    queryStringParameters: lastValues(rawPairs(request.query ?? "")),
    headers: { host: "validator.example.com", ...request.headers },
  }),
  "load balancer with header lists": (request: HttpRequest) => ({
    ...loadBalancer(request),
    multiValueQueryStringParameters: allValues(rawPairs(request.query ?? "")),
    multiValueHeaders: lists({ host: "validator.example.com", ...request.headers }),
  }),
} as const;
export type EventShape = keyof typeof eventShapes;
export const shapes = Object.keys(eventShapes) as EventShape[];

/** What the client gets to see of a result. */
export function answerOf(result: FunctionResult) {
  const single = Object.entries(result.headers ?? {});
  const many = Object.entries(result.multiValueHeaders ?? {}).map(
    ([name, values]) => [name, values.join(", ")] as const,
  );
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8");
  const text = bytes.toString("utf8");
  const headers = new Headers([...single, ...many].map(([name, value]) => [name, value]));
  const cookies = result.cookies ?? result.multiValueHeaders?.["set-cookie"];
  if (cookies) {
    headers.delete("set-cookie");
    for (const cookie of cookies) headers.append("set-cookie", cookie);
  }
  const json = headers.get("content-type")?.startsWith("application/json") && text !== "";
  return {
    status: result.statusCode,
    headers,
    bytes,
    text,
    // Bodies of our own server; the tests say what they expect in them.
    body: (json && !headers.has("content-encoding") ? JSON.parse(text) : {}) as Record<
      string,
      unknown
    > & { result?: Record<string, unknown> },
  };
}
