import type { AccessType } from "../../src/access/document.ts";
import type { AccessRequest, RequestPrincipal } from "../../src/access/request.ts";
import type { Random } from "../random.ts";

/** Pairs of small policies that overlap often, and requests made of the same words. */

const actions = [
  "s3:GetObject",
  "s3:PutObject",
  "s3:DeleteObject",
  "S3:getobject",
  "iam:PassRole",
  "ec2:DescribeInstances",
  "s3:GetObjectAcl",
  "s3:Gx",
] as const;
const actionPatterns = [
  "*",
  "s3:*",
  "s3:Get*",
  "s3:*Object",
  "s3:???Object",
  "iam:*",
  "*:*",
  "s?:Get*",
  "s3:G?",
] as const;

const resources = [
  "arn:aws:s3:::bucket/a",
  "arn:aws:s3:::bucket/a/b",
  "arn:aws:s3:::bucket/home/alice/x",
  "arn:aws:s3:::bucket/home/bob/x",
  "arn:aws:s3:::bucket",
  "arn:aws:sqs:us-east-1:111122223333:queue",
  "arn:aws:sqs:eu-west-1:444455556666:queue",
  "arn:aws:sqs:eu-west-1:444455556666:a:queue",
  "arn:aws:s3:::bucket/d",
  "*",
] as const;
const resourcePatterns = [
  "*",
  "arn:*",
  "arn:aws:s3:::bucket/*",
  "arn:aws:s3:::*",
  "arn:aws:s3:::bucket/?",
  "arn:aws:s3:::bucket*",
  "arn:aws:s3:::*a",
  "arn:aws:s3:::bucket/home/${aws:username}/*",
  "arn:aws:s3:::bucket/${aws:PrincipalTag/t}",
  "arn:aws:s3:::bucket/${aws:PrincipalTag/t, 'd'}",
  "arn:aws:s3:::bucket/${aws:userid}*",
  "arn:aws:s3:::bucket/home/${aws:PrincipalTag/t}/${aws:PrincipalTag/t}",
  "arn:aws:sqs:${aws:PrincipalTag/t}:111122223333:queue",
  "arn:aws:s3:::${var.bucket}/*",
  "arn:aws:sqs:*:111122223333:*",
  "arn:aws:sqs:*:queue",
  "arn:aws:sqs:*:*:queue",
  "arn:aws:*:*:*:*a*",
  "?",
  "arn:aws:s3:::bucket/${*}",
] as const;

interface Key {
  readonly name: string;
  readonly operators: readonly string[];
  readonly values: readonly string[];
  /** Values of requests. */
  readonly held: readonly string[];
  readonly many?: true;
}

const texts = [
  "StringEquals",
  "StringNotEquals",
  "StringLike",
  "StringNotLike",
  "StringEqualsIgnoreCase",
  "StringNotEqualsIgnoreCase",
] as const;
const arns = [
  "ArnLike",
  "ArnNotLike",
  "ArnEquals",
  "ArnNotEquals",
  "StringLike",
  "StringEquals",
  "StringNotLike",
] as const;
const numbers = [
  "NumericEquals",
  "NumericNotEquals",
  "NumericLessThan",
  "NumericLessThanEquals",
  "NumericGreaterThan",
  "NumericGreaterThanEquals",
] as const;
const dates = numbers.map((name) => name.replace("Numeric", "Date"));

