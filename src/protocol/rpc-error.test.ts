import { describe, expect, test } from "vitest";
import { idOf, rpcCode, rpcError } from "./rpc-error.ts";

describe("an HTTP answer with a JSON-RPC error", () => {
  test("has an id always: null when that of the request is not known", async () => {
    const bare = rpcError(415, rpcCode.invalidRequest, "why");
    expect([bare.status, bare.headers.get("content-type")]).toEqual([415, "application/json"]);
    expect(await bare.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32600, message: "why" },
      id: null,
    });
  });

  test("has the id of the request, and headers beside its own", async () => {
    const answer = rpcError(503, rpcCode.internalError, "why", {
      id: 0,
      headers: { "retry-after": "1" },
    });
    expect(await answer.json()).toMatchObject({ id: 0, error: { code: -32603 } });
    expect(answer.headers.get("retry-after")).toBe("1");
  });
});

describe("the id of a message", () => {
  test.each(["", "x", 0, 7, -1, Number.MAX_SAFE_INTEGER])("%j is one", (id) => {
    expect(idOf({ id })).toBe(id);
  });

  test.each([null, true, 1.5, 2 ** 53, {}, [1], undefined])("%j is none", (id) => {
    expect(idOf({ id })).toBeNull();
  });

  test("is none where there is no message", () => {
    for (const message of [null, undefined, "id", 5, {}, []]) expect(idOf(message)).toBeNull();
  });
});
