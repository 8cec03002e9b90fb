import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { z } from "zod";
import { type Finding, type LeanFinding, leanFinding } from "../../spec/finding.ts";
import { PolicyType, policyTypeWords } from "../../spec/policy.ts";
import { Detail, ReportFormat } from "../../spec/tools/validate-policies.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import type { Check } from "../../src/engine/check.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { validatePolicy, validatePolicyLean } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import type { PolicyDocument } from "../../src/policy/model.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { rpcRequest } from "../../test/support/rpc.ts";
import { tokens } from "../../test/support/target.ts";
import { Broken, holds } from "../broken.ts";
import { eccentricConfig } from "../make/config.ts";
import { readCorpus } from "../make/corpus.ts";
import { oddText } from "../make/odd.ts";
import { Policies } from "../make/policies.ts";
import { brokenText, quirkyJson, yamlText } from "../make/texts.ts";
import type { Outputs } from "../outputs.ts";
import type { Random } from "../random.ts";
import type { Target } from "../target.ts";
import { verifyFindings } from "../verify/findings.ts";
import { openWire, type Wire } from "../wire.ts";

const DocumentCase = z.strictObject({
  /** `object`: the text is JSON, and the value it means is submitted. */
  form: z.enum(["object", "text"]),
  text: z.string(),
  type: PolicyType.nullable(),
  config: z.enum(["plain", "eccentric"]),
  /** What is done beside validating the document once. */
  also: z.discriminatedUnion("what", [
    z.strictObject({ what: z.literal("nothing") }),
    /** Full and lean findings, twice. */
    z.strictObject({ what: z.literal("again") }),
    /** The value of the document as object, as JSON text and as YAML text. */
    z.strictObject({ what: z.literal("forms") }),
    /** Other documents before and after it. */
    z.strictObject({ what: z.literal("neighbours"), others: z.array(z.string()) }),
    /** A whole call of `validate_policies`. */
    z.strictObject({
      what: z.literal("tool"),
      others: z.array(z.string()),
      name: z.string().nullable(),
      policy_type: z.string().nullable(),
      detail: Detail,
      format: ReportFormat,
      era: z.enum(["2025", "2026"]),
    }),
  ]),
});
type DocumentCase = z.infer<typeof DocumentCase>;
type Also = DocumentCase["also"];

export interface DocumentsOptions {
  readonly checks?: readonly Check[];
}

export function open(outputs: Outputs): Promise<Target<DocumentCase>> {
  return openDocuments(outputs);
}

export async function openDocuments(
  _outputs: Outputs,
  { checks = builtinChecks }: DocumentsOptions = {},
): Promise<Target<DocumentCase>> {
  const services = embeddedServices();
  const engineOf = (value: unknown): Engine => {
    const targets = checks.map((check) => ({ check, source: "builtin" as const }));
    const { config, registry } = resolveConfig({ value, lineOf: () => null }, "fuzz", targets);
    return createEngine(config, registry, services, (check, error) => {
      const detail = error instanceof Error ? error.stack : String(error);
      throw new Broken("a check threw", `${check}: ${detail}`);
    });
  };
  const engines = { plain: engineOf({}), eccentric: engineOf(eccentricConfig) };
  const byId = new Map(checks.map((check) => [check.check_id, check]));
  const documents = new Documents();
  let wire: Promise<Wire> | undefined;

  return {
    schema: DocumentCase,
    generate: (random) => documents.make(random),
    async run(input) {
      const engine = engines[input.config];
      const submitted = input.form === "object" ? readObject(input.text) : input.text;
      const { document, findings } = await verifyLean(submitted, input, engine);
      verifyFindings({ document, findings, schema: "lean-finding", checks: byId });
      const { also } = input;
      switch (also.what) {
        case "nothing":
          return;
        case "again":
          return verifyAgain(submitted, input, engine, findings, byId);
        case "forms":
          return verifyForms(document.raw, input, engine);
        case "neighbours":
          return verifyNeighbours(submitted, input, engine, findings, also.others);
        case "tool":
          wire ??= openWire({});
          return callTool(await wire, submitted, also);
      }
    },
    async close() {
      await (await wire)?.close();
    },
  };
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A case that was made smaller; texts are the other form's business.
    return null;
  }
}

interface Lean {
  readonly document: PolicyDocument;
  readonly findings: readonly LeanFinding[];
}

async function verifyLean(
  submitted: unknown,
  { type }: Pick<DocumentCase, "type">,
  engine: Engine,
): Promise<Lean> {
  const document = await parseDocument(submitted);
  const input = { document, name: null, declaredType: type, label: "policy-0" };
  const { findings, is_valid, severity_counts } = await validatePolicyLean(input, engine);
  const counted = Object.values(severity_counts).reduce((sum, count) => sum + count, 0);
  holds(counted === findings.length, "counts that do not add up");
  const fails = findings.some(({ severity }) =>
    engine.settings.fail_on_severity.includes(severity),
  );
  holds(is_valid === !fails, "a verdict that its findings contradict");
  return { document, findings };
}

async function verifyAgain(
  submitted: unknown,
  { type }: DocumentCase,
  engine: Engine,
  before: readonly LeanFinding[],
  checks: ReadonlyMap<string, Check>,
): Promise<void> {
  const document = await parseDocument(submitted);
  const input = { document, name: null, declaredType: type, label: "policy-0" };
  const { findings } = await validatePolicy(input, engine);
  verifyFindings({ document, findings, schema: "finding", checks });
  same(findings.map(leanFinding), before, "full and lean findings differ");
  const second = await validatePolicy(input, engine);
  same(second.findings, findings, "a second judgement differs");
}