const keys: readonly Key[] = [
  {
    name: "aws:PrincipalTag/t",
    operators: texts,
    values: ["a", "A", "b", "a*", "*", "?", "${aws:username}", "d", "${aws:ResourceTag/owner}"],
    held: ["a", "A", "b", "ab", "alice", "d", "us-east-1", "a:b"],
  },
  {
    name: "aws:ResourceTag/owner",
    operators: texts,
    values: [
      "a",
      "alice",
      "${aws:username}",
      "${aws:PrincipalTag/t}",
      "${aws:PrincipalTag/t, 'd'}",
      "${aws:ResourceTag/owner}",
      "${aws:PrincipalTag/t}*",
      "*",
    ],
    held: ["a", "alice", "bob", "d", "A", "ab"],
  },
  {
    name: "s3:prefix",
    operators: texts,
    values: ["a", "ab", "a*", "*b", "", "?", "A"],
    held: ["", "a", "b", "ab", "aab", "A"],
  },
  { name: "aws:username", operators: texts, values: ["alice", "a*", "bob", "Alice"], held: [] },
  {
    name: "aws:userid",
    operators: texts,
    values: ["AIDA", "AIDA*", "*"],
    held: ["AIDA", "AIDAX", "b"],
  },
  {
    name: "aws:PrincipalArn",
    operators: arns,
    values: [
      "arn:aws:iam::111122223333:role/app",
      "arn:aws:iam::*:role/*",
      "arn:aws:iam::111122223333:*",
      "arn:aws:iam::111122223333:user/alice",
      "arn:aws:iam::*:root",
      "arn:aws:iam::1111*:role/*",
      "arn:*:iam::*3333:role/app*",
      "arn:aws:iam::????????????:role/a?p",
      "arn:aws:iam::*:role/*/app",
    ],
    held: [],
  },
  {
    name: "aws:PrincipalAccount",
    operators: texts,
    values: ["111122223333", "1*", "444455556666", "*1*3", "????????????", "*4*"],
    held: [],
  },
  {
    name: "aws:PrincipalType",
    operators: texts,
    values: ["User", "AssumedRole", "Account"],
    held: [],
  },
  {
    name: "aws:PrincipalOrgID",
    operators: texts,
    values: ["o-a", "o-b", "o-*"],
    held: ["o-a", "o-b", "o-c"],
  },
  {
    name: "aws:PrincipalOrgPaths",
    operators: texts,
    values: ["o-a/r-1/*", "o-*/r-1/ou-1/", "o-a/*", "*"],
    held: ["o-a/r-1/ou-1/", "o-a/r-2/", "o-b/r-1/ou-1/"],
    many: true,
  },
  {
    name: "aws:PrincipalIsAWSService",
    operators: ["Bool"],
    values: ["true", "false"],
    held: ["true", "false"],
  },
  {
    name: "aws:SourceIp",
    operators: ["IpAddress", "NotIpAddress"],
    values: [
      "10.0.0.0/8",
      "10.1.0.0/16",
      "203.0.113.0/24",
      "203.0.113.7",
      "0.0.0.0/0",
      "::/0",
      "2001:db8::/32",
    ],
    held: ["10.1.2.3", "10.2.0.1", "203.0.113.7", "203.0.113.8", "2001:db8::1", "8.8.8.8"],
  },
  {
    name: "aws:SourceVpc",
    operators: texts,
    values: ["vpc-1", "vpc-2", "vpc-*"],
    held: ["vpc-1", "vpc-2", "vpc-3"],
  },
  { name: "aws:SourceVpce", operators: texts, values: ["vpce-1"], held: ["vpce-1", "vpce-2"] },
  {
    name: "aws:SecureTransport",
    operators: ["Bool"],
    values: ["true", "false", "TRUE"],
    held: ["true", "false"],
  },
  {
    name: "aws:MultiFactorAuthPresent",
    operators: ["Bool"],
    values: ["true", "false"],
    held: ["true", "false"],
  },
  {
    name: "aws:MultiFactorAuthAge",
    operators: numbers,
    values: ["3600", "60"],
    held: ["10", "60", "100", "3600", "7200"],
  },
  {
    name: "aws:CurrentTime",
    operators: dates,
    values: ["2026-01-01T00:00:00Z", "2026-06-01", "1767225600"],
    held: [
      "2025-12-31T00:00:00Z",
      "2026-01-01T00:00:00Z",
      "2026-03-01T00:00:00Z",
      "2026-06-01T00:00:00Z",
      "2027-01-01T00:00:00Z",
    ],
  },
  {
    name: "aws:EpochTime",
    operators: dates,
    values: ["1767225600", "2026-06-01T02:00:00+02:00"],
    held: [],
  },
  {
    name: "aws:TagKeys",
    operators: texts,
    values: ["env", "Env", "cost*", "team", "${aws:PrincipalTag/t}"],
    held: ["env", "Env", "costs", "team", "x", "a", "b"],
    many: true,
  },
  {
    name: "aws:RequestTag/env",
    operators: texts,
    values: ["prod", "dev", "p*", "${aws:PrincipalTag/t}", "${aws:ResourceTag/owner}"],
    held: ["prod", "dev", "x", "a", "b"],
  },
  {
    name: "aws:CalledVia",
    operators: texts,
    values: ["a.amazonaws.com", "*"],
    held: ["a.amazonaws.com", "b.amazonaws.com"],
    many: true,
  },
  {
    name: "s3:max-keys",
    operators: numbers,
    values: ["10", "5", "10.0", "7.5"],
    held: ["5", "7", "7.5", "10", "11"],
  },
  {
    name: "aws:SourceArn",
    operators: arns,
    values: [
      "arn:aws:s3:::a*",
      "arn:aws:sns:*:111122223333:*",
      "arn:aws:sns:us-east-1:111122223333:t",
      "arn:aws:sns:*:111122223333:t",
      "arn:aws:sns:${aws:PrincipalTag/t}:111122223333:t",
      "arn:aws:sns:us-east-1:${aws:PrincipalAccount}:*",
      "*",
    ],
    held: [
      "arn:aws:s3:::ab",
      "arn:aws:sns:us-east-1:111122223333:t",
      "arn:aws:sns:eu-west-1:111122223333:u",
      "arn:aws:sns:a:b:c:111122223333:u",
      "arn:aws:sns:a:b:111122223333:t",
    ],
  },
  {
    name: "aws:ViaAWSService",
    operators: ["Bool"],
    values: ["true", "false"],
    held: ["true", "false"],
  },
];

