import { isRecord } from "../record.ts";
import type { Place, Source } from "./types.ts";
import { type Path, valueAt } from "./values.ts";

/** Members that name an entry of a list, the one that counts first. */
const names = ["PolicyName", "RoleName", "UserName", "GroupName", "name", "Name", "Arn"] as const;

/**
 * What a place is called in every version of its file: its address, with the names of entries in place of their
 * indexes. An entry without a name has `[]`, as all such entries of its list. A branch of `Fn::If` has its condition.
 */
export function placeIdentity(place: Place, { value }: Source): string {
  const { address, path, identity } = place;
  if (identity !== null || path === null) return identity ?? address;
  const conditions = path.flatMap((step, at) => {
    const branch = path[at + 1];
    if (step !== "Fn::If" || typeof branch !== "number") return [];
    const condition = valueAt(value, [...path.slice(0, at + 1), 0]);
    return [` if ${String(condition)} is ${branch === 1}`];
  });
  return named(address, path, value) + conditions.join("");
}

/** An index of the address belongs to a list of the path if the same name is before it: instances of resources have indexes too. */
function named(address: string, path: Path, value: unknown): string {
  let identity = address;
  let end = address.length;
  for (let at = path.length - 1; at > 0; at--) {
    const [list, index] = [path[at - 1], path[at]];
    if (typeof index !== "number" || typeof list !== "string" || list === "Fn::If") continue;
    const written = `${list}[${index}]`;
    const start = identity.lastIndexOf(written, end - written.length);
    if (start < 0) break;
    const entry = nameOf(valueAt(value, path.slice(0, at + 1)));
    identity = `${identity.slice(0, start)}${list}[${entry}]${identity.slice(start + written.length)}`;
    end = start;
  }
  return identity;
}

/** The name of an entry as written, so that equal functions are equal names; empty: it has none. */
function nameOf(entry: unknown): string {
  if (!isRecord(entry)) return "";
  const member = names.find((name) => Object.hasOwn(entry, name));
  return member === undefined ? "" : (JSON.stringify(entry[member])?.slice(0, 500) ?? "");
}
