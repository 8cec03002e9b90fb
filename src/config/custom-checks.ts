import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CustomCheck } from "../../spec/config.ts";
import type { Check } from "../engine/check.ts";
import type { CheckSource } from "../engine/registry.ts";
import { StartupError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { problemsOf } from "../schema-problems.ts";
import { provideCheckApi } from "./check-api.ts";
import { checkFrom } from "./custom-check.ts";
import type { ConfigurableCheck } from "./sections.ts";

const extensions: ReadonlySet<string> = new Set([".js", ".mjs", ".ts"]);

/** Exports of a module that have a `check_id`. */
function checksOf(module: unknown): Check[] {
  const exported = isRecord(module) ? Object.values(module) : [];
  const candidates = new Set(
    exported
      .flat()
      .filter(isRecord)
      .filter((one) => "check_id" in one),
  );
  if (candidates.size === 0) throw new Error("it exports no check (see defineCheck)");
  return [...candidates].map(checkFrom);
}

/** The first line of an error, without the name of this file, which Node adds when the module is missing. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown reason";
  const [line = message] = message.split("\n");
  return line.replace(` imported from ${import.meta.filename}`, "");
}

/** Loads modules and collects all failures, so that the operator sees every one of them. */
class Loader {
  readonly failures: string[] = [];

  async load(specifier: string, shown: string): Promise<Check[]> {
    try {
      provideCheckApi();
      return checksOf(await import(specifier));
    } catch (error) {
      this.failures.push(`${shown}: ${reasonOf(error)}`);
      return [];
    }
  }

  done(): void {
    if (this.failures.length === 0) return;
    throw new StartupError(
      "custom_check",
      `custom checks do not load: ${this.failures.join("; ")}.`,
    );
  }
}

/** Resolves a path (`./x.mjs`, `/x.mjs`, `checks/x.mjs`) relative to the config; other names are packages. */
function specifierOf(module: string, base: string): string {
  const isPath = module.startsWith(".") || isAbsolute(module) || extensions.has(extname(module));
  if (isPath) return pathToFileURL(resolve(base, module)).href;
  return pathToFileURL(createRequire(join(base, "package.json")).resolve(module)).href;
}

async function namedInConfig(file: JsonObject, base: string, loader: Loader) {
  const entries: ConfigurableCheck[] = [];
  const declared = file.custom_checks;
  if (!Array.isArray(declared)) return entries;
  for (const [index, value] of declared.entries()) {
    const parsed = CustomCheck.safeParse(value);
    if (!parsed.success) {
      const [problem] = problemsOf(parsed.error.issues);
      const at = [`custom_checks[${index}]`, ...(problem?.path ?? [])].map(String).join(".");
      const hint = isRecord(value) ? "" : ", such as {module: ./checks/one.mjs}";
      loader.failures.push(`${at}: ${problem?.message ?? "is not valid"}${hint}`);
      continue;
    }
    const { module, enabled, severity, description, config } = parsed.data;
    if (!enabled) continue;
    let specifier: string;
    try {
      specifier = specifierOf(module, base);
    } catch (error) {
      loader.failures.push(`${module}: ${reasonOf(error)}`);
      continue;
    }
    for (const check of await loader.load(specifier, module)) {
      entries.push({
        check,
        source: "config_module",
        base: { ...config, severity, description },
        basePath: ["custom_checks", index, "config"],
      });
    }
  }
  return entries;
}

async function discovered(directory: string, loader: Loader): Promise<ConfigurableCheck[]> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch {
    loader.failures.push(`directory ${directory} cannot be read`);
    return [];
  }
  const files = names
    .filter(
      (name) => extensions.has(extname(name)) && !/^[_.]/.test(name) && !name.endsWith(".d.ts"),
    )
    .sort();
  return tagged(
    files.map((name) => ({ specifier: pathToFileURL(join(directory, name)).href, shown: name })),
    "discovered",
    loader,
  );
}

