/** A request as plain JSON. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** `latin1`: each character is one byte, so that a body need not be UTF-8. Default: `utf8`. */
  readonly encoding?: "utf8" | "latin1" | undefined;
}
