import { baseOperators } from "../../src/policy/condition-operator.ts";
import { canary } from "../../test/support/canary-traffic.ts";
import type { Random } from "../random.ts";
import type { Corpus } from "./corpus.ts";
import { mutate } from "./mutate.ts";
import { oddName, oddText, oddValue } from "./odd.ts";

/** Makes policy documents: real ones with changes, ones by the grammar, and anything at all. */
export class Policies {
  readonly #corpus: Corpus;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  any(random: Random): unknown {
    return random.weighted<unknown>([
      [4, () => this.changed(random)],
      [5, () => this.byGrammar(random)],
      [1, () => oddValue(random)],
    ]);
  }

  real(random: Random): unknown {
    return JSON.parse(random.pick(this.#corpus.documents));
  }

  changed(random: Random): unknown {
    const pool = random.chance(0.3) ? [this.real(random), this.byGrammar(random)] : [];
    return mutate(this.real(random), random, pool);
  }

  byGrammar(random: Random): unknown {
    const statements = random.list(1 + random.small(4), () => this.#statement(random));
    const whole = {
      Version: random.chance(0.9) ? random.pick(["2012-10-17", "2008-10-17"]) : oddValue(random, 1),
      ...(random.chance(0.3) && { Id: random.chance(0.5) ? canary : oddValue(random, 1) }),
      Statement: random.chance(0.85) ? statements : statements[0],
      ...(random.chance(0.05) && { [oddName(random)]: oddValue(random) }),
    };
    return random.chance(0.2) ? mutate(whole, random) : whole;
  }

  #statement(random: Random): unknown {
    if (random.chance(0.02)) return oddValue(random);
    const one = (name: string, make: () => unknown): object => ({ [name]: make() });
    const member = (probability: number, name: string, make: () => unknown): object =>
      random.chance(probability)
        ? one(name, random.chance(0.97) ? make : () => oddValue(random))
        : {};
    const actions = () => this.#list(random, () => this.#action(random));
    const resources = () => this.#list(random, () => this.#resource(random));
    return {
      ...member(0.5, "Sid", () => this.#sid(random)),
      ...member(0.98, "Effect", () => random.pick(["Allow", "Allow", "Allow", "Deny", "allow"])),
      ...member(0.3, "Principal", () => this.#principal(random)),
      ...member(0.04, "NotPrincipal", () => this.#principal(random)),
      ...member(0.9, "Action", actions),
      ...member(0.1, "NotAction", actions),
      ...member(0.8, "Resource", resources),
      ...member(0.08, "NotResource", resources),
      ...member(0.45, "Condition", () => this.#condition(random)),
    };
  }

  #list(random: Random, make: () => string): string | string[] {
    return random.chance(0.4) ? make() : random.list(random.small(8), make);
  }

  #sid(random: Random): string {
    return random.pick(["a", "ReadReports", canary, "has spaces", oddText(random)]);
  }

  #action(random: Random): string {
    const real = random.pick(this.#corpus.actions);
    return random.weighted([
      [8, () => real],
      [1, () => real.toUpperCase()],
      [2, () => this.#withWildcards(real, random)],
      [1, () => `${real}s`],
      [1, () => oddText(random)],
    ]);
  }

  #resource(random: Random): string {
    return random.weighted([
      [6, () => random.pick(this.#corpus.arns)],
      [4, () => "*"],
      [2, () => this.#withWildcards(random.pick(this.#corpus.arns), random)],
      [1, () => random.pick(this.#corpus.arns).replace(/[^:/]+$/, "${aws:username}")],
      [1, () => oddText(random)],
    ]);
  }

  #withWildcards(text: string, random: Random): string {
    const at = random.below(text.length + 1);
    return (
      text.slice(0, at) + random.pick(["*", "?", "**", "*?"]) + text.slice(at + random.below(4))
    );
  }

  #principal(random: Random): unknown {
    const arn = () =>
      random.pick([
        "*",
        "arn:aws:iam::123456789012:root",
        "arn:aws:iam::123456789012:role/app",
        "123456789012",
        "AIDACKCEVSQ6C2EXAMPLE",
        "ec2.amazonaws.com",
        "cognito-identity.amazonaws.com",
        "arn:aws:iam::123456789012:saml-provider/idp",
        "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com",
        oddText(random),
      ]);
    if (random.chance(0.2)) return arn();
    const types = ["AWS", "Service", "Federated", "CanonicalUser", oddName(random)];
    return Object.fromEntries(
      random.list(1 + random.small(2), () => [random.pick(types), this.#list(random, arn)]),
    );
  }

  #condition(random: Random): unknown {
    return Object.fromEntries(
      random.list(1 + random.small(3), () => [
        this.#operator(random),
        this.#conditionBlock(random),
      ]),
    );
  }

  #operator(random: Random): string {
    const set = random.pick(["", "", "", "ForAllValues:", "ForAnyValue:", "forallvalues:"]);
    const name = random.pick(baseOperators).name;
    const exact = set + name + random.pick(["", "", "IfExists", "ifexists"]);
    return random.chance(0.92) ? exact : oddText(random);
  }

  #conditionBlock(random: Random): unknown {
    if (random.chance(0.04)) return oddValue(random);
    return Object.fromEntries(
      random.list(1 + random.small(3), () => [
        random.chance(0.9) ? random.pick(this.#corpus.conditionKeys) : oddText(random),
        random.weighted<unknown>([
          [8, () => this.#list(random, () => random.pick(this.#corpus.values))],
          [3, () => this.#list(random, () => oddText(random))],
          [2, () => random.pick([true, false, 0, 3600, "true", "false"])],
          [1, () => oddValue(random)],
        ]),
      ]),
    );
  }
}
