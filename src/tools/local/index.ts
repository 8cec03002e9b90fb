import type { Session } from "../../local/session.ts";
import { describeChecks } from "../describe-checks.ts";
import { query } from "../query.ts";
import type { Tool } from "../tool.ts";
import { createLocalAnalyzePolicy } from "./analyze-policy.ts";
import { localGetConfig } from "./get-config.ts";
import { setConfig } from "./set-config.ts";
import { localValidatePolicies } from "./validate-policies.ts";

/** All tools of local mode, in the order in which lists show them. They read and change the session. */
export function localTools(session: Session): readonly Tool[] {
  return [
    localValidatePolicies(session),
    query,
    describeChecks,
    localGetConfig(session),
    setConfig(session),
    createLocalAnalyzePolicy(session.runtime),
  ];
}
