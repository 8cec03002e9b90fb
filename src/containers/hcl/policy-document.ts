import type { Node } from "web-tree-sitter";
import type { PolicyType } from "../../../spec/policy.ts";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { valueDigest } from "../digest.ts";
import {
  entriesOf,
  type Located,
  type LocatedMember,
  locatedLeaf,
  locatedList,
  locatedObject,
} from "../located.ts";
import type { Unknowns } from "../unknowns.ts";
import { type Attribute, type Block, textOf } from "./blocks.ts";
import type { Evaluator } from "./evaluate.ts";
import { locatedEntry } from "./loops.ts";

/** A data source `aws_iam_policy_document`, as the document that it renders. */
export interface RenderedDocument {
  readonly located: Located;
  readonly statements: number;
  /** Which parts depend on values that are not known; empty if none. */
  readonly missing: readonly string[];
}

/** Arguments of a statement whose values are elements of the policy. */
export const elements: readonly (readonly [argument: string, element: string])[] = [
  ["sid", "Sid"],
  ["actions", "Action"],
  ["not_actions", "NotAction"],
  ["resources", "Resource"],
  ["not_resources", "NotResource"],
];

/** https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/iam_policy_document */
export function renderDocument(
  block: Block,
  evaluator: Evaluator,
  policyType: PolicyType | null,
): RenderedDocument {
  const context: Context = { evaluator, missing: [], policyType };
  const { missing } = context;
  const statements: Located[] = [];
  const open = new Set<Located>();
  for (const { inner, variables: each, isOpen } of blocksOf(block, "statement", evaluator)) {
    const statement = evaluator.within(each, () => statementOf(inner, context));
    statements.push(statement);
    if (!isOpen) continue;
    missing.push('a `dynamic "statement"` block gives none, one or several statements');
    open.add(statement);
  }
  const version = block.attributes.get("version");
  const members: LocatedMember[] = [
    {
      name: "Version",
      key: version?.key ?? block.key,
      located: version
        ? evaluator.evaluate(version.expression)
        : locatedLeaf("2012-10-17", block.key),
    },
  ];
  const id = block.attributes.get("policy_id");
  if (id) members.push(memberOf("Id", id, evaluator));
  members.push({
    name: "Statement",
    key: block.key,
    located: locatedList(withOpenSids(statements, open, evaluator), block.span),
  });
  return {
    located: locatedObject(members, block.span),
    statements: statements.length,
    missing: [...new Set(missing)],
  };
}

/**
 * Two statements of which `dynamic` blocks give only one may have one Sid, so the Sid of such a statement is
 * then not known to be the same.
 */
function withOpenSids(
  statements: readonly Located[],
  dynamic: ReadonlySet<Located>,
  { unknowns }: Evaluator,
): readonly Located[] {
  const counts = new Map<unknown, number>();
  for (const one of statements) counts.set(sidOf(one), (counts.get(sidOf(one)) ?? 0) + 1);
  return statements.map((statement) => {
    const { value, node } = statement;
    const sid = sidOf(statement);
    if (typeof sid !== "string" || counts.get(sid) === 1 || !dynamic.has(statement)) {
      return statement;
    }
    const span = node.members?.get("Sid")?.value ?? node;
    const token = unknowns.token({ source: sid, like: "text", span, isWord: true });
    return { value: { ...(value as object), Sid: token }, node };
  });
}

function sidOf({ value }: Located): unknown {
  return isRecord(value) ? value.Sid : undefined;
}

function memberOf(name: string, attribute: Attribute, evaluator: Evaluator): LocatedMember {
  return {
    name,
    key: attribute.key,
    located: withVariables(evaluator.evaluate(attribute.expression)),
  };
}

interface Context {
  readonly evaluator: Evaluator;
  /** Collects which parts depend on values that are not known. */
  readonly missing: string[];
  readonly policyType: PolicyType | null;
}

