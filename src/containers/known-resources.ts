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

/** ARNs and unknown resources of one document that are compared; policies of people have fewer. */
const mostCompared = 64;

interface KnownStatement {
  readonly allows: boolean;
  readonly arns: readonly string[];
}

/**
 * The ARNs that the statements of a document give as known texts. An unknown resource may be one of another statement:
 * a Deny on it then concerns what an Allow grants on the other.
 */
export class KnownResources {
  readonly #statements: readonly KnownStatement[];
  readonly #arns: readonly string[];
  readonly #taken = new Map<string, string>();
  #asked = 0;

  constructor(statements: unknown, unknowns: Unknowns) {
    this.#statements = [statements].flat().map((statement) => readStatement(statement, unknowns));
    const arns = new Set(this.#statements.flatMap((statement) => statement.arns));
    this.#arns = arns.size > mostCompared ? [] : [...arns].sort((a, b) => b.length - a.length);
  }

  /**
   * @param index Of the statement; within it each text gets another ARN.
   * @returns the longest ARN that fits of those that other statements have and this one does not; null: there is none.
   */
  like({ text, sample, pattern }: UnknownResource, index: number): string | null {
    const key = `${index} ${text}`;
    const known = this.#taken.get(key);
    if (known !== undefined) return known;
    if (this.#arns.length === 0 || ++this.#asked > mostCompared) return null;
    const taken = [...this.#taken].flatMap(([of, arn]) => (of.startsWith(`${index} `) ? arn : []));
    const own = new Set([...(this.#statements[index]?.arns ?? []), ...taken]);
    // What an Allow grants is taken to be a whole resource, and not the one folder that a Deny is about.
    const deepest = this.#statements[index]?.allows ? Math.max(2, depthOf(pattern)) : Infinity;
    const found = this.#arns.find(
      (arn) =>
        !own.has(arn) &&
        depthOf(arn) <= deepest &&
        globMatches(pattern, arn) &&
        isLike(arn, sample),
    );
    if (found === undefined) return null;
    this.#taken.set(key, found);
    return found;
  }
}

function readStatement(statement: unknown, unknowns: Unknowns): KnownStatement {
  if (!isRecord(statement)) return { allows: false, arns: [] };
  const { Effect, Resource, NotResource } = statement;
  const arns = [Resource, NotResource]
    .flat()
    .filter((text) => typeof text === "string")
    .filter((text) => text.startsWith("arn:") && !unknowns.isIn(text));
  return { allows: Effect === "Allow", arns };
}

/** Whether both are ARNs of one service, and with or without a path. */
function isLike(arn: string, sample: string | null): boolean {
  if (sample === null) return true;
  const serviceOf = (one: string) => one.split(":", 3)[2];
  return serviceOf(arn) === serviceOf(sample) && arn.includes("/") === sample.includes("/");
}

const depthOf = (arn: string) => arn.split("/").length;
