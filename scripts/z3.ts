/**
 * Compares the answers of `no_new_access` with those of the solver Z3 on random pairs: `npm run z3`.
 *
 * `--pairs N` (2,000) and `--seed TEXT` choose the pairs, `--write` writes bench/report/z3.md. The solver is not a
 * dependency, since it takes 35 MB: `npm install --no-save z3-solver@5.2.0` brings it. Ends with 1 when the two
 * disagree, with 2 without the solver.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../fuzz/random.ts";
import { readDocument } from "../src/access/document.ts";
import { askNewAccess } from "../src/access/questions.ts";
import { runQuestionSync } from "../src/access/run.ts";
import { embeddedServices } from "../src/services/embedded.ts";
import { casesOf, scriptOf } from "./z3/encode.ts";
import { documentOf, type Pair, pairOf } from "./z3/pairs.ts";
import { loadSolver, type Solver } from "./z3/solver.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "2000" },
    seed: { type: "string", default: "z3" },
    write: { type: "boolean", default: false },
  },
});
const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };

function ours({ policy, baseline }: Pair): string {
  const read = (side: Pair["policy"]) => readDocument(documentOf(side), "identity");
  return runQuestionSync(askNewAccess(read(policy), read(baseline), "identity", options)).verdict;
}

/** @returns `sat` or `unsat`; null where the solver gives up on the question and on one of its cases. */
async function theirs(solver: Solver, pair: Pair): Promise<string | null> {
  const whole = await solver.check(scriptOf(pair));
  if (whole === "sat" || whole === "unsat") return whole;
  let isSolved = true;
  for (const one of casesOf(pair)) {
    const said = await solver.check(one);
    if (said === "sat") return said;
    if (said !== "unsat") isSolved = false;
  }
  return isSolved ? "unsat" : null;
}

const solver = await loadSolver();
if (!solver) {
  process.stderr.write(
    "The comparison with Z3 is skipped: npm install --no-save z3-solver@5.2.0 brings the solver.\n",
  );
  process.exit(2);
}

const counts = { holds: 0, violated: 0, undecided: 0, unsolved: 0 };
const differences: string[] = [];
const names: Readonly<Record<string, string>> = { sat: "violated", unsat: "holds" };
for (let index = 0; index < Number(values.pairs); index++) {
  const pair = pairOf(new Random(values.seed, index));
  const wanted = names[(await theirs(solver, pair)) ?? ""];
  const verdict = ours(pair);
  if (wanted === undefined) counts.unsolved++;
  else if (verdict === "undecided") counts.undecided++;
  else if (verdict === wanted) counts[verdict === "holds" ? "holds" : "violated"]++;
  else {
    const sides = { policy: documentOf(pair.policy), baseline: documentOf(pair.baseline) };
    differences.push(`${index}: ${verdict}, Z3 says ${wanted}: ${JSON.stringify(sides)}`);
  }
}

const report = `# Answers about access, compared with Z3

Made by \`npm run z3 -- --write\` with z3-solver 5.2.0: random pairs of identity policies with wildcards in actions and
resources, NotAction, NotResource, Deny, String operators with and without IfExists and set operators, and Null. The
question is whether the policy allows a request that its baseline does not.

| | pairs |
| --- | ---: |
| asked (seed \`${values.seed}\`) | ${values.pairs} |
| both say \`holds\` | ${counts.holds} |
| both say \`violated\` | ${counts.violated} |
| different | ${differences.length} |
| undecided by us | ${counts.undecided} |
| not solved by Z3 in time | ${counts.unsolved} |
`;
process.stdout.write(`${differences.map((line) => `${line}\n`).join("")}${report}`);
if (values.write) writeFileSync(join(import.meta.dirname, "../bench/report/z3.md"), report);
// The solver's threads keep the process alive.
process.exit(differences.length > 0 ? 1 : 0);
