/** Attackers beside the load of `npm run soak -- --hostile`. */
import type { AttackPlan } from "../../test/support/attack-plan.ts";
import { type Attack, startAttack } from "../../test/support/start-attack.ts";
import type { Row } from "../report.ts";
import { attackerTokens, type Stage } from "./stage.ts";

type Plan = Omit<AttackPlan, "port" | "host">;

/** Three of different kinds: one with a token and large calls, one without, and one that keeps connections busy. */
const attackers: Readonly<Record<string, Plan>> = {
  "calls of 63 KB on 100 connections": {
    kind: "empty_statements",
    connections: 100,
    rounds: 1_000,
    size: 21_000,
    token: attackerTokens[0],
  },
  "pipelined requests without a token on 100 connections": {
    kind: "gets",
    connections: 100,
    rounds: 20_000,
    size: 0,
    pipelined: true,
  },
  "bodies in chunks of one byte on 60 connections": {
    kind: "one_byte_chunks",
    connections: 60,
    rounds: 20,
    size: 65_536,
    pipelined: true,
    token: attackerTokens[1],
  },
};

/** Other machines would run the attackers: here they get the processor time that nothing else wants. */
const leastPriority = 19;

/** Attacks the replicas without the proxy, whose limits would keep most of it away. */
export class Attackers {
  readonly #running = new Set<Attack>();
  readonly #counts = new Map<string, Map<string, number>>();
  #isOver = false;

  constructor({ lives }: Stage) {
    for (const [name, plan] of Object.entries(attackers)) {
      for (const { address } of lives) {
        void this.#repeat(name, { ...plan, host: address, port: 8000 });
      }
    }
  }

  /** @returns what each has sent and was answered, by status. */
  async stop(): Promise<Row[]> {
    this.#isOver = true;
    // Each run that ends is counted where it was started.
    await Promise.all([...this.#running].map((attack) => attack.stop()));
    await new Promise((resolve) => setImmediate(resolve));
    return [...this.#counts].map(([attacker, counts]) => ({
      attacker,
      got: [...counts].map(([what, count]) => `${what}: ${count}`).join(", "),
    }));
  }

  /** One attack after the other, each until it has sent all or is stopped. */
  async #repeat(name: string, plan: AttackPlan): Promise<void> {
    const counts = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, counts);
    while (!this.#isOver) {
      const attack = startAttack(plan, leastPriority);
      this.#running.add(attack);
      await attack.over;
      for (const [what, count] of Object.entries(await attack.stop())) {
        counts.set(what, (counts.get(what) ?? 0) + count);
      }
      this.#running.delete(attack);
    }
  }
}
