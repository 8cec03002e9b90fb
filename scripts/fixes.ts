/**
 * Tries every fix on labelled and published policies: `npm run fixes`.
 *
 * `--write` writes bench/report/fixes.md. `--every N` takes every Nth policy of a corpus. `--only TEXT` takes the
 * findings whose `check_id/issue_type` contains TEXT. `--shares` only counts. `--requests N` tries each promise with N
 * requests. Exits with 1 if a fix does not hold. The samples are read from the folder that VALIDATOR_VECTORS_DIR
 * names, if it is set.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Broken } from "../fuzz/broken.ts";
import { Random } from "../fuzz/random.ts";
import { editsText, keepsPromise } from "../fuzz/verify/fixes.ts";
import { corpora, type Subject } from "./fixes/corpora.ts";
import { engineFor, type Recorded } from "./fixes/engine.ts";
import { familyOf } from "./fixes/families.ts";
import { type Row, reportOf, rowOf } from "./fixes/report.ts";
import { tryFix, validated } from "./fixes/try.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    shares: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    corpus: { type: "string", default: "" },
    every: { type: "string", default: "1" },
    requests: { type: "string", default: "150" },
  },
});

const recorded: Recorded = { claims: new Map(), defects: [] };
const plain = engineFor({}, recorded);
const rows = new Map<string, Row>();
const byCorpus = new Map<string, Row>();
const faults: string[] = [];
const random = new Random("fixes");
let requests = 0;
let texts = 0;

async function trySubject(subject: Subject, corpus: string): Promise<void> {
  const { policy } = subject;
  const engine = subject.checks ? engineFor(subject.checks, recorded) : plain;
  const { findings, policy: read } = await validated(policy, subject, engine);
  for (const finding of findings) {
    const name = `${finding.check_id}/${finding.issue_type}`;
    if (!name.includes(values.only)) continue;
    const counted = [
      rowOf(rows, name),
      rowOf(byCorpus, `${corpus}, ${familyOf(finding.check_id)}`),
    ];
    const count = (column: keyof Row) => {
      for (const row of counted) row[column]++;
    };
    count("findings");
    const { fix } = finding;
    if (!fix) continue;
    count("fixes");
    if (fix.needs_input.length > 0) count("input");
    const claims = recorded.claims.get(fix.title);
    if (claims && !claims.has(fix.effect)) count("lowered");
    if (values.shares || typeof policy !== "object") continue;
    count("tried");
    const { after, faults: found } = await tryFix(subject, policy, findings, finding, fix, engine);
    try {
      if (after !== undefined) {
        requests += keepsPromise(fix, policy, after, read.type, random, Number(values.requests));
      }
      if (found.length === 0) count("good");
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      faults.push(`${subject.id} ${name} ${finding.path}: ${error.kind} ${error.message}`);
    }
    for (const fault of found) faults.push(`${subject.id} ${name} ${finding.path}: ${fault}`);
  }
  const isEdited = findings.some(({ fix }) => fix !== null);
  if (values.shares || values.only !== "" || !isEdited) return;
  if (typeof policy !== "object" || policy === null || subject.baseline !== undefined) return;
  try {
    const input = { name: null, declaredType: subject.policyType, label: "policy" };
    await editsText(policy, input, engine);
    texts++;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    faults.push(`${subject.id}: ${error.kind}`);
  }
}

const step = Number(values.every);
for (const [corpus, subjects] of corpora(process.env.VALIDATOR_VECTORS_DIR)) {
  if (!corpus.includes(values.corpus)) continue;
  for (const subject of subjects.filter((_, index) => index % step === 0))
    await trySubject(subject, corpus);
}
const { defects } = recorded;
const report = reportOf({ rows, byCorpus, faults, defects, requests, texts, step });
console.log(report);
for (const fault of [...faults, ...defects]) console.log(fault.slice(0, 400));
if (values.write) writeFileSync(join(import.meta.dirname, "../bench/report/fixes.md"), report);
if (faults.length + defects.length > 0) process.exitCode = 1;
