import { managedPolicies } from "../test/support/managed-policies.ts";
import { related } from "./related-statements.ts";

/** Policies made for measuring: each family fills a given size with one kind of thing. */

type Statement = Readonly<Record<string, unknown>>;

export function policyOf(statements: readonly unknown[]): object {
  return { Version: "2012-10-17", Statement: statements };
}

let real: readonly Statement[] | undefined;

/** Statements of the AWS managed policies, in order; those of under 1,000 bytes. */
export function realStatements(): readonly Statement[] {
  real ??= managedPolicies()
    .map(({ document }) => document as { Statement?: unknown })
    .flatMap(({ Statement: list = [] }) => (Array.isArray(list) ? list : [list]) as Statement[])
    .filter((statement) => JSON.stringify(statement).length < 1_000);
  return real;
}

/** @returns a policy of about so many bytes of compact JSON, made of the statements one by one. */
function filled(bytes: number, statement: (index: number) => Statement): object {
  const statements: Statement[] = [];
  let size = 45;
  for (let index = 0; ; index++) {
    const next = statement(index);
    size += Buffer.byteLength(JSON.stringify(next)) + 1;
    if (size > bytes && statements.length > 0) return policyOf(statements);
    statements.push(next);
  }
}

/** What a large policy of a careful author would be: real statements, one after the other. */
export function benign(bytes: number): object {
  const statements = realStatements();
  // A step through the list, so that a small policy does not hold one service alone.
  return filled(bytes, (index) => statements[(index * 37) % statements.length] ?? {});
}

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const allow = (Action: unknown, Resource: unknown = "arn:aws:s3:::reports/*") => ({
  Effect: "Allow",
  Action,
  Resource,
});

/** Policies that try to cost more than their size: by name, for a size in bytes. */
export const hostile: Readonly<Record<string, (bytes: number) => unknown>> = {
  "20 unknown actions per statement": (bytes) =>
    filled(bytes, (s) => allow(many(20, (a) => `s3:GetObjct${s}x${a}`))),
  "unknown services": (bytes) => filled(bytes, (s) => allow(many(20, (a) => `svc${s}x${a}:Get*`))),
  "near misses of a large service": (bytes) =>
    filled(bytes, (s) => allow(many(20, (a) => `ec2:DescribeInstnces${s}${a}`))),
  "action globs with many stars": (bytes) =>
    filled(bytes, (s) => allow(many(20, (a) => `ec2:*${"e*".repeat(10)}${s}*${a}`))),
  "wide action globs": (bytes) =>
    filled(bytes, (s) =>
      allow(
        many(20, (a) => `ec2:${"*?".repeat(1 + ((s + a) % 8))}*`),
        "*",
      ),
    ),
  "one glob of the whole size": (bytes) => policyOf([allow(`ec2:${"*a".repeat(bytes / 2)}`)]),
  "resource globs with many stars": (bytes) =>
    filled(bytes, (s) =>
      allow(
        "s3:GetObject",
        many(20, (r) => `arn:aws:s3:::*${"a*".repeat(20)}${s}${r}`),
      ),
    ),
  "one ARN of the whole size": (bytes) =>
    policyOf([allow("s3:GetObject", `arn:aws:s3:::${"a*".repeat(bytes / 2)}`)]),
  "unknown condition keys": (bytes) =>
    filled(bytes, (s) => ({
      ...allow("s3:GetObject"),
      Condition: {
        StringLike: Object.fromEntries(many(20, (k) => [`aws:SourcIp${s}x${k}`, "*"])),
      },
    })),
  "condition values": (bytes) =>
    filled(bytes, (s) => ({
      ...allow("s3:GetObject"),
      Condition: {
        IpAddress: { "aws:SourceIp": many(50, (v) => `${s}.${v}.300.x/99`) },
        NumericEquals: { "aws:MultiFactorAuthAge": many(50, (v) => `1e${s}${v}`) },
      },
    })),
  "empty statements": (bytes) => filled(bytes, () => ({})),
  "one repeated Sid": (bytes) =>
    filled(bytes, () => ({ Sid: "a", ...allow("s3:GetObject", "arn:aws:s3:::a/b") })),
  "statements of *": (bytes) => filled(bytes, () => allow("*", "*")),
  "unknown members": (bytes) =>
    filled(bytes, (s) => Object.fromEntries(many(40, (m) => [`member${s}x${m}`, m]))),
  principals: (bytes) =>
    filled(bytes, (s) => ({
      Effect: "Allow",
      Principal: { AWS: many(20, (p) => `arn:aws:iam::${100000000000 + s * 20 + p}:role/*`) },
      Action: "sts:AssumeRole",
    })),
  "repeated members, as text": (bytes) =>
    `{"Statement":[${"{".repeat(1)}${'"Sid":"a",'.repeat(bytes / 10)}"Sid":"a"}]}`,
  "YAML text": (bytes) =>
    `Statement:\n${"- {Effect: Allow, Action: 's3:GetObject', Resource: '*'}\n".repeat(bytes / 56)}`,
  ...Object.fromEntries(
    Object.entries(related).map(([name, make]) => [name, (bytes: number) => filled(bytes, make)]),
  ),
};