async function tagged(
  modules: readonly { specifier: string; shown: string }[],
  source: CheckSource,
  loader: Loader,
): Promise<ConfigurableCheck[]> {
  const found: ConfigurableCheck[] = [];
  for (const { specifier, shown } of modules) {
    for (const check of await loader.load(specifier, shown)) found.push({ check, source });
  }
  return found;
}

async function manifestChecks(folder: string): Promise<{ specifier: string; shown: string }[]> {
  let text: string;
  try {
    text = await readFile(join(folder, "package.json"), "utf8");
  } catch {
    return [];
  }
  // Skip manifests without a `validatorMcp` key: parsing all of them slows start-up.
  if (!text.includes('"validatorMcp"')) return [];
  const manifest: unknown = JSON.parse(text);
  const declared =
    isRecord(manifest) && isRecord(manifest.validatorMcp) ? manifest.validatorMcp : {};
  const paths = typeof declared.checks === "string" ? [declared.checks] : declared.checks;
  if (!Array.isArray(paths)) return [];
  return paths
    .filter((path): path is string => typeof path === "string")
    .map((path) => ({
      specifier: pathToFileURL(resolve(folder, path)).href,
      shown: `${folder}: ${path}`,
    }));
}

/**
 * Packages installed beside this one whose manifest has `validatorMcp.checks` (a path or a list).
 * @param roots `node_modules` folders to search.
 */
async function installed(roots: readonly string[], loader: Loader): Promise<ConfigurableCheck[]> {
  const folders: string[] = [];
  for (const root of roots) {
    const names = await readdir(root).catch(() => []);
    for (const name of names.sort()) {
      if (name.startsWith(".")) continue;
      if (!name.startsWith("@")) folders.push(join(root, name));
      else {
        const scoped = await readdir(join(root, name)).catch(() => []);
        folders.push(...scoped.sort().map((inner) => join(root, name, inner)));
      }
    }
  }
  const manifests = await Promise.all(folders.map(manifestChecks));
  return tagged(manifests.flat(), "entry_point", loader);
}

/** The `node_modules` folder that this package is installed in; in a checkout, the one it contains. */
function installedRoots(): string[] {
  const root = packageRoot();
  const parts = root.split("/node_modules/");
  return parts.length > 1
    ? [`${parts.slice(0, -1).join("/node_modules/")}/node_modules`]
    : [join(root, "node_modules")];
}

export interface CustomCheckSources {
  /** The config as read, before its schema is applied. */
  readonly value: unknown;
  /** Paths of modules are relative to its folder. */
  readonly configPath: string | undefined;
  /** The `custom_checks_dir` setting; it overrides the config's. */
  readonly directory: string | undefined;
  /** False: modules and the directory named in the config are not loaded. Default: true. */
  readonly trustConfig?: boolean;
  /** For tests. Default: the folders that this package is installed in. */
  readonly installedRoots?: readonly string[];
}

/**
 * Loads custom checks from packages installed beside this one, modules named in the config, and a directory.
 * @returns The checks in load order: installed packages, config modules, files of the directory.
 * @throws {StartupError} Names every module that fails, and why.
 */
export async function loadCustomChecks(sources: CustomCheckSources): Promise<ConfigurableCheck[]> {
  const file = isRecord(sources.value) ? sources.value : {};
  const base =
    sources.configPath === undefined ? process.cwd() : dirname(resolve(sources.configPath));
  const loader = new Loader();
  const trusted = sources.trustConfig ?? true;
  const named =
    trusted && typeof file.custom_checks_dir === "string" && file.custom_checks_dir.trim() !== ""
      ? resolve(base, file.custom_checks_dir)
      : undefined;
  const directory = sources.directory ?? named;
  const found = [
    ...(await installed(sources.installedRoots ?? installedRoots(), loader)),
    ...(trusted ? await namedInConfig(file, base, loader) : []),
    ...(directory === undefined ? [] : await discovered(resolve(directory), loader)),
  ];
  loader.done();
  return found;
}
