import {
  type Case,
  type Claims,
  covers,
  expand,
  first,
  hasKey,
  matches,
  overlap,
  referenceAction,
  services,
  texts,
} from "./case.ts";
import { ofResourceTypes } from "./resource-types.ts";

const plain = /^[a-z0-9-]+:\w+$/;

/** @returns the ARN forms of the resource types of an action, with `*` for what varies. */
function formsOf(action: string): string[] {
  const [prefix = ""] = action.split(":");
  const service = services.get(prefix);
  return (referenceAction(action)?.resourceTypes ?? []).flatMap((name) =>
    formsOfType(service?.resourceType(name)),
  );
}

function formsOfType(type: { readonly arnFormats: readonly string[] } | undefined): string[] {
  return (type?.arnFormats ?? []).map((form) =>
    form
      .split(":")
      .map((part, at) => part.replace(/\$\{[^}]*\}/g, at === 3 || at === 4 ? "?*" : "*"))
      .join(":"),
  );
}

/** Whether an ARN of the form can match the resource; the fields before the last have no colon. */
function fits(form: string, resource: string): boolean {
  const wanted = form.split(":");
  const given = resource.split(":");
  const isOpen = given.length < 6 && /\*$/.test(resource);
  const last = (parts: string[]) => parts.slice(5).join(":");
  const fields = wanted.slice(0, 5).every((part, at) => {
    const other = given[at];
    return other === undefined
      ? isOpen
      : overlap(part, other) || (isOpen && at === given.length - 1);
  });
  if (!fields || given.length < 6) return fields && isOpen;
  // A bucket's name has no slash.
  if (/:s3:::\*$/.test(form) && last(given).includes("/")) return false;
  // Nor has a table's.
  if (/:dynamodb:.*:table\/\*$/.test(form) && /^table\/.*\//.test(last(given))) return false;
  // Nor has an access point's: a plain name ends with it, and `object` follows.
  const [, after] = /^accesspoint\/[^/*?]+\/([^/*?]+)/.exec(last(given)) ?? [];
  if (after !== undefined && /:accesspoint\/\*$/.test(form)) return false;
  if (after !== undefined && after !== "object" && /\/object\/\*$/.test(form)) return false;
  return overlap(last(wanted), last(given));
}

/** "works on …" and "lists no resource type for …", and that no resource of the statement fits. */
/** Whole services: what the message says of the buckets, and of the services of the ARNs. */
function wholeService({ finding, quoted, statement }: Case): string | null {
  const resources = texts(statement.Resource);
  const [quotedFirst = ""] = quoted;
  if (/and not the objects/.test(finding.message)) {
    return first(
      resources.some((one) => /[/*]/.test(one)) && "objects are named",
      !resources.includes(quotedFirst) && "the bucket is not named",
    );
  }
  const named = resources.map((one) => one.split(":")[2]);
  return first(
    !named.includes(quotedFirst) && "no resource is of that service",
    quoted.slice(1).some((service) => named.includes(service)) && "a resource is of the service",
  );
}

/** A Deny that exempts too little: what the message says of the buckets and of the other entries. */
function exemptsTooLittle({ finding, quoted, statement }: Case): string | null {
  const exempt = texts(statement.NotResource);
  const names = quoted.filter((text) => /^[a-z0-9-]+:[\w*]+$/.test(text));
  const fitting = names
    .filter((text) => plain.test(text))
    .flatMap(formsOf)
    .find((form) => exempt.some((one) => fits(form, one)));
  return first(
    !names.some((one) => covers(statement, one)) && "an action is not in the statement",
    /none of the objects/.test(finding.message)
      ? exempt.some((one) => /:s3:::.*[/*]/.test(one)) && "objects are exempt"
      : /stops every launch/.test(finding.message)
        ? exempt.some((one) => quoted.slice(1).some((type) => one.includes(`:${type}/`))) &&
          "a type that is named is exempt"
        : fitting !== undefined && `${fitting} fits`,
  );
}

function noResourceFits(example: Case): string | null {
  const { finding, quoted, statement } = example;
  const { message } = finding;
  const ofTypes = ofResourceTypes(example);
  if (ofTypes !== undefined) return ofTypes;
  if (/`NotResource`/.test(message)) return exemptsTooLittle(example);
  if (/and not the objects|^The resources are of/.test(message)) return wholeService(example);
  const names = quoted.filter((text) => plain.test(text) && referenceAction(text) !== undefined);
  const types =
    /the resource types? (.*?)(?:,? and no resource|,? and \d+ more| \(|;|$)/.exec(message)?.[1] ??
    "";
  const named = [...types.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);
  const [name = ""] = names;
  const known = referenceAction(name)?.resourceTypes ?? [];
  const resources = texts(statement.Resource).map((one) => one.replace(/\$\{[^}]*\}/g, "*"));
  const fitting = names.flatMap(formsOf).find((form) => resources.some((one) => fits(form, one)));
  return first(
    names.length === 0 &&
      !/^The policy names two|is of the service|is an alias|without its paths/.test(message) &&
      "no action is named",
    /lists no resource type/.test(message) &&
      names.some((one) => formsOf(one).length > 0) &&
      "the reference lists one",
    names.length === 1 &&
      named.some((one) => !known.includes(one)) &&
      `a type of ${named} is not one of ${name}`,
    /no resource of the statement|No resource of the statement/.test(message) &&
      fitting !== undefined &&
      `${fitting} fits`,
    !names.every((one) => covers(statement, one)) && "an action is not in the statement",
    /lists no resource type/.test(message) &&
      !/policy of one resource/.test(message) &&
      resources.includes("*") &&
      "a resource is `*`",
    /without its paths/.test(message) &&
      resources.some((one) => /:domain\/.*[/*]/.test(one)) &&
      "a resource has paths",
    /is an alias/.test(message) &&
      !resources.every((one) => one.includes(":alias/")) &&
      "a resource is no alias",
  );
}

function unknownAction({ finding, quoted: [entry = ""], statement }: Case): string | null {
  const [prefix = ""] = entry.split(":");
  const all = [...texts(statement.Action), ...texts(statement.NotAction)];
  return first(
    !all.includes(entry) && `${entry} is not in the statement`,
    expand(entry).length > 0 && `${entry} matches an action of the reference`,
    /there is no service|has removed/.test(finding.message) &&
      services.get(prefix) !== undefined &&
      "the service is known",
    /` has no `/.test(finding.message) &&
      services.get(prefix) === undefined &&
      "the service is unknown",
  );
}

/** Actions that set tags: those that create or copy something, and those that are there for tags. */
const setsTags =
  /^(?:Add|Allocate|Copy|Create|Import|Provision|Purchase|Put|Register|Request|Restore|Run|Start|Tag|Untag|Upload)(?=[A-Z])|Tags?$/;

function sends(name: string, key: string): boolean {
  const action = referenceAction(name);
  if (!action?.supportsKey(key)) return false;
  return !/^aws:(?:RequestTag\/|TagKeys$)/i.test(key) || setsTags.test(action.name);
}

/** That the types which the message names list the key, and that no other type of the statement does. */
function sentForTypes(
  key: string,
  names: readonly string[],
  statement: Case["statement"],
  quoted: readonly string[],
): string | null {
  const [prefix = ""] = key.split(":");
  const service = services.get(prefix);
  const resources = texts(statement.Resource);
  const known = new Set(names.flatMap((name) => referenceAction(name)?.resourceTypes ?? []));
  const listing = [...known].filter((name) =>
    service
      ?.resourceType(name)
      ?.conditionKeys.some(
        (one) => one.split("$")[0] === (one.includes("$") ? key.slice(0, one.indexOf("$")) : key),
      ),
  );
  const fitting = listing.find((name) =>
    formsOfType(service?.resourceType(name)).some((form) =>
      resources.some((one) => fits(form, one)),
    ),
  );
  return first(
    fitting !== undefined && `a resource is of type ${fitting}, which has ${key}`,
    !listing.slice(0, 3).every((name) => quoted.includes(name)) && `${listing} list ${key}`,
  );
}

function unsentKey({ finding, quoted, statement }: Case): string | null {
  const names = quoted.filter((text) => plain.test(text) && referenceAction(text) !== undefined);
  const key = finding.condition_key ?? "";
  const isClaim = /do not carry|never carry/.test(finding.message);
  const setsTags = (name: string) => {
    const action = referenceAction(name);
    const lists = action?.conditionKeys.some((one) => /^aws:(?:requesttag|tagkeys)/i.test(one));
    return lists || action?.accessLevel === "tagging" || /:(?:Create|Run|Copy|Allocate)/.test(name);
  };
  // The reference lists tags of the request for the type of a resource too, and so for actions that set none.
  const carries = /carry no tags/.test(finding.message)
    ? setsTags
    : (name: string) => sends(name, key);
  const carrying = names.find(carries);
  return first(
    key !== "" && !hasKey(statement, key) && `no condition on ${key}`,
    /has the placeholder/.test(finding.message) &&
      !/\/\$\{\w+\}$/.test(key) &&
      "the key has no placeholder",
    isClaim && carrying !== undefined && `${carrying} sends ${key}`,
    / only, and no resource of the statement is one/.test(finding.message) &&
      sentForTypes(key, names, statement, quoted),
  );
}

function covered({ finding, quoted: [entry = "", ...others], statement }: Case): string | null {
  const all = ["Action", "NotAction", "Resource", "NotResource"].flatMap((one) =>
    texts(statement[one]),
  );
  const times = Number(/is listed (\d+) times/.exec(finding.message)?.[1] ?? 0);
  const ignoreCase = /action/.test(finding.issue_type);
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wrong = others.find((other) => !matches(entry, other, ignoreCase) || !all.includes(other));
  return first(
    !all.includes(entry) && `${entry} is not listed`,
    times > 0 && all.filter((one) => fold(one) === fold(entry)).length !== times && "counted wrong",
    wrong !== undefined && `${entry} does not cover ${wrong}`,
  );
}

/** The numbers or Sids behind "of statement": each a Deny without a condition, all actions covered by one of them. */
function takenBack({ finding, statements, statement }: Case): string | null {
  const [, named = ""] = /of statements? (.*) covers? /.exec(finding.message) ?? [];
  const denies = named
    .split(/, | and /)
    .map((one) => statements.find(({ Sid }, at) => one === `\`${Sid}\`` || one === String(at + 1)));
  const left = texts(statement.Action).find(
    (action) =>
      !denies.some(
        (deny) =>
          deny?.NotAction || texts(deny?.Action).some((outer) => matches(outer, action, true)),
      ),
  );
  return first(
    denies.length === 0 && "no Deny is named",
    denies.some((deny) => deny?.Effect !== "Deny") && "one of them does not deny",
    left !== undefined && `${left} is left`,
  );
}

const field = (arn: string, at: number) => arn.split(":")[at] ?? "";

export const nameClaims: Claims = {
  "action_validation/invalid_action": unknownAction,
  "action_resource_matching/resource_mismatch": noResourceFits,
  "action_resource_matching/statement_never_applies": noResourceFits,
  "condition_key_validation/invalid_condition_key": unsentKey,
  "condition_key_validation/deprecated_global_condition_key": unsentKey,
  "condition_key_validation/untrustworthy_condition_key": unsentKey,
  "redundancy/denied_grant": takenBack,
  "redundancy/redundant_action": covered,
  "redundancy/redundant_resource": covered,
  "sid_uniqueness/duplicate_sid": ({ finding, statements, quoted: [sid] }) => {
    const places = statements.flatMap(({ Sid }, at) => (Sid === sid ? [at + 1] : []));
    return first(
      !finding.message.includes(`by ${places.length} statements`) && "counted wrong",
      !finding.message.includes(places.join(" and ")) && "other statements have it",
    );
  },
  "sid_uniqueness/invalid_sid_format": ({ statement, quoted: [sid = "", ...characters] }) =>
    first(
      statement.Sid !== sid && "another Sid",
      !characters.every((one) => sid.includes(one) && !/^\w$/.test(one.replace("_", "-"))) &&
        "allowed",
    ),
  "policy_size/policy_size_exceeded": ({ finding, policy }) => {
    const [has = 0, may = 0] = (finding.message.match(/[\d,]{3,}/g) ?? []).map((text) =>
      Number(text.replaceAll(",", "")),
    );
    const bytes = Buffer.byteLength(JSON.stringify(policy));
    return first(has !== bytes && `it has ${bytes} bytes`, has <= may && "it fits");
  },
  "resource_validation/invalid_region": ({
    quoted: [resource = "", region = ""],
    statement,
    finding,
  }) =>
    first(
      !texts(statement.Resource).includes(resource) && "not a resource of the statement",
      /has the Region/.test(finding.message) && field(resource, 3) !== region && "another Region",
    ),
  "resource_validation/invalid_resource": ({ quoted: [resource = ""], statement, finding }) =>
    first(
      !texts(statement.Resource).includes(
        /^A space follows/.test(finding.message) ? `${resource} ` : resource,
      ) && "not a resource of the statement",
      /does not begin with/.test(finding.message) && resource.startsWith("arn:") && "it does",
      /it has \d parts/.test(finding.message) &&
        !finding.message.includes(`it has ${resource.split(":").length} parts`) &&
        "counted wrong",
    ),
  "arn_fields/missing_field": ({ quoted: [arn = ""], finding }) =>
    first(
      /^The account/.test(finding.message) && field(arn, 4) !== "" && "it has an account",
      /^The Region/.test(finding.message) && field(arn, 3) !== "" && "it has a Region",
    ),
  "arn_fields/field_not_allowed": ({ node, quoted: [service], finding }) =>
    first(
      field(String(node), 2) !== service && "another service",
      /no Region/.test(finding.message) && field(String(node), 3) === "" && "it has none",
      /no account/.test(finding.message) && field(String(node), 4) === "" && "it has none",
      /buckets/.test(finding.message) && /:accesspoint\//.test(String(node)) && "an access point",
    ),
  "arn_fields/unknown_service": ({ quoted: [arn = ""] }) =>
    services.get(field(arn, 2)) === undefined ? null : "the service is known",
};
