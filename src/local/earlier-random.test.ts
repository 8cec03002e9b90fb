import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { noNewAccess } from "../checks/no-new-access.ts";
import { isRecord } from "../record.ts";
import { validateText } from "./validate-text.ts";

const { runtime: bare } = bareRuntime();
const runtime = { ...bare, engine: engineFor([noNewAccess]) };

/** Pairs of versions. Each is deployed eight times. */
const pairs = 25;

/** A linear congruential generator: the same pairs in every run. */
let state = 20_261_128;
function pick<Value>(list: readonly Value[]): Value {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return list[Math.floor((state / 2_147_483_648) * list.length)] as Value;
}

const ref = (Ref: string) => ({ Ref });
const sub = (text: string) => ({ "Fn::Sub": text });
const role = "arn:aws:iam::111122223333:role/x";

/** Values that parameters may turn out to have. */
const values = {
  Name: ["a", "b", "other"],
  Second: ["a", "b", "more"],
  Arn: ["arn:aws:sns:eu-west-1:111122223333:a", "arn:aws:sns:eu-west-1:111122223333:other"],
  Act: ["sns:Publish", "sns:Subscribe", "sqs:SendMessage"],
  Caller: [role, "arn:aws:iam::444455556666:role/y", "arn:aws:iam::111122223333:role/z"],
  Account: ["111122223333", "444455556666"],
  Range: ["10.0.0.0/8", "192.0.2.0/24"],
};

const topic = "arn:aws:sns:eu-west-1:111122223333:";
const elements = {
  Effect: ["Allow", "Allow", "Allow", "Deny"],
  Principal: [
    { AWS: "*" },
    { AWS: role },
    { AWS: ref("Caller") },
    { AWS: sub("arn:aws:iam::${Account}:root") },
  ],
  Action: ["sns:*", "sns:Publish", "sns:Subscribe", ["sns:Publish", ref("Act")]],
  Resource: ["*", `${topic}a`, sub(`${topic}\${Name}`), sub(`${topic}\${Second}`), ref("Arn")],
  Condition: [
    {},
    {},
    { StringEquals: { "aws:PrincipalTag/t": ref("Name") } },
    { StringNotEquals: { "aws:PrincipalAccount": ref("Account") } },
    { ArnNotEquals: { "aws:PrincipalArn": role } },
    { IpAddress: { "aws:SourceIp": ref("Range") } },
  ],
};
type Statement = Record<string, unknown>;

function statement(): Statement {
  return Object.fromEntries(
    Object.entries(elements).map(([name, list]) => [name, pick<unknown>(list)]),
  );
}

/** The statements with another one, one fewer, or another element. */
function changed(statements: readonly Statement[]): Statement[] {
  const [first = statement(), ...rest] = statements;
  const name = pick(["Principal", "Action", "Resource", "Condition"] as const);
  return pick([
    [...rest, first, statement()],
    rest.length > 0 ? rest : [first],
    [{ ...first, [name]: pick<unknown>(elements[name]) }, ...rest],
  ]);
}

function template(statements: readonly Statement[]): object {
  const Parameters = Object.fromEntries(
    Object.keys(values).map((name) => [name, { Type: "String" }]),
  );
  const PolicyDocument = { Version: "2012-10-17", Statement: statements };
  const Properties = { Topics: [ref("Arn")], PolicyDocument };
  return { Parameters, Resources: { P: { Type: "AWS::SNS::TopicPolicy", Properties } } };
}

/** A template with texts in the place of its parameters. */
function filled(value: unknown, texts: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, texts));
  if (!isRecord(value)) return value;
  if (typeof value.Ref === "string") return texts[value.Ref];
  const text = value["Fn::Sub"];
  if (typeof text === "string")
    return text.replaceAll(/\$\{(\w+)\}/g, (_, name) => texts[name] ?? "");
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, filled(part, texts)]),
  );
}

async function verdictOf(before: unknown, now: unknown): Promise<string | undefined> {
  const [text, baseline] = [JSON.stringify(now), { text: JSON.stringify(before) }];
  const limits = { declaredType: null, maxFileBytes: 100_000, maxDocuments: 1 };
  const [result] = await validateText({ label: "t.json", text, baseline }, runtime, limits);
  return result?.answers[0]?.verdict;
}

test("what holds of a template holds for each of its deployments", async () => {
  const verdicts = new Map<unknown, number>();
  for (let pair = 0; pair < pairs; pair++) {
    const statements = [statement(), statement()];
    const [before, now] = [template(statements), template(changed(statements))];
    const verdict = await verdictOf(before, now);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (verdict === "undecided") continue;
    const found: unknown[] = [];
    for (let deployment = 0; deployment < 8; deployment++) {
      const texts = Object.fromEntries(
        Object.entries(values).map(([name, list]) => [name, pick(list)]),
      );
      found.push(await verdictOf(filled(before, texts), filled(now, texts)));
    }
    const about = JSON.stringify([before, now]);
    if (verdict === "holds") expect(found, about).not.toContain("violated");
    else expect(found, about).toContain("violated");
  }
  expect([...verdicts.keys()].sort()).toEqual(["holds", "undecided", "violated"]);
});
