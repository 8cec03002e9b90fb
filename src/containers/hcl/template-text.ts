import { readYaml } from "../../policy/yaml-text.ts";
import { isEncoded } from "../encoded-template.ts";
import { moved, movedSpan } from "../offsets.ts";
import {
  apart,
  fill,
  isOfOtherTools,
  markedPlaceholdersIn,
  type Placeholder,
  placeholdersIn,
} from "../placeholders.ts";
import { notRead, objectPlace, type ReadText, textPlace } from "../places.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { isPolicyShaped } from "../values.ts";
import { fileBlocks } from "./blocks.ts";
import { Evaluator } from "./evaluate.ts";
import { Names } from "./names.ts";
import { hasTooMuchSpace, tooMuchSpace, withTree } from "./parser.ts";

/** `ACCEL_LOOKUP::VPC_ID`, `self:custom.name`: no expression of Terraform. */
const ofOtherTool = /::|^(?:self|opt|sls|param|file):/;

const begin = "locals {\n  text = <<END_OF_TEMPLATE\n";
const end = "\nEND_OF_TEMPLATE\n}\n";

/**
 * Reads a template file as the heredoc that it would be. Its variables are unknown. Placeholders such as
 * `${ACCEL_LOOKUP::VPC_ID}` of the Landing Zone Accelerator and `{{ name }}` are not Terraform's, and are taken as they are.
 */
export async function readTemplateText(source: Source, { unknowns }: Reading): Promise<Place> {
  const text = source.text ?? "";
  if (isEncoded(text)) return readEncoded(text, source, unknowns);
  const facts = { address: "", label: source.name ?? "", path: [], policyType: null };
  const span = { start: 0, end: text.length };
  const asWritten = () => ({
    text,
    offsets: Array.from({ length: text.length + 1 }, (_, at) => at),
  });
  if (source.value === undefined && text.includes("{%")) {
    const reason = "The text is not a policy until its `{% … %}` statements of Jinja are applied.";
    return notRead(facts, reason, { form: "text", span });
  }
  const words = [...markedPlaceholdersIn(text)];
  const lookups = [...apart([...placeholdersOf(text), ...words])];
  const isOfOtherTool =
    words.length > 0 || lookups.some(({ source: name }) => ofOtherTool.test(name));
  if (isOfOtherTool && !text.includes("%{")) {
    return documentPlace(facts, { ...fill(asWritten(), lookups, unknowns), span }, unknowns);
  }
  /** A document that is whole without its placeholders must never pass unread. */
  const unreadable = (reason: string) =>
    source.value === undefined
      ? notRead(facts, reason, { form: "text", span })
      : documentPlace(facts, { ...asWritten(), span }, unknowns);
  const { escaped, offsets } = withEscapedVariables(text);
  const file = `${begin}${escaped}${end}`;
  if (hasTooMuchSpace(file)) return unreadable(tooMuchSpace);
  return withTree(file, ({ rootNode }) => {
    const blocks = [...fileBlocks(rootNode, file)];
    const names = new Names(file, unknowns, []);
    const evaluator = new Evaluator({ text: file, end: file.length, unknowns, names });
    const expression = blocks[0]?.attributes.get("text")?.expression;
    const template = rootNode.hasError || !expression ? null : evaluator.template(expression);
    if (!template) return unreadable("The template has a syntax error.");
    const moved = template.offsets.map((at) => offsets[at - begin.length] ?? text.length);
    const place = documentPlace(facts, { text: template.text, offsets: moved, span }, unknowns);
    if (!template.hasDirectives) return place;
    const reason = "`%{ … }` directives decide parts of the text; one outcome of each was read.";
    const isReadable = place.alternatives.some(({ value }) => value !== undefined);
    if (isReadable) return { ...place, state: "partly_read", reason };
    return unreadable("The text is not a policy until its `%{ … }` directives are applied.");
  });
}

/** A document in JSON, or in YAML as other tools than Terraform take policies. */
function documentPlace(facts: PlaceFacts, text: ReadText, unknowns: Unknowns): Place {
  if (/^\s*[[{]/.test(text.text)) return textPlace(facts, text, unknowns);
  const { offsets, span } = text;
  const yaml = readYaml(text.text, { tags: "functions" });
  if ("refused" in yaml) {
    const reason = `The text is not YAML until its unknown values are filled in: ${yaml.problem}.`;
    const at = offsets ? movedSpan(yaml.span, offsets) : span;
    return notRead(facts, reason, { form: "text", span: at });
  }
  return objectPlace(facts, { value: yaml.value, root: offsets && moved(yaml.root, offsets) });
}

/**
 * A template that is one call of `jsonencode`.
 * https://developer.hashicorp.com/terraform/language/functions/templatefile#generating-json-or-yaml-from-a-template
 */
async function readEncoded(text: string, { name }: Source, unknowns: Unknowns): Promise<Place> {
  const facts = { address: "", label: name ?? "", path: null, policyType: null };
  const whole = { start: 0, end: text.length };
  const from = text.indexOf("{") + 1;
  const { escaped, offsets } = withEscapedVariables(text.slice(from, text.lastIndexOf("}")));
  const before = "locals {\n  text = ";
  const file = `${before}${escaped}\n}\n`;
  if (hasTooMuchSpace(file)) return notRead(facts, tooMuchSpace, { form: "text", span: whole });
  const at = (offset: number) => from + (offsets[offset - before.length] ?? offsets.length);
  return withTree(file, ({ rootNode }) => {
    const [locals] = fileBlocks(rootNode, file);
    const expression = locals?.attributes.get("text")?.expression;
    if (rootNode.hasError || !expression) {
      return notRead(facts, "The template has a syntax error.", { form: "text", span: whole });
    }
    const names = new Names(file, unknowns, []);
    const evaluator = new Evaluator({ text: file, end: file.length, unknowns, names });
    const { value, node } = evaluator.evaluate(expression);
    if (!isPolicyShaped(value)) {
      return notRead(facts, "The template gives no policy that can be read here.", {
        form: "text",
        span: whole,
      });
    }
    const ends = Array.from({ length: file.length + 1 }, (_, offset) => at(offset));
    return objectPlace(facts, { value, root: moved(node, ends) });
  });
}

function placeholdersOf(text: string): Placeholder[] {
  const isOwn = ({ source, start }: Placeholder) =>
    !isOfOtherTools(source) && text[start - 1] !== "$";
  return [...placeholdersIn(text)].filter(isOwn);
}

/** Other tools than Terraform leave `${aws:username}` alone, so it is not a placeholder here. */
function withEscapedVariables(text: string): { escaped: string; offsets: number[] } {
  const parts: string[] = [];
  const offsets: number[] = [];
  let from = 0;
  const keep = (to: number) => {
    parts.push(text.slice(from, to));
    for (let at = from; at < to; at++) offsets.push(at);
    from = to;
  };
  for (const { source, start } of placeholdersIn(text)) {
    if (!isOfOtherTools(source) || text[start - 1] === "$") continue;
    keep(start);
    parts.push("$");
    offsets.push(start);
  }
  keep(text.length);
  return { escaped: parts.join(""), offsets };
}
