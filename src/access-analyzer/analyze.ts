import type { Location } from "../../spec/finding.ts";
import { type NodeRef, rootNode } from "../json/node.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { statementsOf } from "../policy/normalise.ts";
import { isObject } from "../policy/statement.ts";
import { matchAction } from "../services/match-action.ts";
import type { ActionMatch, ServiceData } from "../services/model.ts";
import type { FindingType, IssueCode } from "./codes.ts";
import { findingTypeOf } from "./codes.ts";
import { namedServices } from "./named-services.ts";
import { type PathElement, pathOf } from "./path.ts";
import { documentRules, statementRules } from "./rules/index.ts";
import type { AnalysisType, Issue, ResourceType, Subject } from "./types.ts";

/** A place as ValidatePolicy gives it; lines from 1, columns and offsets from 0. */
export interface AnalysisLocation {
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
  const issues = await issuesOf(document, request, services, signal);
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

/** The issues of a document in no particular order; for checks that share AWS's codes. */
export async function issuesOf(
  document: PolicyDocument,
  { type, resourceType = null }: AnalysisRequest,
  services: ServiceData,
  signal?: AbortSignal,
  match?: Subject["match"],
): Promise<Issue[]> {
  const { raw } = document;
  if (raw === undefined) return [unreadable(document)];
  if (!isObject(raw)) {
    return [
      {
        code: "DATA_TYPE_MISMATCH",
        details: "A policy is a JSON object.",
        nodes: [rootNode],
      },
    ];
  }
  const statements = statementsOf(document);
  await services.load(namedServices(statements), signal);
  const subject: Subject = {
    document,
    raw,
    statements,
    type,
    resourceType,
    services,
    match: match ?? lookUpOnce(services),
  };
  const issues: Issue[] = [];
  for (const rule of documentRules) issues.push(...rule(subject));
  for (const statement of statements) {
    for (const rule of statementRules) issues.push(...rule(statement, subject));
    signal?.throwIfAborted();
    await yieldNow();
  }
  return issues;
}

function unreadable({ faults }: PolicyDocument): Issue {
  const [fault] = faults;
  const reason = fault && "message" in fault ? ` ${fault.message}` : "";
  return {
    code: "JSON_SYNTAX_ERROR",
    details: `The document is not JSON.${reason}`,
    nodes: [rootNode],
  };
}

const start = { line: 1, column: 0, offset: 0 };

function spanOf(node: NodeRef, document: PolicyDocument): Location {
  return document.locate(node) ?? { start, end: start };
}

function firstOffset({ locations }: AnalysisFinding): number {
  return locations[0]?.span.start.offset ?? 0;
}

let sliceStart = performance.now();

/** Lets the event loop run when this work has held it for 5 ms. */
async function yieldNow(): Promise<void> {
  if (performance.now() - sliceStart < 5) return;
  await new Promise((resolve) => setImmediate(resolve));
  sliceStart = performance.now();
}

function lookUpOnce(services: ServiceData): Subject["match"] {
  const matches = new Map<string, ActionMatch>();
  return (text) => {
    const match = matches.get(text) ?? matchAction(services, text);
    matches.set(text, match);
    return match;
  };
}
