/** An invariant that does not hold. Its kind says which one, in a few words that are always the same. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly kind: string;

  constructor(kind: string, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** @throws {Broken} unless the condition holds. */
export function holds(
  condition: boolean,
  kind: string,
  detail: () => string = () => "",
): asserts condition {
  if (!condition) throw new Broken(kind, detail());
}

/** What broke, as it is reported. */
export interface Failure {
  readonly kind: string;
  readonly detail: string;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Broken) return { kind: error.kind, detail: error.message };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "threw", detail };
}

/** Failures of one signature are one and the same defect, as far as can be told. */
export function signatureOf({ kind, detail }: Failure): string {
  const frame = /^ +at .*$/m.exec(detail)?.[0].trim();
  const finding = /"check_id":"\w+","issue_type":"\w+"/.exec(detail)?.[0].replaceAll('"', "");
  return [kind, frame ?? finding].filter((part) => part !== undefined).join(" | ");
}
