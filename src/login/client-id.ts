import { z } from "zod";
import { maxClientIdLength } from "../../spec/login.ts";
import { parseUniqueJson } from "../json/unique.ts";
import { sha256 } from "./random.ts";
import { clientName } from "./text.ts";

/** What a registered client id says of its client. Anybody may claim any name. */
export interface RegisteredClient {
  readonly name: string;
  readonly redirects: readonly string[];
}

const prefix = "reg1.";
const checksumLength = 16;
const Members = z.strictObject({ n: z.string(), r: z.array(z.string()).min(1) });

/**
 * @returns a client id that carries the client. It is not a secret and not sealed: a forged one is no more than a
 *   registration, which is open to anybody. Undefined when it would be too long.
 */
export function writeClientId({ name, redirects }: RegisteredClient): string | undefined {
  const middle = Buffer.from(JSON.stringify({ n: name, r: redirects })).toString("base64url");
  const id = `${prefix}${middle}.${sha256(middle).slice(0, checksumLength)}`;
  return id.length <= maxClientIdLength ? id : undefined;
}

/**
 * The name is cleaned again: anybody can write an id with a name that registration would not have kept.
 * @returns the client of a registered id; undefined when the text is not one.
 */
export function readClientId(id: string): RegisteredClient | undefined {
  if (!id.startsWith(prefix) || id.length > maxClientIdLength) return undefined;
  const [middle = "", checksum, ...rest] = id.slice(prefix.length).split(".");
  if (rest.length > 0 || checksum !== sha256(middle).slice(0, checksumLength)) return undefined;
  const bytes = Buffer.from(middle, "base64url");
  if (bytes.toString("base64url") !== middle) return undefined;
  const json = parseUniqueJson(bytes.toString("utf8"));
  const members = Members.safeParse("value" in json ? json.value : undefined);
  if (!members.success) return undefined;
  return { name: clientName(members.data.n), redirects: members.data.r };
}
