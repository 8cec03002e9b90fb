import { isRecord } from "../../record.ts";
import { dynamicReference } from "../cloudformation/resolved.ts";
import { type Located, locatedLeaf, locatedList, locatedObject } from "../located.ts";
import { fillPlaceholders, placeholdersIn } from "../placeholders.ts";
import type { Reading, Source } from "../types.ts";
import { nodeAt, type Path, spanAt, valueAt } from "../values.ts";

/** Variables in variables; people write two or three levels. */
const maxLevels = 10;
/** No service has such a prefix, so these are no policy variables. */
const certain = /\$\{(?:self|opt|sls|param|file)[:(]/;

/**
 * @returns A source whose variables of the Serverless Framework are resolved or unknown, if it has some: files of
 * resources are separate from `serverless.yml`.
 */
export function withVariables(source: Source, reading: Reading): Source {
  if (source.text === null || !certain.test(source.text)) return source;
  const { value, node } = new Variables(source, reading).at([]);
  return { ...source, value, root: source.root && node };
}

/** Values that one file may grow to when variables are filled in. */
const maxValues = 200_000;

/**
 * What the framework fills in before CloudFormation sees the file; of `aws:`, only these two are its
 * own. https://www.serverless.com/framework/docs/providers/aws/guide/variables
 */
const isOwn = (source: string) =>
  /^(?:self|opt|env|file|ssm|cf|s3|sls|param|git|strToBool|terraform|vault|doppler|output|custom)\b\s*[:(.-]/.test(
    source,
  ) || /^aws:(?:accountId|region)\b/.test(source);

/**
 * `#{AWS::Region}` and `#{Table.Arn}` of the plugin serverless-pseudo-parameters, which writes `Fn::Sub` for them.
 * https://www.serverless.com/plugins/serverless-pseudo-parameters
 */
const pseudoParameter = /#\{(?=[A-Za-z][\w:.]*\})/g;

/** Policy variables stay as they are. */
function withPseudoParameters(located: Located): Located {
  const { value, node } = located;
  if (typeof value !== "string" || value.search(pseudoParameter) < 0) return located;
  const text = value.replaceAll(/\$\{(?!!)/g, "${!").replaceAll(pseudoParameter, "${");
  return locatedObject([{ name: "Fn::Sub", key: node, located: locatedLeaf(text, node) }], node);
}

/** Copies parts of a file with the framework's variables resolved where the file does, else unknown. */
export class Variables {
  readonly #source: Source;
  readonly #reading: Reading;
  #values = 0;

  constructor(source: Source, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
  }

  /** @returns The part at a path; positions are those of where each value is written. */
  at(path: Path, level = 0): Located {
    const value = valueAt(this.#source.value, path);
    const node = nodeAt(this.#source.root, path);
    const span = node ?? spanAt(this.#source.root, path) ?? { start: 0, end: 0 };
    if (++this.#values > maxValues || level > 90) return locatedLeaf(null, span);
    if (typeof value === "string") {
      const text = this.#text(value, span, level);
      return path.includes("Fn::Sub") ? text : withPseudoParameters(text);
    }
    if (Array.isArray(value)) {
      return locatedList(
        value.map((_, index) => this.at([...path, index], level + 1)),
        span,
      );
    }
    if (!isRecord(value)) return locatedLeaf(value, span);
    const members = Object.keys(value).map((name) => ({
      name,
      key: node?.members?.get(name)?.key ?? span,
      located: this.at([...path, name], level + 1),
    }));
    return locatedObject(members, span);
  }

  #text(value: string, span: { start: number; end: number }, level: number): Located {
    const [only] = placeholdersIn(value);
    if (only && only.start === 0 && only.end === value.length) {
      const found = this.#valueOf(only.source);
      if (found?.path && level < maxLevels * 8) return this.at(found.path, level + 8);
      if (found?.text !== undefined) return locatedLeaf(found.text, span);
    }
    let text = value;
    for (const { source } of placeholdersIn(value)) {
      const known = this.#plainText(source);
      if (known !== null) text = text.replaceAll(`\${${source}}`, () => known);
    }
    const { unknowns } = this.#reading;
    const filled = fillPlaceholders(text, null, unknowns, isOwn).text;
    const known = filled.replace(dynamicReference, (_all, name: string) =>
      unknowns.token({ source: unknowns.shown(name), like: "text", span }),
    );
    return locatedLeaf(known, span);
  }

  /** The text of a variable that the file gives; null: it is not known, or no text. */
  #plainText(source: string, level = 0): string | null {
    const found = this.#valueOf(source, level);
    const known = found?.path ? valueAt(this.#source.value, found.path) : found?.text;
    if (typeof known === "number") return String(known);
    return typeof known === "string" && !known.includes("${") ? known : null;
  }

  /**
   * Where the file has the value of `self:custom.name`, or the text of its fallback: `self:custom.name, 'jobs'`. Variables
   * in it, as in `self:custom.${self:provider.stage}.name`, have to be known. Null: it is not known.
   */
  #valueOf(source: string, level = 0): { path?: Path; text?: string } | null {
    if (level > maxLevels) return null;
    let written = source;
    for (const { source: inner } of placeholdersIn(source)) {
      const known = this.#plainText(inner, level + 1);
      if (known === null || /[{}$,]/.test(known)) return null;
      written = written.replace(`\${${inner}}`, () => known);
    }
    for (const part of written.split(",")) {
      const [, single, double] = /^\s*(?:'([^'{}$]*)'|"([^"{}$]*)")\s*$/.exec(part) ?? [];
      const quoted = single ?? double;
      if (quoted !== undefined) return { text: quoted };
      const [, name] = /^\s*self:([\w.-]+)\s*$/.exec(part) ?? [];
      const path = name?.split(".");
      if (!path) return null;
      if (valueAt(this.#source.value, path) !== undefined) return { path };
      if (!this.#isAbsent(path)) return null;
    }
    return null;
  }

  /** Whether nothing else can give the value at a path: what is around it is written out in the file. */
  #isAbsent(path: Path): boolean {
    // A file that `serverless.yml` takes has other names.
    if (valueAt(this.#source.value, ["service"]) === undefined) return false;
    const around = path.map((_, length) => valueAt(this.#source.value, path.slice(0, length)));
    const written = around.findLast((value) => value !== undefined);
    return isRecord(written);
  }
}