/** Types whose statements have a principal. */
const withPrincipal: ReadonlySet<PolicyType | null> = new Set([
  "RESOURCE_POLICY",
  "TRUST_POLICY",
  "ENDPOINT_POLICY",
  "RESOURCE_CONTROL_POLICY",
] as const);

function statementOf(block: Block, context: Context): Located {
  const { evaluator, policyType } = context;
  const members: LocatedMember[] = [];
  const effect = block.attributes.get("effect");
  members.push(
    effect
      ? memberOf("Effect", effect, evaluator)
      : { name: "Effect", key: block.key, located: locatedLeaf("Allow", block.key) },
  );
  for (const [argument, element] of elements) {
    const attribute = block.attributes.get(argument);
    if (!attribute) continue;
    const member = memberOf(element, attribute, evaluator);
    const { value } = member.located;
    // The provider leaves empty lists and texts out.
    const isLeftOut =
      value === null || value === "" || (Array.isArray(value) && value.length === 0);
    // A module passes null for what its caller leaves out, so an element that AWS would refuse is not there.
    const isOptional = typeof value === "string" && evaluator.unknowns.whole(value) !== null;
    const isRefused =
      element.startsWith("Not") ||
      element === "Sid" ||
      (element === "Resource" && policyType === "TRUST_POLICY");
    if (!isLeftOut && !(isOptional && isRefused)) members.push(member);
  }
  const written = { principals: "Principal", not_principals: "NotPrincipal" } as const;
  let isDynamic = false;
  for (const type of ["principals", "not_principals"] as const) {
    const given = blocksOf(block, type, evaluator);
    const principal = principalsOf(
      given.filter(({ isOpen }) => !isOpen),
      evaluator,
    );
    if (principal) members.push({ name: written[type], ...principal });
    if (!given.some(({ isOpen }) => isOpen)) continue;
    isDynamic = true;
    context.missing.push(openBlocks(type));
  }
  const hasPrincipal = members.some(({ name }) => /Principal$/.test(name));
  if (isDynamic && !hasPrincipal && withPrincipal.has(policyType)) {
    const source = 'dynamic "principals"';
    const { start, end } = block.span;
    const expression = valueDigest(evaluator.text.slice(start, end));
    const token = evaluator.unknowns.token({ source, like: "text", span: block.key, expression });
    members.push({ name: "Principal", key: block.key, located: locatedLeaf(token, block.key) });
  }
  const tests = blocksOf(block, "condition", evaluator);
  if (tests.some(({ isOpen }) => isOpen)) context.missing.push(openBlocks("condition"));
  const condition = conditionOf(tests, evaluator);
  if (condition) members.push({ name: "Condition", ...condition });
  return locatedObject(members, block.span);
}

interface FoundBlock {
  readonly inner: Block;
  /** Variables of the loop that gives it. */
  readonly variables: readonly (readonly [string, Located])[];
  /** It is the content of a `dynamic` block whose collection is not known. */
  readonly isOpen: boolean;
}

/** The blocks of a type: those of a `dynamic` one for each entry of its collection, once where that is not known. */
function blocksOf(block: Block, type: string, evaluator: Evaluator): FoundBlock[] {
  const found: FoundBlock[] = [];
  for (const inner of block.blocks) {
    if (inner.type === type) found.push({ inner, variables: [], isOpen: false });
    if (inner.type !== "dynamic" || inner.labels[0] !== type) continue;
    const content = inner.blocks.find((one) => one.type === "content");
    if (!content) continue;
    const each = inner.attributes.get("for_each");
    const loop = each ? evaluator.loop(each.expression) : null;
    if (!loop) found.push({ inner: content, variables: [], isOpen: true });
    const iterator = inner.attributes.get("iterator");
    const name = iterator ? textOf(iterator.expression, evaluator.text) : type;
    for (const entry of loop ?? []) {
      found.push({ inner: content, variables: [[name, locatedEntry(entry)]], isOpen: false });
    }
  }
  return found;
}

