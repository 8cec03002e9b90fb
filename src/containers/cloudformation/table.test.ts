import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { expect, test } from "vitest";
import { notPolicies, policyProperties, templateProperties } from "./table.ts";

/** The part of a property type of the resource schemas that this test needs. */
interface SpecType {
  readonly type: string;
  readonly types?: readonly SpecType[];
  readonly element?: SpecType;
  readonly reference?: { readonly $ref: string };
}

const spec = loadAwsServiceSpecSync();
const maxDepth = 4;

/** Properties of the resource schemas by path, each with the kinds of value that it takes. */
function propertiesOf(
  properties: Readonly<Record<string, { readonly type: SpecType }>>,
  prefix: string,
  seen: readonly string[],
): [path: string, kind: string][] {
  return Object.entries(properties).flatMap(([name, { type }]) =>
    alternativesOf(type).flatMap((alternative) => {
      let path = prefix === "" ? name : `${prefix}.${name}`;
      let at = alternative;
      while (at.element) {
        path += at.type === "array" ? "[]" : "{}";
        at = at.element;
      }
      return alternativesOf(at).flatMap((one): [string, string][] => {
        const id = one.reference?.$ref;
        if (id === undefined) return [[path, one.type]];
        if (seen.length >= maxDepth || seen.includes(id)) return [];
        return propertiesOf(spec.get("typeDefinition", id).properties, path, [...seen, id]);
      });
    }),
  );
}

function alternativesOf(type: SpecType): readonly SpecType[] {
  return type.types?.flatMap(alternativesOf) ?? [type];
}

/** Last names of properties that are text, and hold documents somewhere. */
const textNames =
  /(?:^|\.)(?:\w*PolicyDocument|\w*PolicyText|Policy|(?:Inline|Session|Access|Resource|Key|Model|Destination|Repository|FileSystem|InvestigationGroup)Policy)$/;
const jsonNames = /polic|(?:^|\.)(?:Content|Statement)$/i;

const listed = new Map(
  spec
    .all("resource")
    // SAM has another schema, of which this database has only a part.
    .filter(({ cloudFormationType }) => !cloudFormationType.startsWith("AWS::Serverless::"))
    .map(({ cloudFormationType, properties }) => [
      cloudFormationType.replace(/^AWS::/, ""),
      propertiesOf(properties, "", []),
    ]),
);

test("every property of the resource schemas that may hold a policy is decided", () => {
  const decided = new Set([
    ...Object.entries(policyProperties).flatMap(([type, rows]) =>
      rows.map(({ path }) => `${type}.${path}`),
    ),
    ...notPolicies,
  ]);
  const undecided = [...listed].flatMap(([type, properties]) =>
    properties
      .filter(([path, kind]) =>
        kind === "json" ? jsonNames.test(path) : kind === "string" && textNames.test(path),
      )
      .map(([path]) => `${type}.${path}`)
      .filter((path) => !decided.has(path)),
  );
  expect([...new Set(undecided)]).toEqual([]);
});

test("every property of the table is in the resource schemas", () => {
  // SAM's documents have a separate schema, and these are members of an OpenAPI document.
  const own = /^Serverless::|\.x-amazon-apigateway-policy$/;
  const unknown = Object.entries(policyProperties).flatMap(([type, rows]) =>
    rows
      .map(({ path }) => path)
      .filter((path) => !own.test(`${type}.${path}`))
      .filter((path) => !listed.get(type)?.some(([known]) => known === path))
      .map((path) => `${type}.${path}`),
  );
  expect(unknown).toEqual([]);
  for (const [type, path] of Object.entries(templateProperties)) {
    expect(listed.get(type)?.map(([known]) => known)).toContain(path);
  }
});
