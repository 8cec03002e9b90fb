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
      const target = this.#target(only.source);
      if (target && level < maxLevels * 8) return this.at(target, level + 8);
    }
    let text = value;
    for (const { source } of placeholdersIn(value)) {
      const target = this.#target(source);
      const known = target ? valueAt(this.#source.value, target) : undefined;
      const isPlain = typeof known === "string" ? !known.includes("${") : typeof known === "number";
      if (isPlain) text = text.replaceAll(`\${${source}}`, () => String(known));
    }
    const { unknowns } = this.#reading;
    const filled = fillPlaceholders(text, null, unknowns, isOwn).text;
    const known = filled.replace(dynamicReference, (_all, name: string) =>
      unknowns.token({ source: unknowns.shown(name), like: "text", span }),
    );
    return locatedLeaf(known, span);
  }

  /** The path of `${self:custom.name}` in the file. */
  #target(source: string): Path | null {
    const [, written] = /^self:([\w.-]+)$/.exec(source) ?? [];
    const path = written?.split(".");
    return path && valueAt(this.#source.value, path) !== undefined ? path : null;
  }
}