const principals: readonly unknown[] = [
  "*",
  { AWS: "*" },
  { AWS: "111122223333" },
  { AWS: "arn:aws:iam::111122223333:root" },
  { AWS: "arn:aws:iam::111122223333:role/app" },
  { AWS: ["arn:aws:iam::111122223333:user/alice", "444455556666"] },
  { AWS: "arn:aws:sts::111122223333:assumed-role/app/ci" },
  { Service: "sns.amazonaws.com" },
  { Service: ["sns.amazonaws.com", "s3.amazonaws.com"] },
  { Federated: "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com" },
  { CanonicalUser: "abc" },
  { AWS: "arn:aws:iam::111122223333:role/*" },
];

type Statement = Record<string, unknown>;

export class AccessMaker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  type(): AccessType {
    return this.#random.pick([
      "identity",
      "identity",
      "resource",
      "resource",
      "trust",
      "scp",
      "rcp",
    ] as const);
  }

  policy(type: AccessType): { Version?: string; Statement: Statement[] } {
    const random = this.#random;
    const Statement = random.list(random.between(1, 4), () => this.statement(type));
    return random.chance(0.9) ? { Version: "2012-10-17", Statement } : { Statement };
  }

  /** A policy near the other: a statement changed, gone or added. */
  changed(policy: { Version?: string; Statement: Statement[] }, type: AccessType): object {
    const random = this.#random;
    const Statement = policy.Statement.map((statement) => ({ ...statement }));
    for (let count = random.between(1, 2); count > 0; count--) {
      const at = random.below(Statement.length);
      const statement = Statement[at] ?? {};
      random.weighted<void>([
        [2, () => void Statement.splice(at, 1)],
        [2, () => void Statement.push(this.statement(type))],
        [2, () => void Object.assign(statement, this.#condition())],
        [1, () => void delete statement.Condition],
        [2, () => this.#swap(statement, "Action", () => this.#actions())],
        [2, () => this.#swap(statement, "Resource", () => this.#resources())],
      ]);
      if (Statement.length === 0) Statement.push(this.statement(type));
    }
    return { ...policy, Statement };
  }

  #swap(statement: Statement, element: string, make: () => unknown): void {
    const name = Object.hasOwn(statement, `Not${element}`) ? `Not${element}` : element;
    statement[name] = make();
  }

  statement(type: AccessType): Statement {
    const random = this.#random;
    const statement: Statement = { Effect: random.chance(0.65) ? "Allow" : "Deny" };
    if (type === "resource" || type === "trust" || (type === "rcp" && random.chance(0.8))) {
      statement[random.chance(0.93) ? "Principal" : "NotPrincipal"] = random.pick(principals);
    }
    statement[random.chance(0.88) ? "Action" : "NotAction"] = this.#actions();
    if (type !== "trust") {
      statement[random.chance(0.88) ? "Resource" : "NotResource"] = this.#resources();
    }
    if (random.chance(0.7)) Object.assign(statement, this.#condition());
    return statement;
  }

  #actions(): unknown {
    const random = this.#random;
    return random.list(random.between(1, 2), () =>
      random.chance(0.5) ? random.pick(actions) : random.pick(actionPatterns),
    );
  }

  #resources(): unknown {
    const random = this.#random;
    return random.list(random.between(1, 2), () =>
      random.chance(0.35) ? random.pick(resources) : random.pick(resourcePatterns),
    );
  }

  #condition(): { Condition: unknown } {
    return { Condition: this.block(this.#random.between(1, 2)) };
  }

  block(entries: number): Record<string, Record<string, unknown>> {
    const random = this.#random;
    const block: Record<string, Record<string, unknown>> = {};
    for (let count = entries; count > 0; count--) {
      const key = random.pick(keys);
      const values = random.list(random.between(1, 2), () => random.pick(key.values));
      if (random.chance(0.12)) {
        block.Null = { ...block.Null, [key.name]: random.pick(["true", "false"]) };
        continue;
      }
      const prefix = key.many
        ? random.pick(["ForAnyValue:", "ForAllValues:", "ForAnyValue:", "ForAllValues:", ""])
        : random.chance(0.04)
          ? random.pick(["ForAnyValue:", "ForAllValues:"])
          : "";
      const operator = `${prefix}${random.pick(key.operators)}${random.chance(0.2) ? "IfExists" : ""}`;
      block[operator] = { ...block[operator], [key.name]: values };
    }
    return block;
  }

  /** What an organisation forbids; its conditions have no variables. */
  forbidden(): { actions: string[]; resources: string[]; unless: Statement[] } {
    const random = this.#random;
    const fixed = (text: string) => !text.includes("${");
    const some = (all: readonly string[], most: number) =>
      random.list(random.between(0, most), () => random.pick(all));
    const targets = some([...resourcePatterns, ...resources].filter(fixed), 2);
    const wanted = some([...actions, ...actionPatterns], 2);
    const unless = random.list(random.below(3), () => this.block(random.between(1, 2)));
    return {
      actions: wanted.length + targets.length > 0 ? wanted : ["s3:*"],
      resources: targets,
      unless: unless.filter((block) => fixed(JSON.stringify(block))),
    };
  }

  /** A request from the same words, with the keys that are used. */
  request(type: AccessType, used: readonly string[]): AccessRequest {
    const random = this.#random;
    const principal = this.#principal(type);
    const context: Record<string, readonly string[]> = {};
    for (const key of keys) {
      if (!used.includes(key.name.toLowerCase())) continue;
      const values = this.#values(key, principal, context);
      if (values.length > 0) context[key.name] = values;
    }
    link(context, used);
    return {
      principal,
      action: random.pick(actions),
      resource: random.pick(resources),
      context,
      placeholders: { "${var.bucket}": random.pick(["bucket", "other"]) },
    };
  }

  #principal(type: AccessType): RequestPrincipal {
    const random = this.#random;
    const account = random.pick(["111122223333", "444455556666", "777788889999"]);
    const arn = (rest: string) => `arn:aws:iam::${account}:${rest}`;
    const makers: (readonly [number, () => RequestPrincipal])[] = [
      [
        4,
        () => ({
          type: "AWS",
          arn: arn(`role/${random.pick(["app", "p/app2", "x"])}`),
          session: random.pick(["ci", "other"]),
        }),
      ],
      [3, () => ({ type: "AWS", arn: arn(`user/${random.pick(["alice", "bob", "p/alice"])}`) })],
    ];
    if (type !== "identity") makers.push([1, () => ({ type: "AWS", arn: arn("root") })]);
    if (type === "resource" || type === "rcp" || type === "trust") {
      makers.push([
        2,
        () => ({
          type: "Service",
          name: random.pick(["sns.amazonaws.com", "s3.amazonaws.com", "lambda.amazonaws.com"]),
        }),
      ]);
      makers.push([
        1,
        () => ({
          type: "Federated",
          name: "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com",
        }),
      ]);
      if (type !== "trust") makers.push([2, () => ({ type: "Anonymous" })]);
      if (type === "resource") makers.push([1, () => ({ type: "CanonicalUser", name: "abc" })]);
    }
    return random.weighted(makers);
  }

  #values(
    key: Key,
    principal: RequestPrincipal,
    context: Readonly<Record<string, readonly string[]>>,
  ): readonly string[] {
    const random = this.#random;
    const fixed = fixedValue(key.name, principal, context);
    if (fixed !== undefined) return fixed === null ? [] : [fixed];
    const always = ["aws:userid", "aws:SecureTransport", "aws:CurrentTime"].includes(key.name);
    if (key.held.length === 0 || (!always && random.chance(0.35))) return [];
    const isPath = key.name.endsWith("OrgPaths");
    const count = key.many && !isPath ? random.between(1, 2) : 1;
    return [...new Set(random.list(count, () => random.pick(key.held)))];
  }
}

