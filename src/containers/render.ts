import { escapedStep } from "../json/node.ts";
import { isRecord } from "../record.ts";
import type { ServiceLookup } from "../services/model.ts";
import { KnownResources, type UnknownResource } from "./known-resources.ts";
import { ownArnOf } from "./own-arn.ts";
import { accountIn, partitionOf, regionIn } from "./sample-regions.ts";
import { sampleOwn, samplePart, sampleWhole, servicesWithRules } from "./sample-text.ts";
import type { Position, Samples, Style } from "./sample-values.ts";
import { isOpen, shownUnknown, type Unknown, type Unknowns } from "./unknowns.ts";

/** A document with a sample in place of each unknown value. */
export interface Rendered {
  readonly value: unknown;
  /** JSON Pointers of members that get no verdict. */
  readonly silent: ReadonlySet<string>;
  /** Those of them whose name is unknown as well. */
  readonly silentNames: ReadonlySet<string>;
  /** Indexes of statements that get validity findings only, because a member is unknown as a whole. */
  readonly guarded: ReadonlySet<number>;
  /** Indexes of statements of which no action is known, so nothing that follows from an action is. */
  readonly actionless: ReadonlySet<number>;
  /** Sample texts, and what to show people in their place. */
  readonly shown: ReadonlyMap<string, string>;
  /** Filled in texts with a part that may be any text, and the same with `*` in place of such parts. */
  readonly openTexts: ReadonlyMap<string, string>;
  /** Number of values with an unknown part. */
  readonly unresolved: number;
}

const noPosition: Position = {
  element: "",
  principalType: null,
  provider: null,
  operator: null,
  conditionKey: null,
};

/**
 * Fills in a document. Its depth is bounded by the reader.
 * @param services With those of its actions loaded.
 * @param documents Those that get the same samples, in the same order for each. Default: this one.
 */
export function render(
  value: unknown,
  unknowns: Unknowns,
  style: Style,
  services: Pick<ServiceLookup, "get">,
  documents: unknown = value,
): Rendered {
  return new Renderer(unknowns, samplesFor(documents, style), services).document(value);
}

/** Fills in a text that belongs to a document but is not in it. */
export function renderText(
  text: string,
  document: unknown,
  unknowns: Unknowns,
  style: Style,
): string {
  const samples = samplesFor(document, style);
  return unknowns
    .split(text)
    .reduce<string>(
      (before, part) =>
        before + (typeof part === "string" ? part : samplePart(part, before, noPosition, samples)),
      "",
    );
}

function samplesFor(document: unknown, style: Style): Samples {
  const text = JSON.stringify(document) ?? "";
  return { partition: partitionOf(text), style, account: accountIn(text), region: regionIn(text) };
}

class Renderer {
  readonly #unknowns: Unknowns;
  readonly #samples: Samples;
  readonly #services: Pick<ServiceLookup, "get">;
  readonly #silent = new Set<string>();
  readonly #silentNames = new Set<string>();
  readonly #guarded = new Set<number>();
  readonly #actionless = new Set<number>();
  readonly #shown = new Map<string, string>();
  readonly #openTexts = new Map<string, string>();
  /** In `second`, where an unknown resource is one that another statement names. */
  #known: KnownResources | null = null;
  #unresolved = 0;

  constructor(unknowns: Unknowns, samples: Samples, services: Pick<ServiceLookup, "get">) {
    this.#unknowns = unknowns;
    this.#samples = samples;
    this.#services = services;
  }

