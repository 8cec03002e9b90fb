import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";
import type { Runtime } from "../../src/runtime.ts";
import { call, readOnly } from "../../test/support/rpc.ts";
import { tokens } from "../../test/support/target.ts";
import { holds } from "../broken.ts";
import { Attacker, makeAttacker, requestOf } from "../make/floods.ts";
import type { Outputs } from "../outputs.ts";
import type { Target } from "../target.ts";
import { verifyAnswer, verifyAudit } from "../verify/answer.ts";
import { readAnswers } from "../verify/http.ts";
import { openWire, type WireOptions } from "../wire.ts";

const FloodCase = z.strictObject({ attackers: z.array(Attacker).max(4) });
type FloodCase = z.infer<typeof FloodCase>;

/** How long one case lasts at most. */
const floodMs = 1_500;
/** The honest caller is answered or refused within this time, also where the machine has much else to do. */
const patienceMs = 15_000;
/** Of this process, in which attackers and server live together. */
const mostMemoryMb = 900;
/** What the documentation says about requests that are not taken. */
const documented: readonly number[] = [200, 202, 400, 401, 404, 406, 408, 413, 503];

export function open(outputs: Outputs): Promise<Target<FloodCase>> {
  return openFloods(outputs);
}

/** Several attackers at once, and an honest caller beside them. */
export async function openFloods(
  _outputs: Outputs,
  options: WireOptions = {},
): Promise<Target<FloodCase>> {
  const wire = await openWire({ ...options, adjust: (runtime) => fewCalls(options, runtime) });
  const port = Number(new URL(wire.server.url).port);
  // Over all cases: a call may end after its client has left, and its case with it.
  let sent = 0;
  const answered = { success: 0, tool_error: 0 };
  const recorded = { success: 0, tool_error: 0, others: 0 };
  const takeAudit = () => {
    for (const { outcome } of verifyAudit(wire.takeAudit())) {
      recorded[outcome === "success" || outcome === "tool_error" ? outcome : "others"]++;
    }
  };
  return {
    schema: FloodCase,
    generate: (random) => ({
      attackers: random.list(1 + random.below(4), () => makeAttacker(random)),
    }),
    async run({ attackers }) {
      const until = performance.now() + floodMs;
      const floods = attackers.flatMap((attacker) =>
        Array.from({ length: attacker.connections }, () => attack(port, attacker, until)),
      );
      await askHonestly(wire.server);
      sent++;
      answered.success++;
      for (const { calls, bytes } of await Promise.all(floods)) {
        sent += calls;
        for (const answer of readAnswers(bytes)) {
          holds(documented.includes(answer.status), "an undocumented refusal", () =>
            JSON.stringify(answer).slice(0, 500),
          );
          const { toolResult } = verifyAnswer(answer);
          if (toolResult) answered[toolResult.isError ? "tool_error" : "success"]++;
        }
      }
      takeAudit();
      const shown = () => JSON.stringify({ answered, recorded, sent });
      for (const outcome of ["success", "tool_error"] as const) {
        holds(answered[outcome] <= recorded[outcome], "a missing audit record", shown);
      }
      const all = recorded.success + recorded.tool_error + recorded.others;
      holds(all <= sent, "one audit record too many", shown);
      const memoryMb = process.memoryUsage.rss() / 1e6;
      holds(memoryMb <= mostMemoryMb, "memory without a bound", () => `${memoryMb.toFixed(0)} MB`);
    },
    close: () => wire.close(),
  };
}

/** So few that a case reaches it. */
function fewCalls({ adjust }: WireOptions, runtime: Runtime): Runtime {
  const settings = { ...runtime.settings, max_calls_per_caller: 16 };
  return { ...(adjust?.(runtime) ?? runtime), settings };
}

async function askHonestly(server: { readonly url: string }): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  const began = performance.now();
  const late = () => `${(performance.now() - began).toFixed(0)} ms`;
  try {
    const health = await fetch(`${server.url}/health`, { signal });
    await health.arrayBuffer();
    holds(health.status === 200, "no health", () => String(health.status));
    const args = { policies: [readOnly] };
    const answer = await call(server, "validate_policies", args, { token: tokens.other, signal });
    holds(answer.status === 200, "an honest caller is not answered", () => answer.text);
  } catch (error) {
    holds(!signal.aborted, "an honest caller is not answered", late);
    throw error;
  }
}

/** @returns all bytes that came back, one character each, and how many calls were sent whole or in part. */
async function attack(
  port: number,
  attacker: Attacker,
  until: number,
): Promise<{ readonly bytes: string; readonly calls: number }> {
  const socket = connect(port, "127.0.0.1");
  let bytes = "";
  socket.on("error", () => undefined);
  if (attacker.reads) {
    socket.on("data", (part) => {
      bytes += part.toString("latin1");
    });
  }
  const request = requestOf(attacker, tokens.validate);
  const isCall = request.includes("tools/call");
  let begun = 0;
  for (let at = 0; at < attacker.requests && performance.now() < until; at++) {
    const isLast = at === attacker.requests - 1;
    const text = isLast && attacker.leaves ? request.slice(0, request.length / 2) : request;
    begun++;
    if (!(await written(socket, text, until))) break;
    if (attacker.leaves && isLast) {
      if (attacker.resets) socket.resetAndDestroy();
      else socket.destroy();
    } else if (!attacker.pipelined) await quiet(socket, until);
  }
  while (attacker.reads && !socket.destroyed && performance.now() < until) {
    const before = bytes.length;
    await after(50);
    if (bytes.length === before) break;
  }
  socket.destroy();
  return { bytes, calls: isCall ? begun : 0 };
}

async function written(socket: Socket, text: string, until: number): Promise<boolean> {
  if (socket.destroyed) return false;
  if (!socket.write(text, "latin1")) await quiet(socket, until, "drain");
  return !socket.destroyed;
}

/** Waits for an event of the socket, its end, or the time. */
async function quiet(socket: Socket, until: number, event = "data"): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), Math.max(0, until - performance.now()));
  const ends = [once(socket, event, { signal }), once(socket, "close", { signal })];
  await Promise.race(ends).catch(() => undefined);
  clearTimeout(timer);
  controller.abort();
  await Promise.allSettled(ends);
}
