import type { Principals } from "./document.ts";
import { type Doubtful, maybe, no, yes } from "./evaluate-condition.ts";
import { wildcardTakes } from "./evaluate-text.ts";
import type { RequestPrincipal } from "./request.ts";

/** Whether a caller is one of the principals of `Principal`. */
export function isListed({ entries }: Principals, principal: RequestPrincipal): Doubtful {
  let mayBe = false;
  for (const { type, text } of entries) {
    if (type === "AWS" && text === "*") return yes;
    if (principal.type === "AWS") {
      if (type === "AWS" && identityListed(text, principal.arn, principal.session)) return yes;
    } else if (principal.type === "CanonicalUser") {
      if (type === "CanonicalUser" && text === principal.name) return yes;
      if (type === "AWS") mayBe = true;
    } else if (principal.type !== "Anonymous" && type === principal.type) {
      if (text === "*" || text === principal.name) return yes;
    }
  }
  return mayBe ? maybe("canonical_user") : no;
}

/** Whether a caller is not among the principals of `NotPrincipal`. */
export function isUnlisted({ entries }: Principals, principal: RequestPrincipal): Doubtful {
  if (entries.some(({ type, text }) => type === "AWS" && text === "*")) return no;
  if (principal.type === "Anonymous") return yes;
  if (principal.type === "AWS") return identitiesListed(entries, principal.arn, principal.session);
  const own = entries.some(
    ({ type, text }) => type === principal.type && (text === "*" || text === principal.name),
  );
  if (own) return no;
  const mayBe = principal.type === "CanonicalUser" && entries.some(({ type }) => type === "AWS");
  return mayBe ? maybe("canonical_user") : yes;
}

/** `NotPrincipal` compares all identities of a caller: its account, its ARN, and its session. */
function identitiesListed(
  entries: Principals["entries"],
  arn: string,
  session: string | undefined,
): Doubtful {
  const listed = entries.filter(({ type }) => type === "AWS").map(({ text }) => text);
  const account = arn.split(":")[4] ?? "";
  const byAccount = listed.some((text) => isWholeAccount(text, account));
  const byArn = listed.some(
    (text) => wholeAccount(text) === null && !isSession(text) && wildcardTakes(text, arn),
  );
  if (arn.endsWith(":root")) return byAccount || byArn ? no : yes;
  const identities = [byAccount, byArn];
  if (session !== undefined) {
    identities.push(listed.some((text) => isSession(text) && sessionIs(text, arn, session)));
  }
  if (identities.every((is) => is)) return no;
  return identities.some((is) => is) ? maybe("not_principal") : yes;
}

function identityListed(text: string, arn: string, session: string | undefined): boolean {
  const account = arn.split(":")[4] ?? "";
  if (wholeAccount(text) !== null) return isWholeAccount(text, account);
  if (isSession(text)) return session !== undefined && sessionIs(text, arn, session);
  return wildcardTakes(text, arn);
}

function wholeAccount(text: string): string | null {
  if (/^\d{12}$/.test(text)) return text;
  const fields = text.split(":");
  const isRoot =
    fields.length === 6 &&
    fields[0] === "arn" &&
    !/[*?]/.test(fields[1] ?? "") &&
    fields[2] === "iam" &&
    fields[3] === "" &&
    fields[5] === "root";
  return isRoot && /^\d{12}$/.test(fields[4] ?? "") ? (fields[4] ?? null) : null;
}

function isWholeAccount(text: string, account: string): boolean {
  return wholeAccount(text) === account;
}

function isSession(text: string): boolean {
  const fields = text.split(":");
  const [kind, role, name, ...more] = (fields[5] ?? "").split("/");
  return (
    fields.length === 6 &&
    fields[0] === "arn" &&
    fields[2] === "sts" &&
    fields[3] === "" &&
    /^\d{12}$/.test(fields[4] ?? "") &&
    kind === "assumed-role" &&
    !!role &&
    !!name &&
    more.length === 0 &&
    !/[*?]/.test(text)
  );
}

function sessionIs(text: string, arn: string, session: string): boolean {
  const wanted = text.split(":");
  const found = arn.split(":");
  const [, role, name] = (wanted[5] ?? "").split("/");
  const own = (found[5] ?? "").split("/");
  return (
    wanted[1] === found[1] &&
    wanted[4] === found[4] &&
    own[0] === "role" &&
    own.at(-1) === role &&
    name === session
  );
}
