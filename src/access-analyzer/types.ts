import type { NodeRef } from "../json/node.ts";
import type { PolicyDocument, Statement } from "../policy/model.ts";
import type { ActionMatch, ServiceLookup } from "../services/model.ts";
import type { IssueCode } from "./codes.ts";

/** What ValidatePolicy tells apart: `trust` is a resource policy whose resource type is an IAM role. */
export type AnalysisType = "identity" | "resource" | "trust" | "scp" | "rcp";

/** Resource types that ValidatePolicy takes beside the role of a trust policy. */
export const resourceTypes = [
  "AWS::S3::Bucket",
  "AWS::S3::AccessPoint",
  "AWS::S3::MultiRegionAccessPoint",
  "AWS::S3ObjectLambda::AccessPoint",
  "AWS::DynamoDB::Table",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** What is analysed. `raw` of the document is an object. */
export interface Subject {
  readonly document: PolicyDocument;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly statements: readonly Statement[];
  readonly type: AnalysisType;
  /** Null: not given. */
  readonly resourceType: ResourceType | null;
  /** Services that the document names are loaded. */
  readonly services: ServiceLookup;
  /** Meaning of an `Action` or `NotAction` entry; each text is looked up once per document. */
  match(action: string): ActionMatch;
}

/** One finding before its places are turned into paths and spans. */
export interface Issue {
  readonly code: IssueCode;
  /** Our words, one or two sentences; policy values stand in back-ticks. */
  readonly details: string;
  /** In AWS's order: the element at fault first. */
  readonly nodes: readonly NodeRef[];
}

/** What a rule returns that sees at a glance that it has nothing to report. */
export const noIssues: readonly Issue[] = [];

/** A rule about the whole document; yields null where control may be handed back. */
export type DocumentRule = (subject: Subject) => Iterable<Issue | null>;
/** A rule about one statement; yields null like the other. */
export type StatementRule = (statement: Statement, subject: Subject) => Iterable<Issue | null>;
