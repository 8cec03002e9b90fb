import { Yielder } from "../../yielder.ts";
import { innerPlaces } from "../cloudformation/inner.ts";
import { readPlaces } from "../cloudformation/read.ts";
import { notRead } from "../places.ts";
import { policyAttributes, templateArguments } from "../terraform/attributes.ts";
import type { Place, PlaceFacts, Reading, Source } from "../types.ts";
import { type Block, fileBlocks, spanOfNode } from "./blocks.ts";
import { Evaluator } from "./evaluate.ts";
import { Meanings } from "./meanings.ts";
import { Names } from "./names.ts";
import { hasTooMuchSpace, tooMuchSpace, withTree } from "./parser.ts";
import { PlaceReader } from "./place-reader.ts";
import { replacedWords } from "./replaced-words.ts";

/** What a file has in it that has a policy: an argument, a document, or a template of CloudFormation. */
const mayHavePlaces = /polic|Statement|template_body|awscc_/i;

/** Blocks that say something about a policy; others are not read any further. */
const blockTypes = new Set(["resource", "data", "locals", "module", "provider", "inputs"]);

/** The defaults of variables tell two versions apart. */
const readTypes = new Set([...blockTypes, "variable"]);

/**
 * The places of a Terraform file, in the order of the file. The other files of its folder belong to the same
 * module: they follow the file in one text, so that positions are those of the file. Loaded with the first
 * such file.
 */
export async function readTerraformFile(source: Source, reading: Reading): Promise<Place[]> {
  const own = source.text ?? "";
  if (!mayHavePlaces.test(own)) return [];
  if (hasTooMuchSpace(own)) return [notRead(ofFile("(the file)"), tooMuchSpace)];
  const neighbours = source.neighbours.filter((other) => !hasTooMuchSpace(other));
  const text = [own, ...neighbours].join("\n");
  const read = await readBlocks(text, own.length, reading, "whole");
  if (read) return inFileOrder(read);
  // Each file by itself: the end of one is no part of the next.
  const { text: first, broken } = await withoutBrokenBlocks(own);
  const files = [first];
  for (const other of neighbours) files.push((await withoutBrokenBlocks(other)).text);
  const places = (await readBlocks(files.join("\n"), own.length, reading, "with errors")) ?? [];
  return inFileOrder([...broken, ...places]);
}

function inFileOrder(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/**
 * @param end Of the file; blocks after it are those of the other files.
 * @returns null if the text must be whole and has a syntax error.
 */
function readBlocks(
  text: string,
  end: number,
  reading: Reading,
  accepted: "whole" | "with errors",
): Promise<Place[] | null> {
  return withTree(text, async ({ rootNode }) => {
    if (rootNode.hasError && accepted === "whole") return null;
    const yielder = new Yielder(undefined);
    const blocks: Block[] = [];
    for (const block of fileBlocks(rootNode, text)) {
      if (yielder.shouldYield) await yielder.yieldNow();
      if (readTypes.has(block.type)) blocks.push(block);
    }
    const names = new Names(text, reading.unknowns, blocks);
    const meanings = new Meanings(text, blocks);
    const evaluator = new Evaluator({ text, end, unknowns: reading.unknowns, names, meanings });
    const reader = new PlaceReader(blocks, evaluator, replacedWords(rootNode, text));
    const places: Place[] = [];
    for (const block of blocks) {
      if (block.span.start >= end) continue;
      for (const place of reader.placesOf(block)) {
        if (places.length >= reading.maxPlaces) return [...places, tooMany(reading.maxPlaces)];
        places.push(place);
      }
      for (const inner of templatesIn(block, evaluator)) {
        places.push(...(await innerPlaces(inner, reading, { depth: 0, read: readPlaces })));
      }
      if (yielder.shouldYield) await yielder.yieldNow();
    }
    return places;
  });
}

/** Templates of CloudFormation in arguments, as a heredoc or with `jsonencode` and `yamlencode`. */
function* templatesIn({ type, labels, attributes }: Block, evaluator: Evaluator) {
  const [resource = "", name = ""] = labels;
  const isKnown = type === "resource" && Object.hasOwn(templateArguments, resource);
  const argument = isKnown ? templateArguments[resource] : undefined;
  const attribute = argument === undefined ? undefined : attributes.get(argument);
  if (!attribute) return;
  const root = spanOfNode(attribute.expression);
  const facts: PlaceFacts = {
    address: `${resource}.${name}.${attribute.name}`,
    path: null,
    policyType: null,
    resourceType: resource,
  };
  const template = evaluator.template(attribute.expression);
  if (template) {
    const { text, offsets, hasDirectives } = template;
    yield { facts, text: hasDirectives ? null : text, offsets, root, file: null };
    return;
  }
  const { value } = evaluator.evaluate(attribute.expression);
  const isObject = typeof value === "object" && value !== null;
  yield { facts, text: isObject ? JSON.stringify(value) : null, root, file: null };
}

/** People and formatters write the outermost blocks at the beginning of a line. */
const blockStart =
  /^([a-z_]+)[ \t]+(?:"([^"\n]*)"[ \t]*)?(?:"([^"\n]*)"[ \t]*)?\{|^([a-z_]+)[ \t]*\{/gm;

/**
 * A syntax error can cost the parser the blocks around it. Blocks that cannot be parsed alone are
 * replaced by comments, so that the others can be read.
 */
async function withoutBrokenBlocks(text: string): Promise<{ text: string; broken: Place[] }> {
  const starts = [...text.matchAll(blockStart)];
  const head = text.slice(0, starts[0]?.index ?? text.length);
  const parts: string[] = [(await isWrong(head)) ? blank(head) : head];
  const broken: Place[] = [];
  for (const [index, match] of starts.entries()) {
    const part = text.slice(match.index, starts[index + 1]?.index ?? text.length);
    const isBroken = await isWrong(part);
    parts.push(isBroken ? blank(part) : part);
    const [, type = match[4] ?? "", first, second] = match;
    if (!isBroken || !mayHavePolicy(type, first, part)) continue;
    const labels = type === "resource" ? [first, second] : [type, first, second];
    const facts = {
      address: labels.filter((label) => label !== undefined).join("."),
      path: null,
      policyType: null,
    };
    const span = { start: match.index, end: match.index + part.trimEnd().length };
    broken.push(notRead(facts, "The block has a syntax error.", { form: "blocks", span }));
  }
  return { text: parts.join(""), broken };
}

/** Names such as `viewer_protocol_policy` have nothing to do with a policy of IAM. */
function mayHavePolicy(type: string, label: string | undefined, text: string): boolean {
  if (!blockTypes.has(type)) return false;
  if (label === "aws_iam_policy_document" || /Statement|\beffect\b/i.test(text)) return true;
  const attributes = type === "resource" && label ? policyAttributes(label) : [];
  return attributes.some(({ path }) => text.includes(path[0] ?? ""));
}

const isWrong = (text: string) => withTree(text, ({ rootNode }) => rootNode.hasError);
/** Comments: the parser takes much longer for white space. */
const blank = (text: string) => text.replaceAll(/[^\r\n]/g, "#");

function tooMany(limit: number): Place {
  return notRead(
    ofFile("(further policies)"),
    `The file has more than ${limit} policies; the others were not read.`,
  );
}

function ofFile(address: string): PlaceFacts {
  return { address, path: null, policyType: null };
}
