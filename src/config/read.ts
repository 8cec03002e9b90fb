import { constants, open } from "node:fs/promises";
import { StartupError } from "../errors.ts";

/** A config file's content, with the lines of its keys for error messages. */
export interface ConfigText {
  readonly value: unknown;
  /** @returns The line, from 1, of the deepest node on the path that exists in the file. */
  lineOf(path: readonly PropertyKey[]): number | null;
}

/** The config of a repository under validation is read, too: the time that YAML takes is bounded by its size. */
const maxBytes = 256 * 1024;
/** Characters that separate values. Each value takes the parser microseconds, and a file of 256 KiB can hold 130,000. */
const maxSeparators = 20_000;

/**
 * Rejects a URL given instead of a path, before anything tries to open it.
 * @throws {StartupError} `config_is_url`.
 */
export function requirePath(path: string): void {
  if (path.includes("://") || /^\s*[a-z][a-z0-9+.-]+:\//i.test(path)) {
    // The message leaves out the URL: it may contain a password or a signature.
    throw new StartupError(
      "config_is_url",
      `--config takes the path of a file, not a URL (${path.trim().split(":", 1)[0]}:…).`,
    );
  }
}

/** Opening a FIFO for reading waits for a writer, unless it is opened without blocking. */
const readNow = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a file within the bound. A device or a FIFO has no end and no size, so it is refused. */
async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await open(path, readNow);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new Error("it is a directory");
    if (!found.isFile()) throw new Error("it is not a regular file");
    if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await handle.read(buffer, 0, found.size + 1, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a config file.
 * @throws {StartupError} If it is missing, cannot be read or is not one YAML document.
 */
export async function readConfigFile(path: string): Promise<ConfigText> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readRegularFile(path));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") {
      throw new StartupError(
        "config_missing",
        `config file ${path} does not exist (--config / VALIDATOR_MCP_CONFIG).`,
      );
    }
    const reason =
      code === "EISDIR"
        ? "it is a directory"
        : code === "EACCES"
          ? "permission denied"
          : error instanceof TypeError
            ? "it is not UTF-8 text"
            : error instanceof Error
              ? error.message
              : "unknown reason";
    throw new StartupError("config_unreadable", `config file ${path} cannot be read: ${reason}.`);
  }
  return parseConfigText(text, path);
}

/**
 * @param ancestors The values that contain this one.
 * @returns Whether the value contains itself, as YAML aliases allow.
 */
function isCyclic(value: unknown, ancestors: Set<unknown> = new Set()): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (ancestors.has(value)) return true;
  ancestors.add(value);
  const found = Object.values(value).some((member) => isCyclic(member, ancestors));
  ancestors.delete(value);
  return found;
}

/**
 * @param text YAML (JSON is YAML too); empty text is an empty mapping.
 * @param path For messages.
 * @throws {StartupError} when it is not one YAML document.
 */
export async function parseConfigText(text: string, path: string): Promise<ConfigText> {
  const { isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit } = await import("yaml");
  const separators = text.match(/[[{,\n?]/g)?.length ?? 0;
  if (separators > maxSeparators) {
    throw new StartupError(
      "config_unreadable",
      `config file ${path} has too many values: over ${maxSeparators} lines, commas and brackets.`,
    );
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The library compares each key with each other: 30,000 keys take it a minute. Checked below.
    uniqueKeys: false,
  });
  if (!Array.isArray(documents) || documents.length === 0) {
    return { value: {}, lineOf: () => null };
  }
  const [document, second] = documents;
  const [fault] = document?.errors ?? [];
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    const reason = fault.message.split("\n")[0];
    throw new StartupError(
      "config_unreadable",
      `config file ${path} is not valid YAML: line ${line}, column ${col}: ${reason}`,
    );
  }
  if (second) {
    throw new StartupError(
      "config_unreadable",
      `config file ${path} holds more than one YAML document; one is expected.`,
    );
  }
  if (document) {
    visit(document, {
      Map(_, map) {
        const keys = new Set<unknown>();
        for (const { key } of map.items) {
          if (!isScalar(key) || key.value === "<<") continue;
          if (keys.has(key.value)) {
            const { line, col } = lines.linePos(key.range?.[0] ?? 0);
            throw new StartupError(
              "config_unreadable",
              `config file ${path} is not valid YAML: line ${line}, column ${col}: Map keys must be unique`,
            );
          }
          keys.add(key.value);
        }
      },
    });
  }
  let value: unknown;
  try {
    value = document?.toJS({ maxAliasCount: 100 });
    if (isCyclic(value)) throw new Error("an alias refers to a value that contains it");
  } catch (error) {
    throw new StartupError(
      "config_unreadable",
      `config file ${path} cannot be read: ${error instanceof Error ? error.message : "bad alias"}.`,
    );
  }
  return {
    value: value ?? {},
    lineOf(keys) {
      for (let depth = keys.length; depth > 0; depth--) {
        const key = keys[depth - 1];
        const parent =
          depth === 1 ? document?.contents : document?.getIn(keys.slice(0, depth - 1), true);
        const pair = isMap(parent)
          ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
          : undefined;
        const node = pair ? pair.key : document?.getIn(keys.slice(0, depth), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return null;
    },
  };
}
