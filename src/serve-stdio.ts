import { preloadSchemas } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "./auth/caller.ts";
import { StartupError } from "./errors.ts";
import { findConfig, isFileSystemRoot, untrusted } from "./local/config-place.ts";
import { createSession, type Session } from "./local/session.ts";
import { takeStandardOutput } from "./local/wire.ts";
import { createCatalogue } from "./mcp/catalogue.ts";
import { components } from "./mcp/components.ts";
import { instructionsFor } from "./mcp/instructions.ts";
import { createServerFactory, RequestScope, type ServerHost } from "./mcp/server-for.ts";
import { silentObserver } from "./metrics/observer.ts";
import { type StartOptions, startUp } from "./startup.ts";
import { localTools } from "./tools/local/index.ts";

/** One message may be as large as one HTTP request may. */
const messageFactor = 4;

/** What local mode is told beside the settings. */
export interface LocalOptions {
  /** Directory to read policies below; default: the working directory. */
  readonly root?: string | undefined;
  /** Load the checks that the config file names. */
  readonly allowConfigCustomChecks?: boolean;
}

/** The one user there is: whoever has started this process. */
const user: Caller = { subject: "local", clientId: "local", scopes: [], may: () => true };

/**
 * Serves one client over standard input and output until it closes its end, in every revision. No
 * authentication, no audit; standard output carries the protocol and nothing else.
 * @throws {StartupError} naming what the user must mend.
 */
export async function serveLocal(options: StartOptions, local: LocalOptions): Promise<void> {
  refuseHostedSettings(options);
  const wire = takeStandardOutput();
  const session = await openSession(options, local);
  const { runtime } = session;
  const { settings, log } = runtime;
  const tools = localTools(session);
  const catalogue = createCatalogue(tools, components, settings.profile);
  const host: ServerHost = {
    get runtime() {
      return session.runtime;
    },
    instructions: (view) =>
      instructionsFor({
        settings,
        customInstructions: asOperators(session),
        engine: session.runtime.engine,
      })(view),
    audit: () => undefined,
    observer: silentObserver,
    maxResultBytes: settings.max_response_bytes,
    listsArePublic: false,
    configMayChange: true,
  };
  const view = catalogue.viewFor(user);
  preloadSchemas();
  const gone = Promise.withResolvers<void>();
  const maxMessageBytes = messageFactor * settings.max_request_bytes;
  const transport = new StdioServerTransport(process.stdin, wire, {
    maxBufferSize: maxMessageBytes,
  });
  let exitCode = 0;
  const handle = serveStdio(
    () => createServerFactory(host)(new RequestScope({ caller: user, view, trace: {} })),
    {
      transport,
      onerror: (error) => {
        if (isTooLong(error)) {
          exitCode = 1;
          log.error(
            `A message has more than ${maxMessageBytes} bytes (${messageFactor} times max_request_bytes); the session ends, since where the next one begins cannot be told.`,
          );
          return;
        }
        // Its message may quote what the client has sent.
        log.warn({ error: error.name }, "A message could not be read or sent.");
      },
    },
  );
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    gone.resolve();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => gone.resolve());
  log.info({ root: session.root }, "Serving over standard input and output.");
  if (process.stdin.isTTY) {
    log.info("A client is expected to speak here. To judge files, run: validator-mcp validate");
  }
  await gone.promise;
  await handle.close();
  process.exit(exitCode);
}

/** The SDK closes the transport then, and has no other sign of it than these words. */
function isTooLong({ message }: Error): boolean {
  return message.startsWith("ReadBuffer exceeded maximum size");
}

async function openSession(options: StartOptions, local: LocalOptions): Promise<Session> {
  const { settings } = options;
  const place = await findConfig(settings.config_source, local.root);
  const started = await startUp({
    ...options,
    settings: { ...settings, config_source: place.configPath ?? undefined },
    trustConfig: local.allowConfigCustomChecks ?? false,
    lazyData: true,
  });
  const { log } = started.runtime;
  log.info({ config: place.configPath }, place.said);
  if (started.checksAreMissing) log.warn({ config: place.configPath }, untrusted);
  const root = local.root === undefined && isFileSystemRoot(place.root) ? null : place.root;
  return createSession(started, { root, configPath: place.configPath });
}

function asOperators({ instructions, runtime }: Session) {
  const { text, source } = instructions;
  return source === "session" ? { text, source: "config" as const } : runtime.customInstructions;
}

/** Settings that only a hosted server has: whoever gives one does not mean this mode. */
function refuseHostedSettings({ settings }: StartOptions): void {
  const refuse = (what: string) => {
    throw new StartupError(
      "invalid_setting",
      `${what}: local mode speaks over standard input and output to whoever starts it; for a server on the network add --mode hosted.`,
    );
  };
  if (settings.transport === "http") refuse("--transport http / VALIDATOR_MCP_TRANSPORT");
  if (settings.auth !== "none") refuse("--auth / VALIDATOR_MCP_AUTH");
}