  document(value: unknown): Rendered {
    if (this.#samples.style === "second" && isRecord(value)) {
      this.#known = new KnownResources(value.Statement, this.#unknowns);
    }
    const rendered = isRecord(value)
      ? this.#object(value, "", (name, member, at) =>
          name === "Statement"
            ? this.#statements(member, at)
            : this.#value(member, at, { ...noPosition, element: name }),
        )
      : this.#value(value, "", noPosition);
    return {
      value: rendered,
      silent: this.#silent,
      silentNames: this.#silentNames,
      guarded: this.#guarded,
      actionless: this.#actionless,
      shown: this.#shown,
      openTexts: this.#openTexts,
      unresolved: this.#unresolved,
    };
  }

  #statements(value: unknown, at: string): unknown {
    if (Array.isArray(value)) {
      return value.map((entry, index) => this.#statement(entry, `${at}/${index}`, index));
    }
    return this.#statement(value, at, 0);
  }

  #statement(value: unknown, at: string, index: number): unknown {
    if (typeof value === "string" && this.#unknowns.whole(value)) {
      // Grants what needs no permission, so nothing else that is said of the policy depends on it.
      this.#mute(at);
      this.#guarded.add(index);
      return { Effect: "Allow", Action: "sts:GetCallerIdentity", Resource: "*" };
    }
    if (!isRecord(value)) return this.#value(value, at, noPosition);
    if (!this.#hasKnownAction(value)) this.#actionless.add(index);
    const provider = providerIn(value.Condition);
    const isWebIdentity = isWebIdentityOnly(value.Action);
    const ownArn = ownArnOf(value, this.#services);
    return this.#object(value, at, (element, member, place) => {
      const own = ownArn === null ? {} : { ownArn };
      const position = {
        ...noPosition,
        element,
        statement: index,
        provider,
        isWebIdentity,
        ...own,
      };
      if (this.#isUnknown(member)) this.#guard(element, index);
      switch (element) {
        case "Condition":
          return this.#condition(member, place, index);
        case "Principal":
        case "NotPrincipal":
          return this.#principal(member, place, position);
        default:
          return this.#value(member, place, position);
      }
    });
  }

  /** Whether the service of an action is known, as it is in `s3:${x}`. */
  #hasKnownAction({ Action, NotAction }: Record<string, unknown>): boolean {
    const entries: readonly unknown[] = [Action ?? NotAction].flat();
    return entries.some((entry) => typeof entry !== "string" || this.#head(entry) === null);
  }

  /** Elements that decide whether a statement grants at all: nothing is said of its grants. */
  #guard(element: string, index: number): void {
    if (element === "Effect" || element === "Condition") this.#guarded.add(index);
  }

  #isUnknown(value: unknown): boolean {
    return typeof value === "string" && this.#unknowns.whole(value) !== null;
  }

  #principal(value: unknown, at: string, position: Position): unknown {
    if (this.#isUnknown(value)) {
      const type = this.#samples.style === "second" ? "Service" : "AWS";
      return { [type]: this.#value(value, at, { ...position, principalType: type }) };
    }
    if (!isRecord(value)) return this.#value(value, at, position);
    return this.#object(value, at, (principalType, member, place) => {
      const rendered = this.#value(member, place, { ...position, principalType });
      if (this.#samples.style !== "wide" || principalType !== "Service") return rendered;
      const isUnknown = [member].flat().some((service) => this.#isUnknown(service));
      return isUnknown ? [rendered, servicesWithRules].flat() : rendered;
    });
  }

  #condition(value: unknown, at: string, index: number): unknown {
    if (this.#isUnknown(value)) {
      this.#mute(at);
      return { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
    }
    if (!isRecord(value)) return this.#value(value, at, noPosition);
    const guarded = (name: string, place: string) => {
      if (!this.#unknowns.isIn(name)) return;
      this.#silent.add(place);
      this.#silentNames.add(place);
      this.#guarded.add(index);
    };
    return this.#object(value, at, (operator, keys, place) => {
      guarded(operator, place);
      if (this.#isUnknown(keys)) {
        this.#mute(place);
        this.#guarded.add(index);
        return { "aws:PrincipalOrgID": "o-a1b2c3d4e5" };
      }
      const position = { ...noPosition, element: "Condition", operator };
      if (!isRecord(keys)) return this.#value(keys, place, position);
      return this.#object(keys, place, (conditionKey, values, within) => {
        guarded(conditionKey, within);
        return this.#value(values, within, { ...position, conditionKey });
      });
    });
  }

  /** The members of an object, with their names filled in. */
  #object(
    value: Record<string, unknown>,
    at: string,
    memberOf: (name: string, member: unknown, at: string) => unknown,
  ): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const filled = this.#unknowns.isIn(name) ? this.#text(name, noPosition) : name;
        const place = `${at}/${escapedStep(filled)}`;
        if (filled !== name) this.#unresolved++;
        return [filled, memberOf(name, member, place)];
      }),
    );
  }

  #value(value: unknown, at: string, position: Position): unknown {
    if (typeof value === "string") {
      if (!this.#unknowns.isIn(value)) return value;
      this.#unresolved++;
      if (this.#isSilent(value, position)) this.#silent.add(at);
      return this.#text(value, position);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#value(item, `${at}/${index}`, position));
    }
    if (!isRecord(value)) return value;
    return this.#object(value, at, (_name, member, place) => this.#value(member, place, position));
  }

  #mute(at: string): void {
    this.#silent.add(at);
    this.#unresolved++;
  }

  /** Whether what is known of a string is too little for a verdict on it. */
  #isSilent(text: string, { element, principalType, isWebIdentity }: Position): boolean {
    // What the conditions of tokens lack does not depend on the provider.
    if (principalType === "Federated" && isWebIdentity) return false;
    if (element.endsWith("Principal") && principalType === "Service") {
      // The name of a service is known as a whole or not at all.
      const known = new Set<unknown>(["region", "partition", "url_suffix"]);
      return this.#unknowns
        .split(text)
        .some((part) => typeof part === "object" && !known.has(part.like));
    }
    switch (element) {
      case "Action":
      case "NotAction":
      case "Effect":
      case "Version":
        return true;
      default:
        return this.#head(text) !== null;
    }
  }

  /** The unknown part that a string begins with, if it may be anything. */
  #head(text: string): Unknown | null {
    const [head] = this.#unknowns.split(text);
    return typeof head === "object" && head.like === "text" ? head : null;
  }

  #text(text: string, position: Position): string {
    const parts = this.#unknowns.split(text);
    const sample = this.#fill(parts, text, position);
    const pattern = hasOpenPart(parts) ? this.#pattern(parts, position) : null;
    const filled =
      (pattern !== null && this.#knownLike({ text, sample, pattern }, position)) || sample;
    this.#shown.set(filled, this.#unknowns.shown(text));
    if (pattern !== null) this.#openTexts.set(filled, pattern);
    return filled;
  }

  #knownLike(unknown: UnknownResource, { element, statement, ownArn }: Position): string | null {
    if (statement === undefined || !element.endsWith("Resource")) return null;
    // Which kind of resource it is can be seen from its known part, or from what the statement is about.
    const isPlain = unknown.pattern !== "*" || ownArn !== undefined;
    return this.#known?.like(isPlain ? unknown : { ...unknown, sample: null }, statement) ?? null;
  }

  /** A text with `*` in place of its open parts and samples in place of the others. */
  #pattern(parts: readonly (string | Unknown)[], position: Position): string {
    let filled = "";
    for (const part of parts) {
      if (typeof part === "string") filled += part;
      else filled += isOpen(part) ? "*" : samplePart(part, filled, position, this.#samples);
    }
    return filled;
  }

  #fill(parts: readonly (string | Unknown)[], text: string, position: Position): string {
    const samples = this.#samples;
    const head = this.#head(text);
    const { element, principalType } = position;
    if (element === "Action" || element === "NotAction") {
      const [first] = parts;
      const service = typeof first === "string" ? /^([^:]+):/.exec(first)?.[1] : undefined;
      const [unknown] = parts.filter((part) => typeof part === "object");
      if (!unknown) return text;
      if (service === undefined) return sampleWhole(unknown, position, samples);
      return `${service}:${this.#samples.style === "wide" ? "*" : samplePart(unknown, "", position, samples)}`;
    }
    const whole =
      head !== null &&
      (parts.length === 1 ||
        element.endsWith("Resource") ||
        (element.endsWith("Principal") && principalType !== "Service"));
    const own = whole && sampleOwn(head, position, samples);
    if (whole && own === null) {
      const sample = sampleWhole(head, position, samples);
      const [, madeUp] =
        /:oidc-provider\/((?:unknown|other)-[a-z0-9]+\.example\.com)$/.exec(sample) ?? [];
      if (madeUp !== undefined) this.#shown.set(madeUp, "<oidc-provider>");
      return sample;
    }
    let filled = "";
    if (own) {
      this.#shown.set(own, shownUnknown(head));
      filled = own;
    }
    for (const [index, part] of parts.entries()) {
      if (own && index === 0) continue;
      const next = parts[index + 1];
      const after = typeof next === "string" ? next : "";
      const place = { ...position, isLast: index === parts.length - 1, after };
      const sample = typeof part === "string" ? part : samplePart(part, filled, place, samples);
      // The host of the provider is in the keys of the condition as well.
      if (typeof part === "object" && distinctive(sample) && sample !== position.provider) {
        this.#shown.set(sample, shownUnknown(part));
      }
      filled += sample;
    }
    return filled;
  }
}

function hasOpenPart(parts: readonly (string | Unknown)[]): boolean {
  return parts.some((part) => typeof part === "object" && isOpen(part));
}

/** Samples that no other text of a policy equals by chance. */
function distinctive(sample: string): boolean {
  return sample.length >= 12;
}

/** Whether a statement lets in tokens of OIDC providers and nothing else that needs a provider. */
function isWebIdentityOnly(action: unknown): boolean {
  const names = [action].flat().map((one) => String(one).toLowerCase());
  return (
    names.includes("sts:assumerolewithwebidentity") &&
    names.every((name) => name === "sts:assumerolewithwebidentity" || name === "sts:tagsession")
  );
}

/** @returns The identity provider that the keys of a condition name, as `token.example.com:sub` does. */
function providerIn(condition: unknown): string | null {
  if (!isRecord(condition)) return null;
  for (const keys of Object.values(condition)) {
    for (const key of isRecord(keys) ? Object.keys(keys) : []) {
      const [provider = "", claim = "", ...more] = key.split(":");
      const isHost = provider.slice(1, -1).includes(".");
      if (isHost && /^[A-Za-z_]+$/.test(claim) && more.length === 0) return provider;
    }
  }
  return null;
}
