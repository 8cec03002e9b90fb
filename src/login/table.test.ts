import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { FrontName } from "../../test/contract/login.table.ts";
import { check } from "../../test/contract/login-table/check.ts";
import { fronts, rows } from "../../test/contract/login-table/fronts.ts";
import { resetGithub, visitOf } from "../../test/contract/login-table/visit.ts";
import { githubStandIn } from "../../test/support/login/github.ts";
import { githubFetch, loginInMemory, memoryTransport } from "../../test/support/login/in-memory.ts";
import { base } from "../../test/support/login/variables.ts";
import { type Transport, Visitor } from "../../test/support/login/visitor.ts";

// The table of the contract on the login alone: test/contract/login-table.test.ts asks whole servers.
const github = githubStandIn();
const here = rows.filter(({ front }) => front !== "off");

describe("the table of the contract, asked of the login alone", () => {
  beforeAll(() => vi.stubGlobal("fetch", githubFetch(github)));
  afterEach(() => resetGithub(github));
  afterAll(() => vi.unstubAllGlobals());

  // Started anew for each row: mutation tests see what a test runs, and not what an earlier one has built.
  async function start(name: FrontName): Promise<Transport> {
    const { auth, variables } = fronts[name];
    const login = await loginInMemory({ auth, variables });
    return memoryTransport(login, variables.BASE_URL ?? base);
  }

  test("most rows can be asked of the login alone", () => {
    expect(here.length).toBeGreaterThan(400);
  });

  test.each(here)("$name", async ({ front: name = "github", ask, answer }) => {
    const { variables } = fronts[name];
    const visitor = new Visitor({
      url: base,
      base: variables.BASE_URL ?? base,
      signIn: github.signIn,
      transport: await start(name),
    });
    check(await ask(visitOf(visitor, github)), answer);
  });
});
