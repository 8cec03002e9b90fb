import { hash } from "node:crypto";
import { FactSlot } from "../policy/fact-slot.ts";
import type { Statement } from "../policy/model.ts";

const places = new FactSlot<Statement, string>();

/** Identity of a statement: its Sid, else a hash of its content, so that reordering changes nothing. */
function placeOf(statement: Statement): string {
  const known = places.get(statement);
  if (known !== undefined) return known;
  const place =
    statement.sid || `sha:${hash("sha256", JSON.stringify(statement.raw), "hex").slice(0, 16)}`;
  places.set(statement, place);
  return place;
}

/**
 * Identity of a finding across runs.
 * @returns The first 16 hex digits of a SHA-256 of name, check, issue type, statement, action, resource,
 * condition key and identity. Independent of message, white space and order of statements.
 */
export function fingerprintOf(
  name: string | null,
  statement: Statement | null,
  finding: {
    check_id: string;
    issue_type: string;
    action: string | null;
    resource: string | null;
    condition_key: string | null;
    /** A further distinction; most findings have none. */
    identity?: string;
  },
): string {
  const parts = [
    name ?? "",
    finding.check_id,
    finding.issue_type,
    statement ? placeOf(statement) : "",
    finding.action ?? "",
    finding.resource ?? "",
    finding.condition_key ?? "",
    ...(finding.identity === undefined ? [] : [finding.identity]),
  ];
  return hash("sha256", JSON.stringify(parts), "hex").slice(0, 16);
}
