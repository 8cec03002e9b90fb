import { type Caller, caller, readSessionArn, sessionCaller } from "./callers.ts";
import type { AccessDocument, AccessType } from "./document.ts";

const identityHints =
  /^aws:(?:principal(?!tag\/)|username$|userid$|tokenissuetime$|multifactorauth|federatedprovider$|sourceidentity$)/;

/** Services that represent all that no document names. */
export const freshServices: readonly string[] = [
  "sns.amazonaws.com",
  "s3.amazonaws.com",
  "events.amazonaws.com",
  "lambda.amazonaws.com",
  "sqs.amazonaws.com",
  "config.amazonaws.com",
];

/** @returns a service principal that the text does not hold; one that is made up where it holds all of these. */
export function freshService(text: string): string {
  const known = freshServices.find((name) => !text.includes(name));
  if (known !== undefined) return known;
  const named = new Set(text.match(/example\d+\.amazonaws\.com/g));
  return firstFree(named, (number) => `example${number}.amazonaws.com`);
}

function firstFree(taken: ReadonlySet<string>, nameOf: (number: number) => string): string {
  for (let number = 1; ; number++) {
    const name = nameOf(number);
    if (!taken.has(name)) return name;
  }
}

/**
 * The kinds of caller that a question is asked of.
 * @param keys Folded names of keys that are tested or stand in a variable.
 */
export function callersOf(
  documents: readonly AccessDocument[],
  type: AccessType,
  keys: Iterable<string>,
): readonly Caller[] {
  if (type === "identity") {
    const needsUser = [...keys].some((key) => identityHints.test(key));
    return needsUser ? [caller("role"), caller("user")] : [caller("role")];
  }
  if (type === "scp") return [caller("role"), caller("user"), caller("root")];
  const named = principalNames(documents);
  const callers = [caller("role")];
  for (const arn of named.aws) {
    const session = readSessionArn(arn);
    if (session) callers.push(sessionCaller(arn, session));
  }
  callers.push(caller("user"), caller("root"));
  if (type !== "trust") callers.push(caller("anonymous"));
  for (const name of named.services) callers.push(caller("service", name));
  for (const name of named.providers) callers.push(caller("federated", name));
  if (type === "resource") for (const name of named.users) callers.push(caller("canonical", name));
  if (named.hasOpen) {
    // Where a document tests the name, services are told apart by it.
    const isNameTested = [...keys].includes("aws:principalservicename");
    const text = JSON.stringify([...named.services, ...named.providers]);
    callers.push(caller("service", isNameTested ? "" : freshService(text)));
    callers.push(caller("federated", firstFree(named.providers, providerOf)));
  }
  return callers;
}

const providerOf = (number: number) =>
  `arn:aws:iam::111122223333:oidc-provider/idp${number}.example.com`;

interface NamedPrincipals {
  readonly aws: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Some entry is `*`, or a `NotPrincipal` stands somewhere. */
  readonly hasOpen: boolean;
}

function principalNames(documents: readonly AccessDocument[]): NamedPrincipals {
  const aws = new Set<string>();
  const services = new Set<string>();
  const providers = new Set<string>();
  const users = new Set<string>();
  let hasOpen = false;
  for (const { principal, readable } of documents.flatMap(({ statements }) => statements)) {
    if (!readable) continue;
    // Only a resource control policy may leave it out; then everybody is meant.
    if (principal === null || principal.negated) hasOpen = true;
    for (const { type, text } of principal?.entries ?? []) {
      if (text === "*") hasOpen = true;
      else if (type === "AWS") aws.add(text);
      else if (type === "Service") services.add(text);
      else if (type === "Federated") providers.add(text);
      else users.add(text);
    }
  }
  return { aws, services, providers, users, hasOpen };
}

/** Role ARNs that the documents name as principals. */
export function namedRoles(documents: readonly AccessDocument[]): readonly string[] {
  return documents
    .flatMap(({ statements }) => statements)
    .flatMap(({ principal }) => principal?.entries ?? [])
    .flatMap(({ type, text }) =>
      type === "AWS" && /^arn:[^:*?]*:iam::\d{12}:role\/[^*?]+$/.test(text) ? [text] : [],
    );
}
