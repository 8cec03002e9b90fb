import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { createMessageConnection } from "vscode-jsonrpc/node";

/** What an editor shows, from the YAML language server over its protocol. */
export interface YamlEditor {
  /** Opens a text. @returns the messages that mark something in it. */
  diagnose(text: string): Promise<string[]>;
  /** @returns the labels offered at a place of the text; counts from 0. */
  complete(text: string, line: number, character: number): Promise<string[]>;
  /** @returns what is shown over a place of the text. */
  hover(text: string, line: number, character: number): Promise<string>;
  close(): Promise<void>;
}

interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly { readonly message: string }[];
}

/** @param schema Path of the schema that every text is read with. */
export async function openYamlEditor(schema: string): Promise<YamlEditor> {
  const server = spawn(
    process.execPath,
    ["node_modules/yaml-language-server/bin/yaml-language-server", "--stdio"],
    { cwd: new URL("../..", import.meta.url), stdio: ["pipe", "pipe", "ignore"] },
  );
  const connection = createMessageConnection(server.stdout, server.stdin);
  const reported = new Map<string, (messages: string[]) => void>();
  const yaml = {
    validate: true,
    completion: true,
    hover: true,
    schemaStore: { enable: false },
    schemas: { [pathToFileURL(schema).href]: "*.yaml" },
  };
  const settings: Record<string, unknown> = { yaml };
  connection.onRequest("workspace/configuration", ({ items }: { items: { section: string }[] }) =>
    items.map(({ section }) => settings[section] ?? null),
  );
  connection.onRequest("client/registerCapability", () => null);
  connection.onNotification(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics }: Diagnostics) =>
      reported.get(uri)?.(diagnostics.map(({ message }) => message)),
  );
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: false } },
        hover: { contentFormat: ["markdown"] },
      },
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    },
  });
  connection.sendNotification("initialized", {});
  connection.sendNotification("workspace/didChangeConfiguration", { settings });

  let documents = 0;
  const open = (text: string) => {
    const uri = `file:///config-${++documents}.yaml`;
    const { promise: diagnosed, resolve } = Promise.withResolvers<string[]>();
    reported.set(uri, resolve);
    connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    return { uri, diagnosed };
  };

  /** Before its first diagnostics, the server may not have read the schema yet. */
  const opened = async (text: string) => {
    const { uri, diagnosed } = open(text);
    await diagnosed;
    return uri;
  };

  return {
    diagnose: (text) => open(text).diagnosed,
    complete: async (text, line, character) => {
      const uri = await opened(text);
      const answer: { items: { label: string }[] } = await connection.sendRequest(
        "textDocument/completion",
        { textDocument: { uri }, position: { line, character } },
      );
      return answer.items.map(({ label }) => label);
    },
    hover: async (text, line, character) => {
      const uri = await opened(text);
      return JSON.stringify(
        await connection.sendRequest("textDocument/hover", {
          textDocument: { uri },
          position: { line, character },
        }),
      );
    },
    close: async () => {
      await connection.sendRequest("shutdown");
      connection.dispose();
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await ended;
    },
  };
}
