import { isRecord } from "../../record.ts";
import { valueDigest } from "../digest.ts";

/** What a plan says of the source of one resource or data source: its expressions, not their values. */
interface Written {
  readonly module: Module;
  readonly expressions: Readonly<Record<string, unknown>>;
}

/** A module of the configuration, with the call that gives its variables. */
interface Module {
  readonly parent: Module | null;
  readonly path: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Calls of modules in modules that are followed; people nest them three or four levels. */
const maxModules = 30;

/**
 * The member `configuration` of a plan. Its addresses have no instance keys, and a module's resources
 * are in `module_calls.NAME.module`.
 * https://developer.hashicorp.com/terraform/internals/json-format#configuration-representation
 */
export class Configuration {
  readonly #byAddress = new Map<string, Written>();
  /** By the path of the module and the name: `module.app.role_arn`. */
  readonly #outputs = new Map<string, { readonly module: Module; readonly expression: unknown }>();
  readonly isPresent: boolean;

  constructor(configuration: unknown) {
    const root = isRecord(configuration) ? configuration.root_module : undefined;
    this.isPresent = isRecord(root);
    this.#addModule(root, { parent: null, path: "", inputs: {} }, 0);
  }

  #addModule(written: unknown, module: Module, level: number): void {
    if (!isRecord(written) || level > maxModules) return;
    const { resources, module_calls: calls, outputs } = written;
    for (const [name, output] of Object.entries(isRecord(outputs) ? outputs : {})) {
      const expression = isRecord(output) ? output.expression : undefined;
      this.#outputs.set(`${module.path}${name}`, { module, expression });
    }
    for (const resource of Array.isArray(resources) ? resources : []) {
      if (!isRecord(resource) || typeof resource.address !== "string") continue;
      const { expressions } = resource;
      if (!isRecord(expressions)) continue;
      this.#byAddress.set(`${module.path}${resource.address}`, { module, expressions });
    }
    for (const [name, call] of Object.entries(isRecord(calls) ? calls : {})) {
      if (!isRecord(call)) continue;
      const inputs = isRecord(call.expressions) ? call.expressions : {};
      const path = `${module.path}module.${name}.`;
      this.#addModule(call.module, { parent: module, path, inputs }, level + 1);
    }
  }

  /** @returns Whether the source of a resource has an expression for an argument. */
  hasArgument(address: string, path: readonly string[]): boolean {
    const written = this.#byAddress.get(withoutKeys(address));
    return expressionsAt(written?.expressions, path).length > 0;
  }

  /** Every argument of every resource and data source. */
  *arguments(): Generator<{ readonly address: string; readonly argument: string }> {
    for (const [address, { expressions }] of this.#byAddress) {
      for (const argument of Object.keys(expressions)) yield { address, argument };
    }
  }

  /** Addresses that an argument refers to, with the path of their module; variables are followed. */
  references(address: string, path: readonly string[]): string[] {
    const written = this.#byAddress.get(withoutKeys(address));
    if (!written) return [];
    const found = new Set<string>();
    for (const expression of expressionsAt(written.expressions, path)) {
      this.#follow(expression, written.module, found, 0);
    }
    return [...found];
  }

  /**
   * What decides the values of a resource or data source that are known after apply: equal texts of two plans mean equal
   * values. Null: the plan has no source of it.
   */
  expressionOf(address: string): string | null {
    const written = this.#byAddress.get(withoutKeys(address));
    if (!written) return null;
    const found = new Set<string>();
    this.#follow(written.expressions, written.module, found, 0);
    return valueDigest([written.expressions, [...found]]);
  }

  /** The addresses that an expression refers to; variables and outputs of modules are followed. */
  #follow(expression: unknown, module: Module, found: Set<string>, level: number): void {
    for (const reference of referencesIn(expression)) {
      const [, variable] = /^var\.([\p{ID_Continue}-]+)/u.exec(reference) ?? [];
      const [output] = /^module\.[\p{ID_Continue}-]+\.[\p{ID_Continue}-]+/u.exec(reference) ?? [];
      const target =
        output === undefined ? undefined : this.#outputs.get(`${module.path}${output}`);
      if (level >= maxModules || (variable === undefined && !target)) {
        found.add(`${module.path}${reference}`);
      } else if (target) {
        this.#follow(target.expression, target.module, found, level + 1);
      } else if (module.parent && variable !== undefined) {
        this.#follow(module.inputs[variable], module.parent, found, level + 1);
      }
    }
  }
}

/** @returns An address without the keys of instances: `module.a["x"].aws_s3_bucket.b[0]`. */
export function withoutKeys(address: string): string {
  return address.replace(/\["(?:[^"\\]|\\.)*"\]|\[[0-9]+\]/g, "");
}

/** All references in an expression, or in a list of blocks. */
function referencesIn(expression: unknown, level = 0): string[] {
  if (level > 10 || typeof expression !== "object" || expression === null) return [];
  if (isRecord(expression) && Array.isArray(expression.references)) {
    return expression.references.filter((one) => typeof one === "string");
  }
  return Object.values(expression).flatMap((part) => referencesIn(part, level + 1));
}

/** @param path `[]` is a list of blocks. */
function expressionsAt(from: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return from === undefined ? [] : [from];
  if (name === "[]") {
    const blocks = Array.isArray(from) ? from : [];
    return blocks.flatMap((block) => expressionsAt(block, rest));
  }
  return isRecord(from) && Object.hasOwn(from, name) ? expressionsAt(from[name], rest) : [];
}
