import { globMatches } from "../policy/wildcard.ts";
import { isRecord } from "../record.ts";
import type { Unknowns } from "./unknowns.ts";

/** A resource that is not known, or only in part. */
export interface UnknownResource {
  /** As it is written. */
  readonly text: string;
  /** The same with `*` for what may be anything. */
  readonly pattern: string;
  /** What it may be; null: a resource of any kind. */
  readonly sample: string | null;
}

/** Known ARNs, and unknown resources, of one document that are compared; real policies have fewer. */
const mostCompared = 32;
/** Longer texts are not compared. ARNs of buckets, keys, tables and queues with their paths are shorter. */
const mostLength = 256;

interface KnownStatement {
  readonly allows: boolean;
  readonly arns: ReadonlySet<string>;
  /** ARNs that its unknown resources have got, by text. */
  readonly taken: Map<string, string>;
}

/**
 * The ARNs that the statements of a document give as known texts. An unknown resource may be one of another statement:
 * a Deny on it then concerns what an Allow grants on the other.
 */
export class KnownResources {
  readonly #statements: readonly KnownStatement[];
  readonly #arns: readonly string[];
  #asked = 0;

  constructor(statements: unknown, unknowns: Unknowns) {
    this.#statements = [statements].flat().map((statement) => readStatement(statement, unknowns));
    const arns = new Set(this.#statements.flatMap((statement) => [...statement.arns]));
    this.#arns = arns.size > mostCompared ? [] : [...arns].sort((a, b) => b.length - a.length);
  }

  /**
   * @param index Of the statement; within it each text gets another ARN.
   * @returns the longest ARN that fits of those that other statements have and this one does not; null: there is none.
   */
  like({ text, sample, pattern }: UnknownResource, index: number): string | null {
    const statement = this.#statements[index];
    const known = statement?.taken.get(text);
    if (!statement || known !== undefined) return known ?? null;
    if (this.#arns.length === 0 || pattern.length > mostLength) return null;
    if (++this.#asked > mostCompared) return null;
    const own = new Set([...statement.arns, ...statement.taken.values()]);
    // What an Allow grants is taken to be a whole resource, and not the one folder that a Deny is about.
    const deepest = statement.allows ? Math.max(2, depthOf(pattern)) : Infinity;
    const found = this.#arns.find(
      (arn) =>
        !own.has(arn) &&
        depthOf(arn) <= deepest &&
        isLike(arn, sample) &&
        globMatches(pattern, arn),
    );
    if (found !== undefined) statement.taken.set(text, found);
    return found ?? null;
  }
}

function readStatement(statement: unknown, unknowns: Unknowns): KnownStatement {
  if (!isRecord(statement)) return { allows: false, arns: new Set(), taken: new Map() };
  const { Effect, Resource, NotResource } = statement;
  const arns = [Resource, NotResource]
    .flat()
    .filter((text) => typeof text === "string")
    .filter((text) => text.startsWith("arn:") && text.length <= mostLength && !unknowns.isIn(text));
  return { allows: Effect === "Allow", arns: new Set(arns), taken: new Map() };
}

/** Whether both are ARNs of one service, and with or without a path. */
function isLike(arn: string, sample: string | null): boolean {
  if (sample === null) return true;
  const serviceOf = (one: string) => one.split(":", 3)[2];
  return serviceOf(arn) === serviceOf(sample) && arn.includes("/") === sample.includes("/");
}

const depthOf = (arn: string) => arn.split("/").length;
