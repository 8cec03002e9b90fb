import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { json } from "../../../test/support/login/fake-provider.ts";
import { createCalls, errorWord, UpstreamError } from "./calls.ts";

const url = "https://id.example/token";
let clockMs: number;
let answer: () => Response | Promise<Response>;
let sent: { url: string; init: RequestInit }[];
let took: number[];

describe("calls", () => {
  beforeEach(() => {
    clockMs = 5_000;
    sent = [];
    took = [];
    answer = () => json({});
    vi.stubGlobal("fetch", async (target: string, init: RequestInit) => {
      sent.push({ url: target, init });
      return answer();
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const start = () =>
    createCalls(
      () => clockMs,
      (seconds) => took.push(seconds),
    );
  async function failureOf(work: Promise<unknown>): Promise<UpstreamError> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof UpstreamError)) throw new Error(`not refused: ${String(error)}`);
    return error;
  }

  describe("a request to the provider", () => {
    test("says who we are, follows no redirect and brings the whole answer", async () => {
      answer = () => {
        clockMs += 250;
        return json({ a: 1 }, 400, { "x-more": "2" });
      };
      const init = { method: "POST", headers: { accept: "x", "user-agent": "y" }, body: "b" };
      const response = await start().fetch(url, init);
      expect([response.status, response.headers.get("x-more"), await response.json()]).toEqual([
        400,
        "2",
        { a: 1 },
      ]);
      const [{ url: target, init: used } = { url: "", init: {} as RequestInit }] = sent;
      expect(target).toBe(url);
      expect(used).toMatchObject({ method: "POST", body: "b", redirect: "manual" });
      expect(Object.fromEntries(new Headers(used.headers))).toEqual({
        accept: "x",
        "user-agent": "validator-mcp",
      });
      expect(took).toEqual([0.25]);
    });

    test.each([204, 205, 304])("may be answered without a body (%i)", async (status) => {
      answer = () => new Response(null, { status });
      const calls = start();
      if (status === 304) expect((await failureOf(calls.fetch(url, {}))).failure).toBe("answer");
      else expect((await calls.fetch(url, {})).status).toBe(status);
    });

    test("ends after ten seconds, or with what asked for it", async () => {
      const timeouts: number[] = [];
      const given = new AbortController();
      vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
        timeouts.push(ms);
        return new AbortController().signal;
      });
      const calls = start();
      await calls.fetch(url, {});
      await calls.fetch(url, { signal: given.signal });
      vi.restoreAllMocks();
      expect(timeouts).toEqual([10_000, 10_000]);
      given.abort();
      expect(sent.map(({ init }) => init.signal?.aborted)).toEqual([false, true]);
    });

    test.each([300, 302, 307, 399])("is a failure when it leads elsewhere (%i)", async (status) => {
      answer = () => new Response(null, { status, headers: { location: "https://evil.example/" } });
      expect((await failureOf(start().fetch(url, {}))).failure).toBe("answer");
    });

    test("is a failure when it brings more than 1 MiB", async () => {
      const calls = start();
      answer = () => new Response("a".repeat(1_048_576));
      expect(await (await calls.fetch(url, {})).text()).toHaveLength(1_048_576);
      answer = () => new Response("a".repeat(1_048_577));
      expect((await failureOf(calls.fetch(url, {}))).failure).toBe("answer");
    });

    test("is a failure when there is no answer", async () => {
      answer = () => Promise.reject(new TypeError("fetch failed"));
      const error = await failureOf(start().fetch(url, {}));
      expect(error).toMatchObject({
        name: "UpstreamError",
        message: "down",
        failure: "down",
        word: undefined,
        retryAfterS: undefined,
        cause: expect.objectContaining({ message: "fetch failed" }),
      });
      expect(took).toHaveLength(1);
    });
  });

  describe("a provider in trouble", () => {
    test.each<[string, number, Record<string, string>, number | undefined]>([
      ["429 without a time", 429, {}, 5],
      ["429 with a time", 429, { "retry-after": "30" }, 30],
      ["429 with none to wait", 429, { "retry-after": "0" }, 1],
      ["429 with an hour", 429, { "retry-after": "3600" }, 60],
      ["429 with a date", 429, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, 5],
      ["500 without a time", 500, {}, undefined],
      ["503 with a time", 503, { "retry-after": "7" }, 7],
    ])("%s", async (_what, status, headers, retryAfterS) => {
      answer = () => json({}, status, headers);
      const calls = start();
      expect(await failureOf(calls.fetch(url, {}))).toMatchObject({ failure: "down", retryAfterS });
      answer = () => json({});
      if (retryAfterS === undefined) {
        expect((await calls.fetch(url, {})).status).toBe(200);
        return;
      }
      clockMs += retryAfterS * 1000 - 1;
      const error = await failureOf(calls.fetch(url, {}));
      expect(error).toMatchObject({ failure: "down", retryAfterS: 1 });
      expect(sent).toHaveLength(1);
      clockMs += 1;
      expect((await calls.fetch(url, {})).status).toBe(200);
    });

    test("is left alone for the longest of the times that it says", async () => {
      const calls = start();
      let release: (response: Response) => void = () => undefined;
      answer = () =>
        new Promise((resolve) => {
          release = resolve;
        });
      const first = failureOf(calls.fetch(url, {}));
      answer = () => json({}, 429, { "retry-after": "40" });
      await failureOf(calls.fetch(url, {}));
      release(json({}, 429, { "retry-after": "2" }));
      expect((await first).retryAfterS).toBe(2);
      clockMs += 3_000;
      expect((await failureOf(calls.fetch(url, {}))).retryAfterS).toBe(37);
    });

    test.each<[string, string, Record<string, string>, boolean]>([
      ["primary limit", "https://api.github.com/x", { "x-ratelimit-remaining": "0" }, true],
      ["secondary limit", "https://api.github.com/x", { "retry-after": "9" }, true],
      ["no limit", "https://api.github.com/x", { "x-ratelimit-remaining": "1" }, false],
      ["refusal", "https://api.github.com/x", {}, false],
      ["another host", "https://id.example/x", { "x-ratelimit-remaining": "0" }, false],
      [
        "a host that begins alike",
        "https://api.github.com.evil.example/x",
        { "retry-after": "9" },
        false,
      ],
    ])("GitHub's 403, %s", async (_what, target, headers, isLimit) => {
      answer = () => json({}, 403, headers);
      const calls = start();
      if (isLimit) expect((await failureOf(calls.fetch(target, {}))).failure).toBe("down");
      else expect((await calls.fetch(target, {})).status).toBe(403);
    });

    test("GitHub's limits are those of 403 only", async () => {
      answer = () => json({}, 404, { "x-ratelimit-remaining": "0" });
      expect((await start().fetch("https://api.github.com/x", {})).status).toBe(404);
    });

    test("has at most 64 requests of ours at once", async () => {
      const release: ((response: Response) => void)[] = [];
      answer = () => new Promise((resolve) => release.push(resolve));
      const calls = start();
      const first = Array.from({ length: 64 }, () => calls.fetch(url, {}));
      expect(await failureOf(calls.fetch(url, {}))).toMatchObject({
        failure: "down",
        retryAfterS: undefined,
      });
      for (const each of release) each(json({}));
      await Promise.all(first);
      answer = () => json({});
      expect((await calls.fetch(url, {})).status).toBe(200);
    });
  });

  test.each([
    ["invalid_grant", "invalid_grant"],
    ["a".repeat(40), "a".repeat(40)],
    ["a".repeat(41), undefined],
    ["", undefined],
    ["Invalid", undefined],
    ["a b", undefined],
    ["a\n", undefined],
    ["<a>", undefined],
    ["1a", undefined],
    [5, undefined],
    [null, undefined],
    [undefined, undefined],
  ])("of the provider's word %j the log has %j", (word, expected) => {
    expect(errorWord(word)).toBe(expected);
    expect(new UpstreamError("grant", { word }).word).toBe(expected);
  });
});
