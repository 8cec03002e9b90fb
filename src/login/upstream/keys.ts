import type { JwtAlgorithm } from "../../../spec/auth.ts";
import type { AuthContext } from "../../auth/context.ts";
import { ProviderProblem } from "../../auth/http-json.ts";
import { type KeySource, ProviderCrowded, remoteKeys } from "../../auth/key-source.ts";
import { UpstreamError } from "./calls.ts";

/**
 * Keys of the provider for logins: if they are not available, the provider counts as down.
 * @returns a source that throws `UpstreamError` `down`.
 */
export function upstreamKeys(
  context: AuthContext,
  url: string,
  algorithm: JwtAlgorithm,
): KeySource {
  const keys = remoteKeys({ ...context, url, algorithm });
  return {
    async find(kid) {
      try {
        return await keys.find(kid);
      } catch (error) {
        if (error instanceof ProviderProblem || error instanceof ProviderCrowded) {
          throw new UpstreamError("down", { cause: error });
        }
        throw error;
      }
    },
  };
}