/** Undefined: free; null: absent. */
function fixedValue(
  name: string,
  principal: RequestPrincipal,
  context: Readonly<Record<string, readonly string[]>>,
): string | null | undefined {
  const arn = principal.type === "AWS" ? principal.arn : null;
  const { type } = principal;
  const isIdentity = arn !== null || type === "CanonicalUser";
  switch (name) {
    case "aws:PrincipalArn":
      return arn ?? (isIdentity ? "arn:aws:iam::777788889999:user/x" : null);
    case "aws:PrincipalAccount":
      return arn?.split(":")[4] ?? (type === "Anonymous" ? "anonymous" : "777788889999");
    case "aws:PrincipalType":
      if (arn === null) return type === "Anonymous" ? "Anonymous" : "AssumedRole";
      return arn.endsWith(":root") ? "Account" : arn.includes(":user/") ? "User" : "AssumedRole";
    case "aws:username":
      return arn?.includes(":user/") ? arn.slice(arn.lastIndexOf("/") + 1) : null;
    case "aws:PrincipalIsAWSService":
      if (arn !== null) return "false";
      if (type === "Service") return "true";
      return type === "Anonymous" ? null : "false";
    case "aws:userid":
      return type === "Anonymous" ? "anonymous" : undefined;
    case "aws:PrincipalTag/t":
      return isIdentity && arn?.endsWith(":root") !== true ? undefined : null;
    case "aws:PrincipalOrgID":
    case "aws:PrincipalOrgPaths":
    case "aws:MultiFactorAuthPresent":
      return isIdentity ? undefined : null;
    case "aws:MultiFactorAuthAge":
      if (!isIdentity) return null;
      return context["aws:MultiFactorAuthPresent"]?.[0] === "false" ? null : undefined;
    default:
      return undefined;
  }
}

