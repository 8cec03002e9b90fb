/** Judges the managed policies over and over in a thread and counts them. */
import { parentPort } from "node:worker_threads";
import { managedPolicies } from "../../test/support/managed-policies.ts";
import { benchEngine, judge, judgeAll } from "../engine.ts";

const engine = benchEngine();
const policies = managedPolicies().map(({ document }) => document);
await judgeAll(policies, engine);
parentPort?.postMessage("ready");

parentPort?.once("message", async (seconds: number) => {
  const until = performance.now() + seconds * 1000;
  let judged = 0;
  while (performance.now() < until) {
    await judge(policies[judged % policies.length], engine);
    judged++;
  }
  parentPort?.postMessage(judged);
});
