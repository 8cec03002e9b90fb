import { expect } from "vitest";
import type { GithubStandIn } from "./github.ts";
import { loginInMemory, memoryTransport } from "./in-memory.ts";
import { base, githubVariables } from "./variables.ts";
import { Visitor } from "./visitor.ts";

/** What the log says of a refusal. */
interface Line {
  readonly reason?: string | undefined;
  readonly client?: string | undefined;
  readonly redirect?: string | undefined;
  readonly provider_error?: string | undefined;
  readonly level: string;
}

/** The whole line for a reason, with what else is known. */
export function line(reason: string, more: Partial<Line> = {}): Line {
  const nothing = { client: undefined, redirect: undefined, provider_error: undefined };
  return { reason, ...nothing, level: "warn", ...more };
}

/** A registered visitor of a login without a server, whose log is read. No client's document can be used. */
export async function watchedLogin(github: GithubStandIn): Promise<{
  readonly visitor: Visitor;
  /** The one line of the log. */
  logged(): Line;
}> {
  const lines: Line[] = [];
  github.state.failure = undefined;
  github.state.user = { id: 583231, login: "octocat" };
  const write = (level: string) => (fields: object) => void lines.push({ ...fields, level });
  const login = await loginInMemory({
    auth: "github",
    variables: { ...githubVariables, OAUTH_METADATA_HOSTS: "client.example" },
    log: { info: () => undefined, warn: write("warn"), error: write("error") },
    fetchDocument: async () => {
      throw new Error("too long");
    },
  });
  const transport = memoryTransport(login, base);
  const visitor = new Visitor({ url: base, base, signIn: github.signIn, transport });
  await visitor.register();
  return {
    visitor,
    logged() {
      expect(lines).toHaveLength(1);
      const [{ reason, client, redirect, provider_error, level } = line("")] = lines;
      return { reason, client, redirect, provider_error, level };
    },
  };
}