/** Keeps the facts that tie keys together. */
function link(context: Record<string, readonly string[]>, used: readonly string[]): void {
  if (context["aws:SourceVpc"] || context["aws:SourceVpce"]) delete context["aws:SourceIp"];
  if (context["aws:MultiFactorAuthAge"] && used.includes("aws:multifactorauthpresent")) {
    context["aws:MultiFactorAuthPresent"] = ["true"];
  }
  const clock = context["aws:CurrentTime"]?.[0] ?? "2026-03-01T00:00:00Z";
  if (used.includes("aws:epochtime")) {
    context["aws:EpochTime"] = [String(Date.parse(clock) / 1000)];
  }
  const path = context["aws:PrincipalOrgPaths"]?.[0];
  if (used.includes("aws:principalorgpaths") && used.includes("aws:principalorgid")) {
    if (path === undefined) delete context["aws:PrincipalOrgID"];
    else context["aws:PrincipalOrgID"] = [path.slice(0, path.indexOf("/"))];
  }
  if (used.includes("aws:tagkeys") && used.includes("aws:requesttag/env")) {
    const others = (context["aws:TagKeys"] ?? []).filter((tag) => tag.toLowerCase() !== "env");
    const own = (context["aws:TagKeys"] ?? []).filter((tag) => tag.toLowerCase() === "env");
    const tags = context["aws:RequestTag/env"] ? [...others, own[0] ?? "env"] : others;
    if (tags.length > 0) context["aws:TagKeys"] = tags;
    else delete context["aws:TagKeys"];
  }
}
