import { z } from "zod";

/** A name or an address, with or without a port. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const headers = z.record(z.string(), z.string().nullish()).nullish();

/**
 * An HTTP request as a function event, for all senders: function URLs and HTTP APIs (format 2.0),
 * HTTP APIs with format 1.0, REST APIs, load balancers.
 */
const HttpEvent = z.looseObject({
  version: z.string().optional(),
  rawPath: z.string().optional(),
  rawQueryString: z.string().nullish(),
  queryStringParameters: z.record(z.string(), z.string().nullish()).nullish(),
  multiValueQueryStringParameters: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
  cookies: z.array(z.string()).nullish(),
  path: z.string().optional(),
  httpMethod: z.string().optional(),
  headers,
  multiValueHeaders: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
  requestContext: z.looseObject({
    http: z.looseObject({ method: z.string() }).optional(),
    elb: z.unknown().optional(),
    stage: z.string().nullish(),
    domainName: z.string().nullish(),
  }),
});
type HttpEvent = z.infer<typeof HttpEvent>;

/** Properties of the sender that determine the format of the answer. */
export interface Sender {
  readonly loadBalancer: boolean;
  /** A load balancer that sends lists of header values expects the same in the answer. */
  readonly multiValueHeaders: boolean;
  /** Where several cookies of an answer go; absent: only one can be set. */
  readonly cookies?: "list" | "multiValueHeaders";
}

export interface HttpInvocation {
  readonly request: Request;
  readonly sender: Sender;
}

/**
 * The request inside a function event. The event is not changed, because `gateway` reads it unmodified.
 *
 * Why not `hono/aws-lambda` (4.13): it is deprecated and has three faults. It prints invalid header
 * values, which may be tokens. It joins the header lists of a load balancer with semicolons, which
 * breaks `Accept`. It answers an invalid base64 body with 500.
 * @returns undefined: not an HTTP request, or not convertible to one.
 */
export function readEvent(event: unknown): HttpInvocation | undefined {
  const parsed = HttpEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const method = data.requestContext.http?.method ?? data.httpMethod;
  const path = data.rawPath ?? data.path;
  if (method === undefined || path === undefined) return undefined;
  const body = bodyOf(data);
  const loadBalancer = Object.hasOwn(data.requestContext, "elb");
  try {
    const fields = headersOf(data);
    if (body) fields.set("content-length", String(body.byteLength));
    else fields.delete("content-length");
    const named = fields.get("host") ?? data.requestContext.domainName ?? "localhost";
    // Any other would move the border between host and path; what checks it reads the header.
    const host = plainHost.test(named) ? named : "localhost";
    const query = queryOf(data, loadBalancer);
    const withBody = body && method !== "GET" && method !== "HEAD";
    return {
      request: new Request(
        `https://${host}${withoutStage(path, data.requestContext.stage)}${query && `?${query}`}`,
        { method, headers: fields, ...(withBody && { body }) },
      ),
      sender: senderOf(data, loadBalancer),
    };
  } catch {
    // The error is dropped, because it can quote the value of a header.
    return undefined;
  }
}

function senderOf({ version, multiValueHeaders }: HttpEvent, loadBalancer: boolean): Sender {
  const lists = loadBalancer && Boolean(multiValueHeaders);
  if (loadBalancer && !lists) return { loadBalancer, multiValueHeaders: false };
  const cookies = version === "2.0" ? "list" : "multiValueHeaders";
  return { loadBalancer, multiValueHeaders: lists, cookies };
}

/**
 * The query, encoded once: load balancers send names and values as they came, APIs send them decoded.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
function queryOf(data: HttpEvent, loadBalancer: boolean): string {
  if (typeof data.rawQueryString === "string") return data.rawQueryString;
  const single = Object.entries(data.queryStringParameters ?? {});
  const lists = data.multiValueQueryStringParameters;
  const pairs: [string, string][] = lists
    ? Object.entries(lists).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      )
    : single.map(([name, value]) => [name, value ?? ""]);
  if (!loadBalancer) return new URLSearchParams(pairs).toString();
  return pairs.map(([name, value]) => `${name}=${value}`).join("&");
}

/** HTTP APIs with a named stage send its name as the first segment of the path. */
function withoutStage(path: string, stage: string | null | undefined): string {
  if (!stage || stage === "$default") return path;
  const prefix = `/${stage}`;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

function bodyOf({ body, isBase64Encoded }: HttpEvent): Uint8Array<ArrayBuffer> | undefined {
  if (!body) return undefined;
  return Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
}

/** Lists are preferred, because single values contain only the last of several headers of one name. */
function headersOf({ headers: single, multiValueHeaders: lists, cookies }: HttpEvent): Headers {
  const fields = new Headers();
  for (const [name, values] of Object.entries(lists ?? {})) {
    for (const value of values ?? []) fields.append(name, bytesOf(value));
  }
  for (const [name, value] of Object.entries(single ?? {})) {
    if (value && !fields.has(name)) fields.set(name, bytesOf(value));
  }
  // Format 2.0 takes them out of the headers.
  if (cookies?.length) fields.set("cookie", bytesOf(cookies.join("; ")));
  return fields;
}

/** One character per byte, as an HTTP server reads headers. */
function bytesOf(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}
