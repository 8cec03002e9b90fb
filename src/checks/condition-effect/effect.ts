import type { Report } from "../../engine/check.ts";
import type { Operator } from "../../policy/condition-operator.ts";
import type { ConditionEntry } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";

/** What is certain about an entry of a condition, whatever the request says. */
export interface Effect {
  /**
   * `never`: it does not hold, so the statement never applies. `always`: it leaves nothing out. `global`: it
   * stops services that have no Region. `forwarded`: it stops the calls that services make for the caller. `together`: tests of
   * several tags that are meant one by one, `joined`: the same for other requirements. `others`: it holds for requests that
   * the author means to leave out. `value`: one of several values is never met. `tagged`: callers can set the tag that it
   * tests.
   */
  readonly kind:
    | "never"
    | "always"
    | "inverted"
    | "global"
    | "forwarded"
    | "together"
    | "joined"
    | "others"
    | "value"
    | "tagged";
  readonly entry: ConditionEntry;
  /** Why, one sentence without the consequence. */
  readonly reason: string;
  readonly suggestion: string;
  readonly code?: string | null;
  /** Absent: by the effect of the statement. */
  readonly severity?: "info" | "medium";
  readonly node?: Report["node"];
  readonly correction?: Report["correction"];
  readonly fix?: Report["fix"];
  /** Replaces the sentence that says what follows for the statement. */
  readonly consequence?: string;
}

/** An entry whose operator is known and which has values. */
export type ReadableEntry = ConditionEntry & { readonly operator: Operator };

/** @returns Whether the operator of the entry is known. */
export function isReadable(entry: ConditionEntry): entry is ReadableEntry {
  return entry.operator !== null;
}

/** Operators that read `*` and `?` as wildcards. `ArnEquals` does as `ArnLike`. */
export function readsWildcards({ operator: { base } }: ReadableEntry): boolean {
  return base.name.endsWith("Like") || base.type === "ARN";
}

/** @returns whether the text holds a policy variable or a template placeholder. */
export function isOpen(text: string): boolean {
  return text.includes("${") || text.includes("{{");
}

/** Where the statement applies without the key: its callers are not told apart by the entry then. */
export function passesWithoutKey({ operator }: ReadableEntry): boolean {
  return operator.ifExists || operator.setPrefix === "ForAllValues";
}

/** Who a Deny stops as well, behind those whose values it stops; an absent key meets the test too. */
export function andWithoutKey({ key, operator }: ReadableEntry): string {
  return operator.ifExists || operator.base.negated ? `, and those without ${quote(key)},` : "";
}

/** What an entry still does whose values the key never has; nothing where that is for all requests or for none. */
export function exceptWithoutKey(entry: ReadableEntry): Pick<Effect, "consequence"> {
  const { base, setPrefix, ifExists } = entry.operator;
  if (!base.negated && passesWithoutKey(entry)) {
    return {
      consequence: `${quote(entry.operatorText)} then holds only for requests without the key.`,
    };
  }
  return base.negated && setPrefix === "ForAnyValue" && !ifExists
    ? { consequence: "This entry holds for every request that has the key." }
    : {};
}
