import { describe, expect, test } from "vitest";
import type { Answer } from "../src/access/answers.ts";
import { type AccessType, readDocument } from "../src/access/document.ts";
import { askPublic } from "../src/access/public.ts";
import { askGranted, askWithin } from "../src/access/questions.ts";
import { runQuestionSync } from "../src/access/run.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { Random } from "./random.ts";
import { generateAccess } from "./targets/access.ts";

/** Laws that hold for every policy, tried on random ones. */

const count = 120;
const seed = process.env.FUZZ_SEED ?? String(Date.now());
const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };

type Statement = Record<string, unknown>;
interface Case {
  readonly type: AccessType;
  readonly policy: Document;
  readonly other: Document;
  readonly random: Random;
}
interface Document {
  readonly Version?: string;
  readonly Statement: readonly Statement[];
}

const asDocument = (value: unknown): Document => {
  const raw = value as { Version?: string; Statement: Statement | Statement[] };
  return { ...raw, Statement: [raw.Statement].flat() };
};

const cases: readonly Case[] = Array.from({ length: count }, (_, index) => {
  const { type, policy, baseline } = generateAccess(new Random(seed, "laws", index), 1);
  return {
    type,
    policy: asDocument(policy),
    other: asDocument(baseline),
    random: new Random(seed, "laws, choices", index),
  };
});

/** Whether all that the left document allows is allowed by the right one. */
function within(left: unknown, right: unknown, type: AccessType): Answer["verdict"] {
  const asked = askWithin(
    readDocument(left, type),
    readDocument(right, type),
    type,
    "allowed",
    options,
  );
  return runQuestionSync(asked).verdict;
}

/** Fails with the seed and the documents where a law is broken; undecided breaks none. */
function neverViolated(left: unknown, right: unknown, type: AccessType): Answer["verdict"] {
  const verdict = within(left, right, type);
  const label = `FUZZ_SEED=${seed} ${JSON.stringify({ type, left, right })}`;
  expect(verdict, label).not.toBe("violated");
  return verdict;
}

/** @returns the share of cases in which the law was proven, so that a law cannot hold by silence. */
function share(prove: (one: Case) => Answer["verdict"] | null): number {
  const verdicts = cases.flatMap((one) => prove(one) ?? []);
  return verdicts.filter((verdict) => verdict === "holds").length / Math.max(1, verdicts.length);
}

const restated = (policy: Document, Statement: readonly Statement[]): Document => ({
  ...policy,
  Statement,
});

const forbidden = ["s3:PutObject", "iam:*", "s3:G?"] as const;

/** The same value with each text changed. */
function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  return Array.isArray(value) ? value.map((one) => eachText(one, change)) : value;
}

const upperCase = (actions: unknown) => eachText(actions, (text) => text.toUpperCase());

function rootArns(principal: unknown): unknown {
  if (typeof principal !== "object" || principal === null || !("AWS" in principal)) {
    return principal;
  }
  const byArn = (text: string) => (/^\d{12}$/.test(text) ? `arn:aws:iam::${text}:root` : text);
  return { ...principal, AWS: eachText(principal.AWS, byArn) };
}

