import { LoginRefusal } from "./refusal.ts";
import { tokenRefusal } from "./token-request.ts";
import { standardRetryS, UpstreamError } from "./upstream/calls.ts";

/** Time limit of a token request for all its calls to the provider. */
const totalMs = 20_000;
/** Part of the platform's time that is reserved for writing the answer. */
const platformMarginMs = 500;

/** @returns a signal that ends all calls of one request to the provider. */
export function requestSignal(remainingMs: number | undefined): AbortSignal {
  const left = remainingMs === undefined ? totalMs : Math.max(0, remainingMs - platformMarginMs);
  return AbortSignal.timeout(Math.min(totalMs, left));
}

/** Asks the provider, and turns its failures into answers to the client. @throws {LoginRefusal} */
export async function askProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamError ? refusalOf(error) : error;
  }
}

function refusalOf({ failure, word, retryAfterS }: UpstreamError): LoginRefusal {
  switch (failure) {
    case "grant":
      return withWord(
        tokenRefusal(
          "replayed",
          "invalid_grant",
          "The grant has been used, revoked, or has expired.",
        ),
        word,
      );
    case "down":
      return withWord(
        tokenRefusal(
          "provider_down",
          "temporarily_unavailable",
          "The identity provider cannot be asked now.",
          { status: 503, "retry-after": retryAfterS ?? standardRetryS },
        ),
        word,
      );
    case "refuses_us":
      return withWord(serverError("provider_refuses_us"), word, true);
    case "answer":
      return withWord(serverError("provider_answer"), word);
  }
}

function serverError(reason: "provider_refuses_us" | "provider_answer"): LoginRefusal {
  return tokenRefusal(reason, "server_error", "The identity provider's answer cannot be used.", {
    status: 500,
  });
}

function withWord(
  { reason, answer }: LoginRefusal,
  providerError: string | undefined,
  isOurs = false,
): LoginRefusal {
  return new LoginRefusal(reason, answer, { providerError, isOurs });
}
