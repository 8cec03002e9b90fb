import { afterEach, describe, expect, test, vi } from "vitest";
import { askProvider, requestSignal } from "./provider-failure.ts";
import { LoginRefusal } from "./refusal.ts";
import { UpstreamError } from "./upstream/calls.ts";

describe("what clients are told", () => {
  afterEach(() => vi.restoreAllMocks());

  async function refusalOf(error: unknown) {
    const refusal = await askProvider(() => Promise.reject(error)).catch(
      (reason: unknown) => reason,
    );
    if (!(refusal instanceof LoginRefusal)) throw refusal;
    const { reason, detail, answer } = refusal;
    const retry = answer.headers.get("retry-after");
    return { reason, detail, status: answer.status, retry, body: await answer.json() };
  }
  const answered = (error: string, error_description: string) => ({ error, error_description });

  describe("a failure of the provider", () => {
    test("for what was presented", async () => {
      expect(await refusalOf(new UpstreamError("grant", { word: "invalid_grant" }))).toEqual({
        reason: "replayed",
        detail: { providerError: "invalid_grant", isOurs: false },
        status: 400,
        retry: null,
        body: answered("invalid_grant", "The grant has been used, revoked, or has expired."),
      });
    });
    test.each([
      [undefined, "5"],
      [30, "30"],
    ])("that is down for %s s", async (retryAfterS, retry) => {
      expect(await refusalOf(new UpstreamError("down", { retryAfterS }))).toEqual({
        reason: "provider_down",
        detail: { providerError: undefined, isOurs: false },
        status: 503,
        retry,
        body: answered("temporarily_unavailable", "The identity provider cannot be asked now."),
      });
    });
    test.each([
      ["refuses_us", "provider_refuses_us", true],
      ["answer", "provider_answer", false],
    ] as const)("%s", async (failure, reason, isOurs) => {
      expect(await refusalOf(new UpstreamError(failure, { word: "invalid_client" }))).toEqual({
        reason,
        detail: { providerError: "invalid_client", isOurs },
        status: 500,
        retry: null,
        body: answered("server_error", "The identity provider's answer cannot be used."),
      });
    });
    test("is not what a defect is", async () => {
      const defect = new Error("x");
      await expect(askProvider(() => Promise.reject(defect))).rejects.toBe(defect);
      expect(await askProvider(async () => 1)).toBe(1);
    });
  });

  test.each([
    [undefined, 20_000],
    [60_000, 20_000],
    [10_500, 10_000],
    [300, 0],
  ])("with %s ms left for the answer, the provider has %i ms", (remainingMs, expected) => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    expect(requestSignal(remainingMs)).toBeInstanceOf(AbortSignal);
    expect(timeout).toHaveBeenCalledWith(expected);
  });
});
