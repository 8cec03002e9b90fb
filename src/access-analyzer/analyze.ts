import type { Location } from "../../spec/finding.ts";
import { type NodeRef, rootNode } from "../json/node.ts";
import { firstJsonError, isBracketed } from "../json/text.ts";
import { Lines } from "../json/text-tree.ts";
import type { PolicyDocument, Statement } from "../policy/model.ts";
import { statementsOf } from "../policy/normalise.ts";
import { isRecord } from "../record.ts";
import { matchAction } from "../services/match-action.ts";
import type { ActionMatch, ServiceData } from "../services/model.ts";
import { Yielder } from "../yielder.ts";
import type { FindingType, IssueCode } from "./codes.ts";
import { findingTypeOf } from "./codes.ts";
import { namedServices, servicesOfArns } from "./named-services.ts";
import { type PathElement, pathOf } from "./path.ts";
import { documentRules, type RulesOfType, statementRulesOf } from "./rules/index.ts";
import {
  type AnalysisType,
  type Issue,
  noIssues,
  type ResourceType,
  type Subject,
} from "./types.ts";

/** A place as ValidatePolicy gives it; lines from 1, columns and offsets from 0. */
interface AnalysisLocation {
  readonly path: readonly PathElement[];
  readonly span: Location;
}

export interface AnalysisFinding {
  readonly type: FindingType;
  readonly code: IssueCode;
  readonly details: string;
  readonly locations: readonly AnalysisLocation[];
}

export interface AnalysisRequest {
  readonly type: AnalysisType;
  readonly resourceType?: ResourceType | null;
}

/**
 * The findings that AWS's ValidatePolicy operation gives for a document, computed here.
 * @param document Parsed from text: spans are places in that text.
 * @returns findings in AWS's order: by the offset of the first place, then by code.
 * @throws the signal's reason when it fires.
 */
export async function analyzeDocument(
  document: PolicyDocument,
  request: AnalysisRequest,
  services: ServiceData,
  signal?: AbortSignal,
): Promise<AnalysisFinding[]> {
  const fault = syntaxFault(document);
  if (fault) return [fault];
  const issues = await issuesOf(document, request, services, { signal });
  const findings = issues.map(({ code, details, nodes }) => ({
    type: findingTypeOf(code) ?? "ERROR",
    code,
    details,
    locations: nodes.map((node) => ({ path: pathOf(node), span: spanOf(node, document) })),
  }));
  return findings.sort(
    (a, b) => firstOffset(a) - firstOffset(b) || (a.code < b.code ? -1 : Number(a.code > b.code)),
  );
}

/** What the caller of {@link issuesOf} has already computed. */
export interface Known {
  /** The statements of the document. */
  readonly statements?: readonly Statement[];
  /** Services that actions and condition keys name are loaded. Default: false. */
  readonly areLoaded?: boolean;
  /** Looks an action up, once per text. */
  readonly match?: Subject["match"];
  readonly signal?: AbortSignal | undefined;
}

/** The issues of a document in no particular order; for checks that share AWS's codes. */
export async function issuesOf(
  document: PolicyDocument,
  { type, resourceType = null }: AnalysisRequest,
  services: ServiceData,
  known: Known = {},
): Promise<Issue[]> {
  const { raw } = document;
  if (raw === undefined) return [unreadable(document)];
  if (!isRecord(raw)) {
    return [
      {
        code: "DATA_TYPE_MISMATCH",
        details: "A policy is a JSON object.",
        nodes: [rootNode],
      },
    ];
  }
  const { statements = statementsOf(document), match = lookUpOnce(services), signal } = known;
  const named = known.areLoaded ? servicesOfArns(statements) : namedServices(statements);
  if (named.size > 0) await services.load(named, signal);
  const subject: Subject = {
    document,
    raw,
    statements,
    type,
    resourceType,
    services,
    match,
  };
  const yielder = new Yielder(signal);
  const issues: Issue[] = [];
  for (const rule of documentRules) {
    const found = rule(subject);
    // Most rules have nothing to say, and an iterator costs more than their look.
    if (found === noIssues) continue;
    for (const issue of found) {
      if (issue) issues.push(issue);
      if (yielder.shouldYield) await yielder.yieldNow();
    }
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  const { withCondition, withoutCondition } = rulesOf(type);
  for (const statement of statements) {
    const rules = Object.hasOwn(statement.raw, "Condition") ? withCondition : withoutCondition;
    // By index: in an async function each step of an iterator is an object, a hundred for a policy here.
    for (let at = 0; at < rules.length; at++) {
      const found = rules[at]?.(statement, subject) ?? noIssues;
      if (found === noIssues) continue;
      for (const issue of found) {
        if (issue) issues.push(issue);
        if (yielder.shouldYield) await yielder.yieldNow();
      }
      if (yielder.shouldYield) await yielder.yieldNow();
    }
    // Also after a statement about which no rule has something to say: a document may have thousands.
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  return issues;
}

const known = new Map<AnalysisType, RulesOfType>();

function rulesOf(type: AnalysisType): RulesOfType {
  const rules = known.get(type) ?? statementRulesOf(type);
  known.set(type, rules);
  return rules;
}

function unreadable({ faults }: PolicyDocument): Issue {
  const [fault] = faults;
  const reason = fault && "message" in fault ? fault.message : "The document is not JSON.";
  return {
    code: "JSON_SYNTAX_ERROR",
    details: reason,
    nodes: [rootNode],
  };
}

/**
 * The service reads JSON only: a text in brackets that is nearly JSON is a fault, though YAML reads a
 * comma too many and texts in single quotes.
 */
function syntaxFault({ raw, text, isJsonText }: PolicyDocument): AnalysisFinding | null {
  if (text === null || isJsonText || (isRecord(raw) && !isBracketed(text))) return null;
  const error = firstJsonError(text);
  if (!error) return null;
  const code = "JSON_SYNTAX_ERROR";
  const details = `The policy is not valid JSON: ${error.problem}.`;
  const span = new Lines(text).location(error.span);
  return { type: "ERROR", code, details, locations: [{ path: [], span }] };
}

const start = { line: 1, column: 0, offset: 0 };

function spanOf(node: NodeRef, document: PolicyDocument): Location {
  return document.locate(node) ?? { start, end: start };
}

function firstOffset({ locations }: AnalysisFinding): number {
  return locations[0]?.span.start.offset ?? 0;
}

function lookUpOnce(services: ServiceData): Subject["match"] {
  const matches = new Map<string, ActionMatch>();
  return (text) => {
    const match = matches.get(text) ?? matchAction(services, text);
    matches.set(text, match);
    return match;
  };
}
