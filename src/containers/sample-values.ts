import { hash } from "node:crypto";
import { regionsOf } from "./sample-regions.ts";
import type { Unknown } from "./unknowns.ts";

/**
 * Which of the sample values an unknown value gets. What a policy says whatever the value is, it says
 * with each of them: `first` and `second` are two ordinary values; `wide` is the widest that a wholly
 * unknown value may become, for verdicts that need all members of a list; `open` is `first` with `*` for what
 * may be a path in an ARN, for verdicts that compare the type of a resource; `distinct` and `paired` are for
 * verdicts that compare two documents: as `first`, with all that follows an unknown ARN, `paired` in the account and the
 * region that the documents name.
 */
export type Style = "first" | "second" | "wide" | "open" | "distinct" | "paired";

/** Whether samples of a style are for a comparison of two documents. */
export function isComparing(style: Style): boolean {
  return style === "distinct" || style === "paired";
}

/** Where a string is in a policy document. */
export interface Position {
  /** Member of the statement, or of the document: `Action`, `Version`. */
  readonly element: string;
  /** Index of the statement. Absent: not in one. */
  readonly statement?: number;
  /** Under `Principal`: its type. */
  readonly principalType: string | null;
  /** Identity provider that the condition of the statement names. */
  readonly provider: string | null;
  /** The statement is about tokens of an OIDC provider. Absent: no. */
  readonly isWebIdentity?: boolean;
  readonly operator: string | null;
  readonly conditionKey: string | null;
  /** In a policy of a resource: the form of an ARN that the actions of the statement work on. */
  readonly ownArn?: string;
  /** The part ends the string. Absent: no. */
  readonly isLast?: boolean;
  /** What follows the part, up to the next unknown one. Absent: nothing. */
  readonly after?: string;
}

export interface Samples {
  readonly partition: string;
  readonly style: Style;
  /** Account and region that the known parts of the document name; null: none. */
  readonly account: string | null;
  readonly region: string | null;
}

/** @returns A short text that differs from source to source and is the same in every run. */
export function tagOf(source: string, style: Style): string {
  return hash("sha256", style === "second" ? "" : source, "hex").slice(0, 8);
}

/** @returns A name that differs from source to source, except in `second`. */
export function nameOf({ source, expression }: Unknown, style: Style): string {
  // Two versions may have different values of one name.
  const whole = isComparing(style) && expression !== undefined ? `${source} ${expression}` : source;
  return `${style === "second" ? "other" : "unknown"}-${tagOf(whole, style)}`;
}

/** Accounts that {@link accountOf} makes up. */
export const madeUpAccounts = /(?<![0-9])9[0-9]{11}(?![0-9])/g;

/** In `second` all accounts are the same one, so that no verdict needs two of them to differ. */
export function accountOf({ source }: Unknown, { style, account }: Samples): string {
  if (style === "second") return account ?? "444455556666";
  if (style === "paired" && account !== null) return account;
  const digits = String(Number.parseInt(hash("sha256", source, "hex").slice(0, 10), 16));
  return `9${digits.padStart(11, "0").slice(-11)}`;
}

/** @returns The domain of the services of a partition. */
export function urlSuffixOf(partition: string): string {
  return partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
}

/** @returns A region of the partition; in `second` the one that the document names. */
export function regionOf({ partition, style, region }: Samples): string {
  const [first, second] = regionsOf(partition);
  if (style === "paired") return region ?? first;
  return style === "second" ? (region ?? second) : first;
}
