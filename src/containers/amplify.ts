import { isRecord } from "../record.ts";
import { filledValue, tooManyValues } from "./filled-value.ts";
import { locatedLeaf, locatedList, locatedObject } from "./located.ts";
import { fillPlaceholders } from "./placeholders.ts";
import { notRead, objectPlace } from "./places.ts";
import type { Container, Place, Reading, Source } from "./types.ts";

/**
 * `custom-policies.json` of Amplify: statements for the role of a function or container. `Effect` is `Allow` if it is absent, and
 * `${env}` is the name of the environment.
 * https://docs.amplify.aws/gen1/react/build-a-backend/functions/configure-options/#custom-iam-policies
 */
export const amplify: Container = {
  kind: "amplify",
  recognises: ({ name, value }) =>
    /(?:^|[\\/])custom-policies\.json$/.test(name ?? "") &&
    Array.isArray(value) &&
    value.every((one) => isRecord(one) && Object.hasOwn(one, "Action")),
  read: (source, reading) => {
    const place = statementsOf(source, reading);
    return place ? [place] : [];
  },
};

function statementsOf({ value, root }: Source, { unknowns }: Reading): Place | null {
  const about = {
    address: "",
    label: "custom-policies.json",
    path: [],
    policyType: "IDENTITY_POLICY",
    resourceType: "AWS::IAM::Policy",
  } as const;
  const fill = (text: string) =>
    fillPlaceholders(text, null, unknowns, (name) => name === "env").text;
  const filled = filledValue({ value, root }, { text: fill });
  if (!filled) return notRead(about, tooManyValues, { span: root });
  const list: readonly unknown[] = Array.isArray(filled.value) ? filled.value : [];
  // The file that Amplify creates has one statement without actions.
  if (list.every((one) => isRecord(one) && isEmpty(one.Action))) return null;
  const statements = list.map((statement, index) => {
    if (!isRecord(statement)) return locatedLeaf(statement, filled.node);
    const node = filled.node.items?.[index] ?? filled.node;
    const members = Object.entries(statement).map(([name, member]) => ({
      name,
      key: node.members?.get(name)?.key ?? node,
      located: { value: member, node: node.members?.get(name)?.value ?? node },
    }));
    const effect = { name: "Effect", key: node, located: locatedLeaf("Allow", node) };
    const own = Object.hasOwn(statement, "Effect") ? [] : [effect];
    return locatedObject([...own, ...members], node);
  });
  const document = locatedObject(
    [
      { name: "Version", key: filled.node, located: locatedLeaf("2012-10-17", filled.node) },
      { name: "Statement", key: filled.node, located: locatedList(statements, filled.node) },
    ],
    filled.node,
  );
  const place = objectPlace(about, { value: document.value, root: root && document.node });
  return { ...place, form: "statements" };
}

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;
