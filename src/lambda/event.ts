import { z } from "zod";

const headers = z.record(z.string(), z.string().nullish()).nullish();

/**
 * What an HTTP request looks like as a function event, over all senders: function URLs and HTTP APIs
 * (format 2.0), HTTP APIs with format 1.0, REST APIs, load balancers.
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

/** What the answer's form depends on. */
export interface Sender {
  readonly loadBalancer: boolean;
  /** A load balancer that sends lists of header values wants the answer's in that form too. */
  readonly multiValueHeaders: boolean;
  /** Where several cookies of an answer go; absent: only one can be set. */
  readonly cookies?: "list" | "multiValueHeaders";
}

export interface HttpInvocation {
  readonly request: Request;
  readonly sender: Sender;
}

/**
 * The request inside a function event. The event itself is not changed: `gateway` reads it as it came.
 *
 * Not by `hono/aws-lambda` (4.13), which is deprecated and does three things that we cannot have: it
 * prints header values that no header may have, tokens among them; it joins the header lists of a
 * load balancer with semicolons, which breaks `Accept`; it answers a broken base64 body with 500.
 * @returns undefined: not an HTTP request, or one that cannot be written as one.
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
    const host = fields.get("host") ?? data.requestContext.domainName ?? "localhost";
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
    // The error would quote what it complains about, a header's value for one.
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

/** HTTP APIs with a named stage send its name as the path's first segment. */
function withoutStage(path: string, stage: string | null | undefined): string {
  if (!stage || stage === "$default") return path;
  const prefix = `/${stage}`;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

function bodyOf({ body, isBase64Encoded }: HttpEvent): Uint8Array<ArrayBuffer> | undefined {
  if (!body) return undefined;
  return Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
}

/** Lists win over single values, which hold only the last of several headers of one name. */
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

/** As an HTTP server would have read the header: one character per byte. */
function bytesOf(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}