describe("every policy", { timeout: 120_000 }, () => {
  test("allows no more than itself", () => {
    const proven = share(({ type, policy }) => neverViolated(policy, policy, type));
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("allows no more with a further Deny, and no less without one", () => {
    const proven = share(({ type, policy, other }) => {
      const denies = other.Statement.map((one) => ({ ...one, Effect: "Deny" }));
      return neverViolated(restated(policy, [...policy.Statement, ...denies]), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("allows nothing with a Deny of everything", () => {
    const proven = share(({ type, policy }) => {
      const isAttached = type === "identity" || type === "scp";
      const all = { Effect: "Deny", Action: "*", Resource: "*" };
      const deny = isAttached ? all : { ...all, Principal: "*" };
      return neverViolated(
        restated(policy, [...policy.Statement, deny]),
        restated(policy, []),
        type,
      );
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("allows no more without one of its Allows", () => {
    const proven = share(({ type, policy, random }) => {
      const at = random.below(policy.Statement.length);
      const { Effect } = policy.Statement[at] ?? {};
      if (Effect !== "Allow") return null;
      const left = policy.Statement.filter((_, index) => index !== at);
      return neverViolated(restated(policy, left), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("allows no more with a further condition on its Allows", () => {
    const proven = share(({ type, policy }) => {
      const narrower = policy.Statement.map((one) => {
        const Condition = (one.Condition ?? {}) as Record<string, object>;
        const StringEquals = { ...Condition.StringEquals, "aws:PrincipalTag/law": "x" };
        return one.Effect === "Allow" ? { ...one, Condition: { ...Condition, StringEquals } } : one;
      });
      return neverViolated(restated(policy, narrower), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("means the same with its statements in another order, or split by action", () => {
    const proven = share(({ type, policy }) => {
      const split = [...policy.Statement].reverse().flatMap((one) => {
        const { Action } = one;
        return Array.isArray(Action) && Action.length > 0
          ? Action.map((action) => ({ ...one, Action: action }))
          : [one];
      });
      neverViolated(policy, restated(policy, split), type);
      return neverViolated(restated(policy, split), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("means the same with each statement twice and its lists turned round", () => {
    const turned = (value: unknown) => (Array.isArray(value) ? [...value].reverse() : value);
    const proven = share(({ type, policy }) => {
      const twice = policy.Statement.flatMap((one) => {
        const { Action, NotAction, Resource, NotResource } = one;
        const lists = { Action, NotAction, Resource, NotResource };
        const given = Object.entries(lists).filter(([, value]) => value !== undefined);
        const again = given.map(([name, value]) => [name, turned(value)]);
        return [one, { ...one, ...Object.fromEntries(again) }];
      });
      neverViolated(policy, restated(policy, twice), type);
      return neverViolated(restated(policy, twice), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("is within itself and the Allows of another", () => {
    const proven = share(({ type, policy, other }) => {
      const allows = other.Statement.filter(({ Effect }) => Effect === "Allow");
      return neverViolated(policy, restated(policy, [...policy.Statement, ...allows]), type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("allows no less without its Denies", () => {
    const proven = share(({ type, policy }) => {
      const allows = policy.Statement.filter(({ Effect }) => Effect === "Allow");
      return neverViolated(policy, restated(policy, allows), type);
    });
    expect(proven, seed).toBeGreaterThan(0.9);
  });

  test("means the same with its actions in other letter case", () => {
    const proven = share(({ type, policy }) => {
      const folded = policy.Statement.map((one) => ({
        ...one,
        ...(one.Action !== undefined && { Action: upperCase(one.Action) }),
        ...(one.NotAction !== undefined && { NotAction: upperCase(one.NotAction) }),
      }));
      neverViolated(policy, restated(policy, folded), type);
      return neverViolated(restated(policy, folded), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.5);
  });

  test("means the same with the root ARN of an account in place of its number", () => {
    const proven = share(({ type, policy }) => {
      const named = policy.Statement.map((one) => ({
        ...one,
        ...(one.Principal !== undefined && { Principal: rootArns(one.Principal) }),
        ...(one.NotPrincipal !== undefined && { NotPrincipal: rootArns(one.NotPrincipal) }),
      }));
      if (JSON.stringify(named) === JSON.stringify(policy.Statement)) return null;
      neverViolated(policy, restated(policy, named), type);
      return neverViolated(restated(policy, named), policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.5);
  });

  test("means the same with ArnLike for ArnEquals, and the other way round", () => {
    const proven = share(({ type, policy }) => {
      const text = JSON.stringify(policy);
      if (!/Arn(Not)?(Like|Equals)/.test(text)) return null;
      const swapped = text.replaceAll(
        /Arn(Not)?(Like|Equals)/g,
        (_, not = "", base) => `Arn${not}${base === "Like" ? "Equals" : "Like"}`,
      );
      const other = asDocument(JSON.parse(swapped));
      neverViolated(policy, other, type);
      return neverViolated(other, policy, type);
    });
    expect(proven, seed).toBeGreaterThan(0.5);
  });

  test("grants one of a list of forbidden actions when it grants a listed one, and else none", () => {
    const seen = { holds: 0, violated: 0, undecided: 0 };
    for (const { type, policy } of cases) {
      const document = readDocument(policy, type);
      const verdictOf = (...actions: readonly string[]) => {
        const asked = { actions, resources: [], unless: [] };
        return runQuestionSync(askGranted(document, asked, type, options)).verdict;
      };
      const each = forbidden.map((action) => verdictOf(action));
      const verdict = verdictOf(...forbidden);
      const label = `FUZZ_SEED=${seed} ${JSON.stringify({ type, policy })}`;
      if (each.includes("violated")) expect(verdict, label).not.toBe("holds");
      if (each.every((one) => one === "holds")) expect(verdict, label).not.toBe("violated");
      seen[verdict]++;
    }
    expect(Math.min(seen.holds, seen.violated), seed).toBeGreaterThan(5);
  });

  test("is within a third one when it is within a second that is within it", () => {
    for (const { type, policy, other } of cases) {
      const both = restated(policy, [...policy.Statement, ...other.Statement]);
      if (within(policy, other, type) !== "holds" || within(other, both, type) !== "holds")
        continue;
      neverViolated(policy, both, type);
    }
  });

  test("is answered with the same bytes each time", () => {
    for (const { type, policy, other } of cases.slice(0, 40)) {
      const ask = () => {
        const documents = [readDocument(policy, type), readDocument(other, type)] as const;
        const answer = runQuestionSync(askWithin(...documents, type, "allowed", options));
        return JSON.stringify({ ...answer, decided: [...answer.decided] });
      };
      expect(ask(), `FUZZ_SEED=${seed}`).toBe(ask());
    }
  });
});

test("whether a policy is public does not depend on the numbers of its accounts", () => {
  const search = { ...options, extraTrustedKeys: [] };
  const numbers = new Map([
    ["111122223333", "121212121212"],
    ["444455556666", "343434343434"],
  ]);
  for (const { type, policy } of cases) {
    if (type !== "resource" && type !== "trust") continue;
    const text = JSON.stringify(policy);
    const renamed = text.replaceAll(/111122223333|444455556666/g, (one) => numbers.get(one) ?? one);
    const verdictOf = (document: string) =>
      runQuestionSync(askPublic(readDocument(JSON.parse(document), type), type, search)).verdict;
    expect(verdictOf(renamed), `FUZZ_SEED=${seed} ${text}`).toBe(verdictOf(text));
  }
}, 60_000);
