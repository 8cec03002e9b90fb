import type { IgnorePattern } from "../../spec/config.ts";
import type { ConfiguredSeverity } from "../../spec/severity.ts";
import { memo } from "../memo.ts";
import { expressionOf } from "../policy/expression.ts";
import type { Policy, PolicyDocument } from "../policy/model.ts";
import { matcherOf } from "../services/match-action.ts";
import type { ActionMatch, ServiceLookup } from "../services/model.ts";
import type { CheckContext, IgnorableReport, QuestionAnswer } from "./check.ts";
import type { VersionComparison } from "./comparison.ts";
import { compileIgnorePatterns } from "./ignore.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

/** Compiled filters by their patterns, which are parts of options that live as long as the process. */
const filters = memo((patterns: readonly IgnorePattern[]) => compileIgnorePatterns(patterns));

export interface Contexts {
  for(registered: RegisteredCheck): CheckContext;
  match(action: string): ActionMatch;
}

/** Creates the contexts of all checks for one policy; shared values are computed once. */
export function createContexts({
  policy,
  byId,
  label,
  engine,
  baseline,
  comparison,
  answers,
}: {
  readonly policy: Policy;
  readonly byId: ReadonlyMap<string, RegisteredCheck>;
  readonly label: string;
  readonly engine: Engine;
  readonly baseline: PolicyDocument | null;
  readonly comparison: VersionComparison | null;
  /** Filled before the checks run. */
  readonly answers: ReadonlyMap<RegisteredCheck, readonly QuestionAnswer[]>;
}): Contexts {
  const matchesBy = new Map<string, Map<string, boolean>>();
  const settings = { allow_template_variables: engine.settings.allow_template_variables };
  const filepath = engine.settings.trust_policy_names ? label : null;

  const shared: Shared = {
    policy,
    services: engine.services,
    settings,
    match: matcherOf(engine.services),
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
      filters(patterns).ignores({
        filepath,
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
        const pattern = expressionOf(expression);
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
        context = new OwnContext(shared, registered, { filepath, baseline, comparison }, answers);
        contexts.set(registered, context);
      }
      return context;
    },
  };
}

/** The part of a context that all checks of one policy share. */
type Shared = Pick<
  CheckContext,
  "policy" | "services" | "settings" | "match" | "peer" | "decisions" | "ignores" | "matches"
>;

/** What was submitted with the policy. */
interface Submitted extends Pick<CheckContext, "baseline" | "comparison"> {
  /** The name that `filepath` ignore patterns match; null: they do not apply. */
  readonly filepath: string | null;
}

/**
 * A class, not a literal: V8 creates a hidden class for every object literal with a getter, and code
 * that reads properties of many hidden classes is several times slower. Checks take the functions out
 * of their context, so they are members that need no `this`.
 */
class OwnContext implements CheckContext {
  readonly policy: Policy;
  readonly options: unknown;
  readonly baseline: PolicyDocument | null;
  readonly comparison: VersionComparison | null;
  readonly severity: ConfiguredSeverity;
  readonly configuredSeverity: ConfiguredSeverity | null;
  readonly services: ServiceLookup;
  readonly settings: CheckContext["settings"];
  readonly match: CheckContext["match"];
  readonly peer: CheckContext["peer"];
  readonly decisions: CheckContext["decisions"];
  readonly ignores: CheckContext["ignores"];
  readonly matches: CheckContext["matches"];
  readonly ignoresAction: CheckContext["ignoresAction"];
  readonly #registered: RegisteredCheck;
  readonly #answers: ReadonlyMap<RegisteredCheck, readonly QuestionAnswer[]>;

  constructor(
    shared: Shared,
    registered: RegisteredCheck,
    { filepath, baseline, comparison }: Submitted,
    answers: ReadonlyMap<RegisteredCheck, readonly QuestionAnswer[]>,
  ) {
    this.policy = shared.policy;
    this.options = registered.options;
    this.baseline = baseline;
    this.comparison = comparison;
    this.severity = registered.severity;
    this.configuredSeverity = registered.configuredSeverity;
    this.services = shared.services;
    this.settings = shared.settings;
    this.match = shared.match;
    this.peer = shared.peer;
    this.decisions = shared.decisions;
    this.ignores = shared.ignores;
    this.matches = shared.matches;
    this.ignoresAction = ({ action, statement }) =>
      registered.ignore.ignoresAction({
        filepath,
        action,
        resource: null,
        sid: statement?.sid ?? null,
        condition_key: null,
      });
    this.#registered = registered;
    this.#answers = answers;
  }

  get answers(): readonly QuestionAnswer[] {
    return this.#answers.get(this.#registered) ?? none;
  }
}

const none: readonly QuestionAnswer[] = [];
