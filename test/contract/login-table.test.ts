import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ContainerTarget } from "../support/container.ts";
import { shapes } from "../support/lambda-events.ts";
import { eventTransport, frontFunction } from "../support/login/events.ts";
import { type GithubNetwork, startGithubNetwork } from "../support/login/github-network.ts";
import { base, prefixed } from "../support/login/variables.ts";
import { Visitor } from "../support/login/visitor.ts";
import { type FrontUnderTest, type LoginWorld, loginWorld } from "../support/login/world.ts";
import type { FrontName } from "./login.table.ts";
import { check } from "./login-table/check.ts";
import { fronts, rows } from "./login-table/fronts.ts";
import { resetGithub, visitOf } from "./login-table/visit.ts";

let world: LoginWorld;
const started = new Map<FrontName, FrontUnderTest>();
beforeAll(async () => {
  world = await loginWorld();
});
afterEach(() => resetGithub(world.github));
afterAll(async () => {
  for (const front of started.values()) await front[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Where the rows are asked. The container's image is there only in the project `e2e`. */
const chosen = process.env.VALIDATOR_LOGIN_TARGETS?.split(",") ?? ["in process", ...shapes];
const targets = (["in process", ...shapes, "container"] as const).filter((each) =>
  chosen.includes(each),
);

describe.each(targets)("%s", (target) => {
  const functions = new Map<FrontName, Awaited<ReturnType<typeof frontFunction>>>();
  const containers = new Map<FrontName, ContainerTarget>();
  let network: GithubNetwork;
  const kind = target === "in process" || target === "container" ? target : "events";
  const rowsHere = rows.filter(
    ({ name, not }) =>
      !not?.includes(kind) &&
      // Without lists of values a load balancer passes on the last of several parameters of a name.
      (target !== "load balancer" || !/^(?:A-3|A-14|B-3|B-6): twice$|^A-25/.test(name)),
  );

  const visitorOf = async (name: FrontName): Promise<Visitor> => {
    const { auth, variables } = fronts[name];
    const options = { base: variables.BASE_URL ?? base, signIn: world.github.signIn };
    if (target === "container") {
      const { startContainer } = await import("../support/container.ts");
      const container =
        containers.get(name) ??
        (await startContainer({
          hostNetwork: true,
          flags: { auth },
          folders: network.folders,
          environment: { ...network.environment, ...prefixed(variables) },
        }));
      containers.set(name, container);
      return new Visitor({ ...options, url: container.url });
    }
    if (target === "in process") {
      const front = started.get(name) ?? (await world.githubFront(variables, { flags: { auth } }));
      started.set(name, front);
      return new Visitor({ ...options, url: front.target.url });
    }
    const handler = functions.get(name) ?? (await frontFunction(auth, variables));
    functions.set(name, handler);
    return new Visitor({ ...options, url: base, transport: eventTransport(handler, target) });
  };

  beforeAll(async () => {
    if (target === "container") network = await startGithubNetwork(world.github.handlers);
  });
  afterAll(async () => {
    for (const container of containers.values()) await container.stop();
    await network?.[Symbol.asyncDispose]();
  });

  test.each(rowsHere)("$name", async (row) => {
    const visitor = await visitorOf(row.front ?? "github");
    const reply = await row.ask(visitOf(visitor, world.github));
    check(reply, row.answer, target === "load balancer");
  });
});

test("the table has more than 200 rows, each its own", () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
