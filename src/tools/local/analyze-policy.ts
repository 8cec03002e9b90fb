import { localAnalyzePolicy as contract } from "../../../spec/tools/local/analyze-policy.ts";
import { ambientRegion } from "../../analyze/ambient-region.ts";
import { createClients } from "../../analyze/client.ts";
import { createRateLimiter } from "../../analyze/rate-limiter.ts";
import { ToolError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { analyzeLocally } from "../analyze-locally.ts";
import { type AnalyzeDependencies, type Analyzer, analyze } from "../analyze-policy.ts";
import { implement } from "../tool.ts";

/**
 * `analyze_policy` with the user's credentials: those of a profile, else of the environment. Every
 * region is allowed unless `allowed_regions` is set.
 */
export function createLocalAnalyzePolicy(
  { settings, version }: Pick<Runtime, "settings" | "version">,
  dependencies: AnalyzeDependencies = { now: () => performance.now(), createClients },
) {
  const limiter = createRateLimiter(settings.analyze_rate_limit, dependencies.now);
  const localLimiter = createRateLimiter(settings.analyze_local_rate_limit, dependencies.now);
  const analyzers = new Map<string | undefined, Analyzer>();
  const analyzerOf = (profile: string | undefined): Analyzer => {
    let analyzer = analyzers.get(profile);
    if (!analyzer) {
      const clients = dependencies.createClients({
        version,
        maxConnections: settings.http_max_connections,
        maxIdleConnections: settings.http_max_keepalive_connections,
        profile,
      });
      analyzer = { limiter, clients, allowedByDefault: [], ambient: () => ambientRegion(profile) };
      analyzers.set(profile, analyzer);
    }
    return analyzer;
  };
  return implement(
    contract,
    async ({ profile, ...input }, context) => {
      if (input.engine === "local") return analyzeLocally(input, context, localLimiter);
      try {
        return await analyze(input, context, analyzerOf(profile ?? undefined));
      } catch (error) {
        throw forLocalUser(error, profile);
      }
    },
    { policyCount: () => 1 },
  );
}

/** In local mode the user must fix missing credentials, so the message addresses the user. */
function forLocalUser(error: unknown, profile: string | null | undefined): unknown {
  if (!(error instanceof ToolError) || error.kind !== "no_credentials") return error;
  const where = profile ? `the profile ${JSON.stringify(profile)}` : "the environment";
  return new ToolError(
    "no_credentials",
    `No AWS credentials could be loaded from ${where}. Log in (for example \`aws sso login\`) or name another profile; they must allow access-analyzer:ValidatePolicy. Or call with engine local, which needs none.`,
  );
}