const openBlocks = (type: string) =>
  `a \`dynamic "${type}"\` block gives none, one or several blocks`;

type Part = Pick<LocatedMember, "key" | "located">;

/** `{type, identifiers}` blocks; those of type `*` with identifier `*` are `"*"`. */
function principalsOf(blocks: readonly FoundBlock[], evaluator: Evaluator): Part | null {
  const [head] = blocks;
  if (!head) return null;
  const byType = new Map<string, { key: Span; values: Located[]; span: Span }>();
  for (const { inner, variables: each } of blocks) {
    const type = inner.attributes.get("type");
    const identifiers = inner.attributes.get("identifiers");
    if (!type || !identifiers) continue;
    const evaluate = (node: Node) => evaluator.within(each, () => evaluator.evaluate(node));
    const name = textValue(evaluate(type.expression), evaluator.unknowns);
    const located = withVariables(evaluate(identifiers.expression));
    const known = byType.get(name);
    if (known) known.values.push(...entriesOf(located));
    else byType.set(name, { key: type.key, values: entriesOf(located), span: located.node });
  }
  const everyone = byType.get("*");
  if (everyone && byType.size === 1 && everyone.values.length === 1) {
    const [only] = everyone.values;
    if (only?.value === "*") return { key: head.inner.key, located: only };
  }
  const members = [...byType].map(([name, { key, values, span }]) => ({
    name,
    key,
    located: locatedList(values, span),
  }));
  return { key: head.inner.key, located: locatedObject(members, head.inner.span) };
}

/** `{test, variable, values}` blocks; those with one test and variable have their values together. */
function conditionOf(blocks: readonly FoundBlock[], evaluator: Evaluator): Part | null {
  const [head] = blocks;
  if (!head) return null;
  const byTest = new Map<
    string,
    { key: Span; keys: Map<string, { key: Span; values: Located[] }> }
  >();
  for (const { inner, variables: each } of blocks) {
    const test = inner.attributes.get("test");
    const variable = inner.attributes.get("variable");
    const values = inner.attributes.get("values");
    if (!test || !variable || !values) continue;
    const evaluate = (node: Node) => evaluator.within(each, () => evaluator.evaluate(node));
    const operator = evaluate(test.expression);
    const name = textValue(operator, evaluator.unknowns);
    const keyName = evaluate(variable.expression);
    const keyText = textValue(keyName, evaluator.unknowns);
    const entry = byTest.get(name) ?? { key: operator.node, keys: new Map() };
    byTest.set(name, entry);
    const list = entriesOf(withVariables(evaluate(values.expression)));
    const known = entry.keys.get(keyText);
    if (known) known.values.push(...list);
    else entry.keys.set(keyText, { key: keyName.node, values: list });
  }
  const members = [...byTest].map(([name, { key, keys }]) => ({
    name,
    key,
    located: locatedObject(
      [...keys].map(([keyText, { key: span, values }]) => ({
        name: keyText,
        key: span,
        located: locatedList(values, values[0]?.node ?? span),
      })),
      key,
    ),
  }));
  return { key: head.inner.key, located: locatedObject(members, head.inner.span) };
}

function textValue({ value, node }: Located, unknowns: Unknowns): string {
  if (typeof value === "string") return value;
  const expression = unknowns.onlyThisVersion;
  return unknowns.token({ source: "an expression", like: "text", span: node, expression });
}

/**
 * Policy variables are written `&{aws:username}` here, because `${` begins a template. All arguments
 * of the data source are texts, so Terraform converts numbers and booleans.
 */
export function withVariables({ value, node }: Located): Located {
  if (typeof value === "string") return { value: value.replaceAll("&{", "${"), node };
  if (typeof value === "number" || typeof value === "boolean")
    return { value: String(value), node };
  if (!Array.isArray(value) || !node.items) return { value, node };
  const items = node.items.map((item, index) => withVariables({ value: value[index], node: item }));
  return { value: items.map((item) => item.value), node };
}
