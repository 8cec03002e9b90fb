import { describe, expect, test } from "vitest";
import { engineFor } from "../../../test/support/run-check.ts";
import { validatePolicy } from "../../engine/run.ts";
import { parseDocument } from "../../policy/document.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { builtinChecks } from "../index.ts";
import { escalationPaths } from "./path-table.ts";

const serviceOf = (action: string) => action.slice(0, action.indexOf(":"));

const services = embeddedServices();
await services.load(escalationPaths.flatMap(({ actions }) => actions.map(serviceOf)));
const engine = engineFor(builtinChecks, {}, services);

/** The paths that the findings of all checks name under the default config. */
async function pathsNamed(Statement: readonly object[]): Promise<string[]> {
  const { findings } = await validatePolicy(
    {
      document: await parseDocument({ Version: "2012-10-17", Statement }),
      name: null,
      declaredType: null,
      label: "policy",
    },
    engine,
  );
  return findings.flatMap(({ escalation_paths }) => (escalation_paths ?? []).map(({ id }) => id));
}

const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...more,
});
const allowAllBut = (NotAction: unknown) => ({ Effect: "Allow", NotAction, Resource: "*" });
const deny = (Action: unknown, more: object = {}) => ({ ...allow(Action, more), Effect: "Deny" });

const servicesOf = (actions: readonly string[]) => [...new Set(actions.map(serviceOf))];

/** The ARNs of every resource that the action works on. */
function everyResource(action: string): string[] {
  const service = services.get(serviceOf(action));
  const types = service?.action(action.slice(action.indexOf(":") + 1))?.resourceTypes ?? [];
  const arns = types.flatMap((type) =>
    (service?.resourceType(type)?.arnFormats ?? []).map((format) =>
      format.replace("${Partition}", "aws").replaceAll(/\$\{[^}]*\}/g, "*"),
    ),
  );
  return arns.length > 0 ? arns : ["*"];
}

const harmless = [
  { StringEquals: { "aws:RequestedRegion": "eu-central-1" } },
  { Bool: { "aws:SecureTransport": "true" } },
  { StringLike: { "aws:PrincipalArn": "*" } },
];

const passRole = "iam:PassRole";

function grantingForms(actions: readonly string[]): [string, object[]][] {
  const [first = "", ...others] = actions;
  return [
    ["exact actions", [allow(actions)]],
    ["a star at the end", [allow(actions.map((one) => `${one.slice(0, -3)}*`))]],
    ["a star in the middle", [allow(actions.map((one) => one.replace(/:(..).(.*)$/, ":$1*$2")))]],
    ["question marks", [allow(actions.map((one) => one.replace(/:./, ":?")))]],
    ["whole services", [allow(servicesOf(actions).map((one) => `${one}:*`))]],
    ["every action", [allow("*")]],
    ["every action in another spelling", [allow("*:*")]],
    ["all but another service", [allowAllBut("s3:*")]],
    ["all but another action", [allowAllBut(["iam:ListUsers", "ec2:DescribeTags"])]],
    ["one by name, the rest by exclusion", [allow(first), allowAllBut(first)]],
    ["one by name, the rest by a star", [allow(first), allow(["*"])]],
    ["several statements", actions.map((one) => allow(one))],
    ["several statements, the last one first", actions.toReversed().map((one) => allow(one))],
    ["ARNs of every resource", actions.map((one) => allow(one, { Resource: everyResource(one) }))],
    ["several resources", [allow(actions, { Resource: ["arn:aws:s3:::example", "*"] })]],
    ["lower case", [allow(actions.map((one) => one.toLowerCase()))]],
    ["upper case", [allow(actions.map((one) => one.toUpperCase()))]],
    ...harmless.map((Condition): [string, object[]] => [
      `the condition ${JSON.stringify(Condition)}`,
      [allow(actions, { Condition })],
    ]),
    ["a Deny of other actions", [allow(actions), deny(["iam:DeleteRole", "s3:*"])]],
    [
      "a Deny on one resource",
      [
        allow(actions),
        deny([first, ...others], { Resource: "arn:aws:iam::111122223333:role/admin" }),
      ],
    ],
    [
      "a Deny outside one Region",
      [
        allow(actions),
        deny("*", { Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-central-1" } } }),
      ],
    ],
  ];
}

function endingForms(actions: readonly string[], passedTo: readonly string[]) {
  const forms: [string, object[]][] = actions.flatMap((one) => [
    [`a Deny of ${one}`, [allow(actions), deny(one)]],
    [`a Deny of ${one} beside a star`, [allow("*"), deny(one)]],
    [
      `a Deny of ${one} beside services`,
      [allow(servicesOf(actions).map((s) => `${s}:*`)), deny(one)],
    ],
    [`a Deny of a pattern of ${one}`, [allow(actions), deny(`${one.slice(0, -2)}*`)]],
    [`a Deny of the service of ${one}`, [allow(actions), deny(`${serviceOf(one)}:*`)]],
    [
      `a Deny of all but others than ${one}`,
      [
        allow(actions),
        {
          Effect: "Deny",
          NotAction: actions.filter((other) => other !== one).concat("s3:*"),
          Resource: "*",
        },
      ],
    ],
    [`a NotAction with ${one}`, [allowAllBut(["s3:*", one])]],
    [`a NotAction with the service of ${one}`, [allowAllBut([`${serviceOf(one)}:*`])]],
    [
      `a resource that ${one} never meets`,
      [
        allow(actions.filter((other) => other !== one)),
        allow(one, { Resource: "arn:aws:sqs:eu-central-1:111122223333:example" }),
      ],
    ],
  ]);
  if (!actions.includes(passRole)) return forms;
  const rest = actions.filter((one) => one !== passRole);
  const to = "vpc-flow-logs.amazonaws.com";
  const limits: [string, object][] = [
    ["StringEquals", { StringEquals: { "iam:PassedToService": to } }],
    ["StringLike", { StringLike: { "iam:PassedToService": "vpc-flow-*.amazonaws.com" } }],
    ["ForAnyValue", { "ForAnyValue:StringEquals": { "iam:PassedToService": [to] } }],
    ["StringNotEquals", { StringNotEquals: { "iam:PassedToService": passedTo } }],
  ];
  for (const [name, Condition] of limits) {
    forms.push([
      `a role for another service (${name})`,
      [allow(rest), allow(passRole, { Condition })],
    ]);
    forms.push([
      `a role for another service (${name}), the rest by exclusion`,
      [allowAllBut("iam:*"), allow(passRole, { Condition })],
    ]);
  }
  forms.push([
    "a Deny of other services",
    [
      allow(actions),
      deny(passRole, { Condition: { StringNotEquals: { "iam:PassedToService": to } } }),
    ],
  ]);
  forms.push([
    "a Deny of the service",
    [
      allow("*"),
      deny(passRole, { Condition: { StringEquals: { "iam:PassedToService": passedTo } } }),
    ],
  ]);
  return forms;
}

describe.each(escalationPaths)("the path $id", ({ id, actions, passedTo }) => {
  test.each(grantingForms(actions))("is named where it is granted by %s", async (_, statements) => {
    expect(await pathsNamed(statements)).toContain(id);
  });

  test.each(endingForms(actions, passedTo))("is not named beside %s", async (_, statements) => {
    expect(await pathsNamed(statements)).not.toContain(id);
  });
});
