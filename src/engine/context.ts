import type { IgnorePattern } from "../../spec/config.ts";
import { memo } from "../memo.ts";
import { type CompiledExpression, compileExpression } from "../policy/expression.ts";
import type { Policy, PolicyDocument, Statement } from "../policy/model.ts";
import { matchAction } from "../services/match-action.ts";
import type { ActionMatch } from "../services/model.ts";
import type { CheckContext, IgnorableReport, QuestionAnswer } from "./check.ts";
import { compileIgnorePatterns } from "./ignore.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

/** Compiled expressions. They come only from the config and the checks, so the cache stays small. */
const expressions = new Map<string, CompiledExpression>();

function compiled(expression: string): CompiledExpression {
  let found = expressions.get(expression);
  if (!found) {
    found = compileExpression(expression);
    expressions.set(expression, found);
  }
  return found;
}

/** Compiled filters by their patterns, which are parts of options that live as long as the process. */
const filters = {
  trusting: memo((patterns: readonly IgnorePattern[]) => compileIgnorePatterns(patterns, true)),
  wary: memo((patterns: readonly IgnorePattern[]) => compileIgnorePatterns(patterns, false)),
};

/** Creates the contexts of all checks for one policy; shared values are computed once. */
export function createContexts(
  policy: Policy,
  running: readonly RegisteredCheck[],
  label: string,
  engine: Engine,
  baseline: PolicyDocument | null = null,
  answers: ReadonlyMap<RegisteredCheck, readonly QuestionAnswer[]> = new Map(),
): { for(registered: RegisteredCheck): CheckContext; match(action: string): ActionMatch } {
  const matches = new Map<string, ActionMatch>();
  const matchesBy = new Map<string, Map<string, boolean>>();
  const byId = new Map(running.map((registered) => [registered.check.check_id, registered]));
  const settings = { allow_template_variables: engine.settings.allow_template_variables };

  const shared = {
    policy,
    services: engine.services,
    settings,
    match(action: string): ActionMatch {
      let match = matches.get(action);
      if (!match) {
        match = matchAction(engine.services, action);
        matches.set(action, match);
      }
      return match;
    },
    peer: (checkId: string) => byId.get(checkId),
    decisions: (checkId: string) => {
      const registered = byId.get(checkId);
      const own = (registered && answers.get(registered)) ?? [];
      return {
        decided: new Set(own.flatMap(({ answer }) => [...answer.decided])),
        violated: new Set(
          own.flatMap(({ answer }) => answer.violations.map((one) => one.statement_index)),
        ),
      };
    },
    ignores: (patterns: readonly IgnorePattern[], report: IgnorableReport) =>
      patterns.length > 0 &&
      filters[engine.settings.trust_policy_names ? "trusting" : "wary"](patterns).ignores({
        filepath: label,
        action: report.action ?? null,
        resource: report.resource ?? null,
        sid: report.statement?.sid ?? null,
        condition_key: report.condition_key ?? null,
      }),
    matches(expression: string, text: string, where: "start" | "anywhere"): boolean {
      const key = `${where} ${expression}`;
      let known = matchesBy.get(key);
      if (!known) {
        known = new Map();
        matchesBy.set(key, known);
      }
      let answer = known.get(text);
      if (answer === undefined) {
        const pattern = compiled(expression);
        answer = where === "start" ? pattern.matchesStart(text) : pattern.matchesAnywhere(text);
        known.set(text, answer);
      }
      return answer;
    },
  };

  const contexts = new Map<RegisteredCheck, CheckContext>();
  return {
    match: shared.match,
    for(registered) {
      let context = contexts.get(registered);
      if (!context) {
        context = {
          ...shared,
          options: registered.options,
          baseline,
          get answers() {
            return answers.get(registered) ?? [];
          },
          severity: registered.severity,
          configuredSeverity: registered.configuredSeverity,
          ignoresAction: (finding: { action: string; statement: Statement | null }) =>
            registered.ignore.ignoresAction({
              filepath: label,
              action: finding.action,
              resource: null,
              sid: finding.statement?.sid ?? null,
              condition_key: null,
            }),
        };
        contexts.set(registered, context);
      }
      return context;
    },
  };
}