/** The same value must have the same findings in whatever form it comes. */
async function verifyForms(raw: unknown, input: DocumentCase, engine: Engine): Promise<void> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return;
  // JSON.stringify writes -0 as 0 and what is past the largest number as null.
  const value: unknown = JSON.parse(JSON.stringify(raw));
  const forms = [value, JSON.stringify(value), JSON.stringify(value, null, 2)];
  const { stringify } = await import("yaml");
  const yaml = stringify(value);
  // What the library itself reads back otherwise (numbers, lone surrogates) is not a case.
  if (isDeepStrictEqual(readBack(yaml), value)) forms.push(yaml);
  const all: (readonly Finding[])[] = [];
  for (const form of forms) {
    const document = await parseDocument(form);
    const given = { document, name: null, declaredType: input.type, label: "policy-0" };
    all.push((await validatePolicy(given, engine)).findings.map(withoutPlace).filter(isOfContent));
  }
  const [first = [], ...others] = all;
  for (const other of others) same(other, first, "another form has other findings");
}

function readBack(yaml: string): unknown {
  try {
    return parse(yaml, { version: "1.2", merge: true, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

/** The size of an SCP is that of its text, white space and all. */
function isOfContent({ check_id }: LeanFinding): boolean {
  return check_id !== "policy_size";
}

function withoutPlace<Shown extends LeanFinding>(finding: Shown): Shown {
  const related = "related" in finding && Array.isArray(finding.related) ? finding.related : [];
  return {
    ...finding,
    // Texts have lines, objects have statement numbers.
    message: finding.message.replace(
      /\((?:line|statement) \d+(?:, (?:line|statement) \d+)*\)/g,
      "(place)",
    ),
    location: null,
    related: related.map((one) => ({ ...one, location: null })),
  };
}

/** What stands around a document in a call must not change its verdict. */
async function verifyNeighbours(
  submitted: unknown,
  input: DocumentCase,
  engine: Engine,
  alone: readonly LeanFinding[],
  others: readonly string[],
): Promise<void> {
  for (const order of [others, others.toReversed()]) {
    const all = [...order, submitted].map((each) => verifyLean(each, input, engine));
    const findings = (await Promise.all(all)).at(-1)?.findings ?? [];
    same(findings, alone, "neighbours change the verdict");
  }
}

function same(given: unknown, expected: unknown, kind: string): void {
  if (isDeepStrictEqual(given, expected)) return;
  const [a, b] = [JSON.stringify(given), JSON.stringify(expected)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const part = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
  throw new Broken(kind, `${part(a)}\n  not\n${part(b)}`);
}

async function callTool(
  wire: Wire,
  submitted: unknown,
  { others, name, policy_type, detail, format, era }: Extract<Also, { what: "tool" }>,
): Promise<void> {
  const entry = name === null ? submitted : { policy: submitted, name };
  const args = { policies: [entry, ...others], detail, format, policy_type };
  const params = { name: "validate_policies", arguments: args };
  const { headers, body } = rpcRequest("tools/call", params, { era, token: tokens.all });
  await wire.exchange({ method: "POST", path: "/mcp", headers: Object.entries(headers), body });
}

/** Makes cases. */
class Documents {
  readonly #policies = new Policies(readCorpus());

  make(random: Random): DocumentCase {
    const value = random.chance(0.03) ? this.#policies.real(random) : this.#policies.any(random);
    return {
      ...this.#form(value, random),
      type: random.chance(0.5) ? null : random.pick(PolicyType.options),
      config: random.chance(0.7) ? "plain" : "eccentric",
      also: this.#also(random),
    };
  }

  #form(value: unknown, random: Random): Pick<DocumentCase, "form" | "text"> {
    return random.weighted<Pick<DocumentCase, "form" | "text">>([
      [45, () => ({ form: "object", text: JSON.stringify(value) })],
      [15, () => ({ form: "text", text: JSON.stringify(value) })],
      [20, () => ({ form: "text", text: quirkyJson(value, random) })],
      [3, () => ({ form: "text", text: yamlText(value, random) })],
      [7, () => ({ form: "text", text: brokenText(value, random) })],
    ]);
  }

  #also(random: Random): Also {
    return random.weighted<Also>([
      [900, () => ({ what: "nothing" })],
      [50, () => ({ what: "again" })],
      [20, () => ({ what: "forms" })],
      [15, () => ({ what: "neighbours", others: this.#others(random, 3) })],
      [
        10,
        () => ({
          what: "tool",
          others: random.chance(0.3) ? this.#others(random, 6) : [],
          name: random.chance(0.5) ? null : oddText(random),
          policy_type: random.chance(0.6)
            ? null
            : random.pick([...policyTypeWords, oddText(random)]),
          detail: random.pick(Detail.options),
          format: random.pick(ReportFormat.options),
          era: random.pick(["2025", "2026"]),
        }),
      ],
    ]);
  }

  #others(random: Random, atMost: number): string[] {
    return random.list(1 + random.small(atMost), () => {
      const value = this.#policies.any(random);
      return random.chance(0.8) ? JSON.stringify(value) : brokenText(value, random);
    });
  }
}
