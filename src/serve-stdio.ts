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

/** A message may be as large as the body of an HTTP request. */
const messageFactor = 4;

/** Options of local mode that are not settings. */
export interface LocalOptions {
  /** Directory below which policies may be read. Default: the working directory. */
  readonly root?: string | undefined;
  /** Load the custom checks named in the config file. */
  readonly allowConfigCustomChecks?: boolean;
}

/** The only user: the one who started this process. */
const user: Caller = { subject: "local", clientId: "local", scopes: [], may: () => true };

/**
 * Serves one client over standard input and output, in every protocol revision, until the client
 * closes its input. There is no authentication and no audit. Standard output carries only the protocol.
 * @throws {StartupError} Says what the user must fix.
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
            `A message has more than ${maxMessageBytes} bytes (${messageFactor} times max_request_bytes); the session ends, because the start of the next message is unknown.`,
          );
          return;
        }
        // The error's message is left out, because it can quote what the client sent.
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
    log.info("Waiting for an MCP client. To validate files, run: validator-mcp validate");
  }
  await gone.promise;
  await handle.close();
  process.exit(exitCode);
}

/** The SDK closes the transport after this error, which only its message identifies. */
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
  log.info({ config: place.configPath }, place.message);
  if (started.checksAreMissing) log.warn({ config: place.configPath }, untrusted);
  const root = local.root === undefined && isFileSystemRoot(place.root) ? null : place.root;
  return createSession(started, { ...place, root });
}

function asOperators({ instructions, runtime }: Session) {
  const { text, source } = instructions;
  return source === "session" ? { text, source: "config" as const } : runtime.customInstructions;
}

/** Rejects settings of the hosted server, so that no one starts local mode by mistake. */
function refuseHostedSettings({ settings }: StartOptions): void {
  const refuse = (what: string) => {
    throw new StartupError(
      "invalid_setting",
      `${what}: local mode serves one user over standard input and output; for a server on the network add --mode hosted.`,
    );
  };
  if (settings.transport === "http") refuse("--transport http / VALIDATOR_MCP_TRANSPORT");
  if (settings.auth !== "none") refuse("--auth / VALIDATOR_MCP_AUTH");
}
