import { type Caller, pathKeyOf, presenceOf, valuesOf } from "./callers.ts";
import { lower } from "./evaluate-text.ts";
import { compareInstants, compareNumbers, isInBlock } from "./evaluate-values.ts";
import type { Named } from "./feasible.ts";
import type { QuestionKeys } from "./keys.ts";
import { networkKeys } from "./links.ts";
import type { AccessRequest } from "./request.ts";

export interface Facts {
  readonly keys: QuestionKeys;
  /** Keys that some document uses; folded. */
  readonly usedKeys: readonly string[];
  readonly named: Named;
}

/** Whether a request keeps the facts F1 to F16, as far as the documents can tell. */
export function isWellFormed(request: AccessRequest, caller: Caller, facts: Facts): boolean {
  const context = new Map(
    Object.entries(request.context).map(([key, values]) => [lower(key), values]),
  );
  return (
    isShaped(request) &&
    keepsPresence(context, caller, facts) &&
    keepsValues(context, caller, facts) &&
    keepsPrincipal(request, context, caller, facts) &&
    keepsLinks(request, context, facts)
  );
}

type Context = ReadonlyMap<string, readonly string[]>;

function isShaped({ action, resource, principal }: AccessRequest): boolean {
  const isArn = resource.startsWith("arn:") && resource.split(":").length >= 6;
  const isCaller =
    principal.type !== "AWS" ||
    /^arn:[^:]+:iam::\d{12}:(?:root|(?:user|role)\/(?:.+\/)?[^/:]+)$/.test(principal.arn);
  return isCaller && (isArn || resource === "*") && /^[^:]*:[^:]*$/.test(action);
}

function keepsPresence(context: Context, caller: Caller, { usedKeys }: Facts): boolean {
  for (const name of usedKeys) {
    const presence = presenceOf(caller, name);
    if (presence === "always" && !context.has(name)) return false;
  }
  for (const [name, values] of context) {
    if (values.length === 0 || presenceOf(caller, name) === "never") return false;
  }
  return true;
}

function keepsValues(context: Context, caller: Caller, { keys }: Facts): boolean {
  for (const [name, values] of context) {
    const { family, type, isMultivalued } = keys.get(name);
    if (!isMultivalued && values.length > 1) return false;
    const fixed = valuesOf(caller, name);
    const isFixed = fixed?.every(({ text }) => text !== null) ?? false;
    for (const value of values) {
      if (isFixed && !fixed?.some(({ text }) => text === value)) return false;
      if (type === "Bool" && value !== "true" && value !== "false") return false;
      if (family === "number" && compareNumbers(value, "0") === null) return false;
      if (family === "instant" && compareInstants(value, "0") === null) return false;
      if (family === "address" && isInBlock(value, value) !== true) return false;
    }
  }
  return true;
}

function keepsPrincipal(
  { principal }: AccessRequest,
  context: Context,
  caller: Caller,
  facts: Facts,
): boolean {
  const value = (name: string) => context.get(name)?.[0];
  const is = (name: string, wanted: string) => (value(name) ?? wanted) === wanted;
  if (principal.type === "AWS") {
    const { arn, session } = principal;
    const account = arn.split(":")[4] ?? "";
    const name = arn.slice(arn.lastIndexOf("/") + 1);
    if (caller.kind === "user" ? !is("aws:username", name) || name === "" : false) return false;
    if (session !== undefined && !keepsRoleName(arn, session, caller, facts)) return false;
    return is("aws:principalarn", arn) && is("aws:principalaccount", account);
  }
  if (principal.type === "Service" && !is("aws:principalservicename", principal.name)) return false;
  const account = value("aws:principalaccount");
  if (principal.type === "Anonymous") return true;
  if (principal.type === "CanonicalUser") return true;
  return account === undefined || !facts.named.accounts.includes(account);
}

/** F13: names of roles are unique in an account. */
function keepsRoleName(arn: string, session: string, caller: Caller, facts: Facts): boolean {
  const [, partition, , , account] = arn.split(":");
  const name = arn.slice(arn.lastIndexOf("/") + 1);
  if (name === "" || session === "") return false;
  const named = facts.named.roles.filter(
    (role) =>
      role.startsWith(`arn:${partition}:iam::${account}:role/`) && role.endsWith(`/${name}`),
  );
  return caller.kind !== "session" || named.length === 0 || named.includes(arn);
}

function keepsLinks({ resource }: AccessRequest, context: Context, { keys }: Facts): boolean {
  if (context.has("aws:sourceip") && networkKeys.some((name) => context.has(name))) return false;
  const mfa = context.get("aws:multifactorauthpresent");
  if (context.has("aws:multifactorauthage") && keys.isTested("aws:multifactorauthpresent")) {
    if (mfa?.[0] !== "true") return false;
  }
  if (!keepsPaths(context, keys) || !keepsTags(context, keys) || !keepsClock(context)) return false;
  const account = resource.split(":")[4] ?? "";
  const owner = context.get("aws:resourceaccount")?.[0];
  return owner === undefined || !/^\d{12}$/.test(account) || owner === account;
}

function keepsClock(context: Context): boolean {
  const clock = context.get("aws:currenttime")?.[0];
  const epoch = context.get("aws:epochtime")?.[0];
  return clock === undefined || epoch === undefined || compareInstants(clock, epoch) === 0;
}

function keepsPaths(context: Context, keys: QuestionKeys): boolean {
  for (const [id, path] of pathKeyOf) {
    const paths = context.get(path);
    const organisation = context.get(id)?.[0];
    if (paths && (paths.length > 1 || !/^[^/]+\//.test(paths[0] ?? ""))) return false;
    if (paths && organisation !== undefined && !paths[0]?.startsWith(`${organisation}/`)) {
      return false;
    }
    if (!keys.isTested(id) || !keys.isTested(path)) continue;
    if (!paths !== (organisation === undefined)) return false;
  }
  return true;
}

const tag = "aws:requesttag/";

function keepsTags(context: Context, keys: QuestionKeys): boolean {
  const held = new Set((context.get("aws:tagkeys") ?? []).map(lower));
  if (keys.isTested("aws:tagkeys")) {
    for (const name of context.keys()) {
      if (name.startsWith(tag) && !held.has(name.slice(tag.length))) return false;
    }
  }
  for (const name of keys.tested) {
    if (name.startsWith(tag) && held.has(name.slice(tag.length)) && !context.has(name))
      return false;
  }
  return true;
}
