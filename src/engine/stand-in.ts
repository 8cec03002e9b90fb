import type { Place } from "../containers/types.ts";
import type { Lines } from "../json/text-tree.ts";
import type { PolicyDocument } from "../policy/model.ts";

/** In the place of a policy that is not read, or not looked at. */
export class StandIn implements PolicyDocument {
  readonly raw: unknown;
  readonly text = null;
  readonly isJsonText = false;
  readonly compactBytes = 0;
  readonly faults: PolicyDocument["faults"];
  readonly #location: ReturnType<Lines["location"]> | null;

  /** @param raw What it is taken for. Absent: nothing, and that it was not read is a fault. */
  constructor({ reason, span }: Place, lines: Lines | null, raw?: unknown) {
    this.raw = raw;
    const location = span && (lines?.location(span) ?? null);
    this.#location = location;
    const fault = { kind: "unread", message: reason ?? "", location } as const;
    this.faults = raw === undefined ? [fault] : [];
  }

  locate() {
    return this.#location;
  }
}
