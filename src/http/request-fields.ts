const longest = 200;
/** Of a proxy or a platform; anything else could be content. */
const plainId = /^[\w.:=/+-]{1,128}$/;

export interface AnsweredRequest {
  readonly request: Request;
  readonly status: number;
  /** Of the other end of the connection; absent: there is none. */
  readonly address?: string | undefined;
  /** Of the platform; absent: the header `X-Request-Id`. */
  readonly requestId?: string | undefined;
}

/** @returns What log lines say of a request: no token, no name, no query and nothing of the body. */
export function requestFields({ request, status, address, requestId }: AnsweredRequest): object {
  const { headers, method, url } = request;
  const forwarded = headers.get("x-forwarded-for");
  const id = requestId ?? headers.get("x-request-id");
  return {
    status,
    method,
    path: new URL(url).pathname.slice(0, longest),
    address: address || null,
    ...(forwarded !== null && { forwarded_for: forwarded.slice(0, longest) }),
    ...(id !== null && plainId.test(id) && { request_id: id }),
  };
}
