import type { Caller } from "../../src/access/callers.ts";
import { presenceOf, valuesOf } from "../../src/access/callers.ts";
import type { AccessRequest, RequestPrincipal } from "../../src/access/request.ts";
import { isRecord } from "../../src/record.ts";
import type { Random } from "../random.ts";

const account = "111122223333";
const fillers = ["", "a", "b", "ab", "a/b", "a:b", "x", "1", "alice", "Get", "Object"];
const spareActions = ["s3:GetObject", "iam:PassRole", "ec2:DescribeInstances"];
const spareResources = ["*", "arn:aws:s3:::bucket/key", `arn:aws:iam::${account}:role/app`];
const spareValues = [
  "a",
  "true",
  "false",
  "111122223333",
  "203.0.113.7",
  "10",
  "2030-01-01T00:00:00Z",
];
const spareCallers: readonly RequestPrincipal[] = [
  { type: "AWS", arn: `arn:aws:iam::${account}:user/alice` },
  { type: "AWS", arn: `arn:aws:iam::${account}:root` },
  { type: "AWS", arn: "arn:aws:iam::444455556666:role/app", session: "s" },
  { type: "Service", name: "lambda.amazonaws.com" },
  { type: "Anonymous" },
];

/** Makes requests from the words of documents, so that many of them match a statement. */
export class Requests {
  readonly #random: Random;
  readonly #actions: readonly string[];
  readonly #resources: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;
  readonly #callers: readonly RequestPrincipal[];

  /** @param documents JSON values; members that are not statements are skipped. */
  constructor(documents: readonly unknown[], random: Random) {
    this.#random = random;
    const words = wordsOf(documents);
    this.#actions = [...words.actions, ...spareActions];
    this.#resources = [...words.resources, ...spareResources];
    this.#values = words.values;
    this.#callers = [...words.principals.flatMap(callerOf), ...spareCallers];
  }

  /**
   * @param usedKeys Keys that some document tests, folded.
   * @param asCaller What the access procedure takes a principal for.
   */
  make(usedKeys: readonly string[], asCaller: (request: AccessRequest) => Caller): AccessRequest {
    const random = this.#random;
    const request = {
      principal: random.pick(this.#callers),
      action: this.#filled(random.pick(this.#actions)),
      resource: this.#filled(random.pick(this.#resources)),
      context: {},
    };
    const caller = asCaller(request);
    const context: Record<string, readonly string[]> = {};
    for (const name of usedKeys) {
      const presence = presenceOf(caller, name);
      if (presence === "never" || (presence !== "always" && random.chance(0.35))) continue;
      const fixed = valuesOf(caller, name)?.flatMap(({ text }) => text ?? []);
      const words = this.#values.get(name) ?? [];
      const value =
        fixed && fixed.length > 0
          ? random.pick(fixed)
          : this.#filled(random.pick([...words, ...words, ...words, ...spareValues]));
      context[name] = [value];
    }
    return { ...request, context };
  }

  /** A text that the pattern may match. */
  #filled(pattern: string): string {
    const random = this.#random;
    return pattern
      .replace(/\$\{[^}]*\}/g, () => random.pick(fillers))
      .replace(/\*+/g, () => random.pick(fillers))
      .replace(/\?/g, () => random.pick(["a", "b", "1"]));
  }
}

interface Words {
  readonly actions: string[];
  readonly resources: string[];
  readonly principals: { readonly type: string; readonly name: string }[];
  readonly values: Map<string, string[]>;
}

function wordsOf(documents: readonly unknown[]): Words {
  const words: Words = { actions: [], resources: [], principals: [], values: new Map() };
  for (const document of documents) {
    for (const statement of listOf(membersOf(document).Statement)) {
      const members = membersOf(statement);
      words.actions.push(...textsOf(members.Action), ...textsOf(members.NotAction));
      words.resources.push(...textsOf(members.Resource), ...textsOf(members.NotResource));
      for (const element of [members.Principal, members.NotPrincipal]) {
        for (const [type, names] of Object.entries(membersOf(element))) {
          for (const name of textsOf(names)) words.principals.push({ type, name });
        }
      }
      for (const tests of Object.values(membersOf(members.Condition))) {
        for (const [key, values] of Object.entries(membersOf(tests))) {
          const name = key.toLowerCase();
          const known = words.values.get(name) ?? [];
          known.push(...listOf(values).map(String));
          words.values.set(name, known);
        }
      }
    }
  }
  return words;
}

function callerOf({ type, name }: { type: string; name: string }): RequestPrincipal[] {
  if (type === "Service") return [{ type, name }];
  if (type === "Federated") return [{ type, name }];
  if (/^\d{12}$/.test(name)) return [{ type: "AWS", arn: `arn:aws:iam::${name}:user/alice` }];
  return /^arn:[^:]+:iam::\d{12}:/.test(name)
    ? [{ type: "AWS", arn: name, ...(name.includes(":role/") ? { session: "s" } : {}) }]
    : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((one) => typeof one === "string");
}
