import { describe, expect, test } from "vitest";
import type { Action, Service } from "../services/model.ts";
import { type ActionChoice, actionChoices } from "./action-choice.ts";
import { actionPattern } from "./action-index.ts";
import { Budget } from "./budget.ts";
import { caller } from "./callers.ts";
import { Feasibility } from "./feasible.ts";
import { QuestionKeys } from "./keys.ts";
import type { Leaf } from "./leaf.ts";
import { idsOf, type Literal, oneOf, Terms } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import { readTokens, resourcePattern, Variables } from "./read-pattern.ts";
import { isRun, noSlash } from "./tokens.ts";

/** Resource types of each action, by service. */
type Data = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const data: Data = {
  many: { A: [], B: [], C: [], D: [], E: [] },
  s3: {
    GetObject: ["object"],
    ListAllMyBuckets: [],
    ListBucket: ["bucket"],
    PutObject: ["object"],
  },
  ec2: { RunInstances: ["instance"] },
  iam: { PassRole: ["role"] },
  sqs: { DeleteQueue: ["queue"], ListQueues: [], PurgeQueue: ["gone"] },
};
const formats: Readonly<Record<string, readonly string[]>> = {
  bucket: ["arn:${Partition}:s3:::${BucketName}"],
  object: ["arn:${Partition}:s3:::${BucketName}/${ObjectName}"],
  instance: [
    "arn:${Partition}:ec2:${Region}:${Account}:${NameOfAnInstance}/${Part}",
    "arn:${Partition}:ec2:${Region}:${Account}:instance/x/${InstanceId}",
    "arn:${Partition}:ec2:${Region}:${Account}:instance/${InstanceId}",
    "arn:${Partition}:ec2:${Region}::image/${Id}",
    "arn:${Partition}:ec2:${Region}::photo/${ImageId}",
    "arn:${Partition}:ec2:${Region}::instance/${InstanceId}",
    "arn:${Partition}:ec2:${Region}::image/${Id}",
  ],
  role: ["arn:${Partition}:iam::${Account}:role/${RoleNameWithPath}"],
  queue: ["arn:${Partition}:sqs:${Region}:${Account}:${QueueName}"],
};

function serviceOf(prefix: string, actions: Data[string] = {}): Service {
  const known = Object.entries(actions).map(([name, resourceTypes]): Action => {
    const qualified = `${prefix}:${name}`;
    const rest = { accessLevel: "read", conditionKeys: [], description: null } as const;
    return { service: prefix, name, qualified, resourceTypes, supportsKey: () => false, ...rest };
  });
  const folded = (name: string) =>
    known.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return {
    prefix,
    actions: known,
    action: folded,
    resourceTypes: [],
    resourceType(name) {
      const arnFormats = formats[name];
      return arnFormats && { name, arnFormats, conditionKeys: [] };
    },
    conditionKeys: [],
    conditionKey: () => undefined,
  };
}

/** The services of some data; notes which ones were looked up. */
class Services {
  readonly asked: string[] = [];
  readonly #services: ReadonlyMap<string, Service>;
  readonly prefixes: readonly string[];

  constructor(known: Data = data) {
    this.#services = new Map(
      Object.entries(known).map(([prefix, actions]) => [prefix, serviceOf(prefix, actions)]),
    );
    this.prefixes = Object.keys(known);
  }

  get(prefix: string): Service | undefined {
    this.asked.push(prefix);
    return this.#services.get(prefix.toLowerCase());
  }
}

interface Asked {
  /** Entries of a group of actions, or a pattern with wildcards. */
  readonly actions: readonly string[] | string;
  /** `NotAction` of the pattern. */
  readonly negated?: boolean;
  /** Patterns of actions that others take: a request's action is none of them. */
  readonly not?: readonly string[];
  readonly resources?: readonly string[];
  readonly notResources?: readonly string[];
  readonly writtenOut?: readonly string[];
  /** Forms that the leaf has a resource of; default: all. */
  readonly fits?: (form: string) => boolean;
}

const pattern = (text: string): Pattern =>
  resourcePattern(readTokens(text, { wildcards: true, variables: true }, new Variables()) ?? []);

function leafOf({ actions, negated = false, not = [], resources, notResources }: Asked): Leaf {
  const terms = new Terms();
  const budget = new Budget(1_000_000);
  const keys = new QuestionKeys([], new Services());
  const role = caller("role");
  const feasibility = new Feasibility(terms, keys, role, { roles: [], accounts: [] }, budget);
  const action = terms.dimension("@action");
  const resource = terms.dimension("@resource");
  const group =
    typeof actions === "string"
      ? { entries: [actions], pattern: { patterns: [actionPattern(actions)], negated } }
      : { entries: actions, pattern: null };
  const ofAction: Literal[] = not.map((one) => oneOf(terms, action, [actionPattern(one)], true));
  if (group.pattern) ofAction.push(oneOf(terms, action, group.pattern.patterns, negated));
  const ofResource: Literal[] = [];
  if (resources) ofResource.push(oneOf(terms, resource, resources.map(pattern)));
  if (notResources) ofResource.push(oneOf(terms, resource, notResources.map(pattern), true));
  const state = [idsOf(ofAction), ofResource.length > 0 ? idsOf(ofResource) : undefined];
  const statement = {
    index: 0,
    sid: null,
    effect: "allow",
    action: { negated, entries: group.entries },
    resource: null,
    principal: null,
    conditions: [],
    readable: true,
    path: "/Statement/0",
  } as const;
  const origin = { side: "policy", statement, hasVariables: true } as const;
  const scope = { terms, feasibility, budget };
  return { state, scope, caller: role, origin, group, variables: new Variables() };
}

/** A form as its ARN; a wildcard that takes no slash is `~`. */
function textOf({ tokens }: Pattern): string {
  const units = tokens.map((token) =>
    isRun(token) ? ((token & noSlash) !== 0 ? 126 : 42) : token,
  );
  return String.fromCharCode(...units);
}

function shown({ kind, action, form }: ActionChoice): string {
  return `${kind} ${action}${form ? ` on ${textOf(form)}` : ""}`;
}

/** The choices in order, and where control is handed back. */
function* steps(asked: Asked, services: ConstructorParameters<typeof Services>[0] | Services) {
  const known = services instanceof Services ? services : new Services(services);
  const { writtenOut = [], fits = () => true } = asked;
  yield* actionChoices(leafOf(asked), known, writtenOut, function* (form) {
    yield null;
    return fits(textOf(form));
  });
}

function choices(asked: Asked, services: Data | Services = data): readonly string[] {
  return [...steps(asked, services)].flatMap((choice) => (choice ? [shown(choice)] : []));
}

const object = "arn:*:s3:::~/*";
const bucket = "arn:*:s3:::~";

describe("actions of a group", () => {
  test.each([
    [
      "a known one, in AWS's spelling, then on what it does not work on",
      { actions: ["S3:getobject"] },
      [`grants s3:GetObject on ${object}`, "unfitting s3:GetObject"],
    ],
    [
      "one that works on no resource",
      { actions: ["s3:ListAllMyBuckets"] },
      ["grants s3:ListAllMyBuckets on *", "unfitting s3:ListAllMyBuckets"],
    ],
    [
      "one on whose resources it cannot be",
      { actions: ["s3:GetObject"], fits: () => false },
      ["unfitting s3:GetObject"],
    ],
    [
      "the ones that fit, then the first of all",
      { actions: ["s3:GetObject", "s3:ListBucket"], fits: (form: string) => form === bucket },
      [`grants s3:ListBucket on ${bucket}`, "unfitting s3:GetObject"],
    ],
    [
      "unknown ones as written, after known ones",
      { actions: ["s3:Foo", "s3:GetObject", "foo:Bar"] },
      [
        `grants s3:GetObject on ${object}`,
        "grants s3:Foo",
        "grants foo:Bar",
        "unfitting s3:GetObject",
      ],
    ],
    [
      "unknown ones alone, whatever else is written out",
      { actions: ["s3:Foo"], writtenOut: ["s3:Foo", "foo:Bar"] },
      ["grants s3:Foo"],
    ],
    [
      "at most four that fit",
      { actions: ["A", "B", "C", "D", "E"].map((name) => `many:${name}`) },
      [..."ABCD"].map((name) => `grants many:${name} on *`).concat("unfitting many:A"),
    ],
    [
      "one whose resource type the data does not describe",
      { actions: ["sqs:PurgeQueue"] },
      ["unfitting sqs:PurgeQueue"],
    ],
  ] satisfies readonly (readonly [string, Asked, readonly string[]])[])(
    "%s",
    (_, asked, wanted) => {
      expect(choices(asked)).toEqual(wanted);
    },
  );
});

describe("actions of a pattern", () => {
  const unknown = (...names: readonly string[]) => names.map((name) => `unknown_action ${name}`);

  test.each([
    [
      "known ones in order, then the first on anything, then new ones",
      { actions: "s3:*Object" },
      [
        `grants s3:GetObject on ${object}`,
        `grants s3:PutObject on ${object}`,
        "unfitting s3:GetObject",
        ...unknown("s3:NewActionobject", "s3:OtherActionobject"),
      ],
    ],
    [
      "but none that is excluded",
      { actions: "s3:*Object", not: ["s3:GetObject"] },
      [
        `grants s3:PutObject on ${object}`,
        "unfitting s3:PutObject",
        ...unknown("s3:NewActionobject", "s3:OtherActionobject"),
      ],
    ],
    [
      "written-out ones that fit and are not known",
      {
        actions: "s3:*",
        fits: () => false,
        writtenOut: ["S3:Foo", "s3:GetObject", "foo:Bar", "s3:F*", "s3:Fo?", "s3", "s3:Bar"],
        not: ["s3:Bar"],
      },
      ["grants S3:Foo", "unfitting s3:GetObject", ...unknown("s3:NewAction", "s3:OtherAction")],
    ],
    [
      "a written-out text without a colon, which is not an action",
      { actions: "*", fits: () => false, writtenOut: ["foo"] },
      ["unfitting s3:GetObject", ...unknown("example:NewAction", "example:OtherAction")],
    ],
    [
      "of a service that the data does not have",
      { actions: "foo:*" },
      unknown("foo:NewAction", "foo:OtherAction"),
    ],
    [
      "new ones in other words where the usual ones are excluded",
      { actions: "foo:*", not: ["foo:New*", "foo:OtherAction"] },
      unknown("foo:x1", "foo:x"),
    ],
    ["... of no service", { actions: ":x*" }, []],
    [
      "each once, although its service is that of the resource too",
      { actions: "*:ListQ*", resources: ["arn:aws:sqs:*:*:*"] },
      [
        "grants sqs:ListQueues on *",
        "unfitting sqs:ListQueues",
        ...unknown("example:listqNewAction", "example:listqOtherAction"),
      ],
    ],
    [
      "all but those of a pattern",
      { actions: "s3:*", negated: true, fits: () => false },
      ["unfitting ec2:RunInstances", ...unknown("example:NewAction", "example:OtherAction")],
    ],
  ] satisfies readonly (readonly [string, Asked, readonly string[]])[])(
    "%s",
    (_, asked, wanted) => {
      expect(choices(asked)).toEqual(wanted);
    },
  );

  test("of 2,000 known actions are looked through", () => {
    const of = (count: number) => ({
      s3: {
        ...Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`A${index}`, []])),
        Last: [],
      },
    });
    expect(choices({ actions: "s3:L*" }, of(2_000))).toContain("grants s3:Last on *");
    expect(choices({ actions: "s3:L*" }, of(2_001))).not.toContain("grants s3:Last on *");
  });

  test("are those of usual services where the data does not say which there are", () => {
    const known = new Services();
    const found = [
      ...actionChoices(
        leafOf({ actions: "*:P*" }),
        { get: (prefix) => known.get(prefix) },
        [],
        () => afterPause(false),
      ),
    ];
    expect(found.find((one) => one !== null)?.action).toBe("s3:PutObject");
    expect(new Set(known.asked)).toEqual(new Set(["s3", "ec2", "iam"]));
  });

  test("hand control back while none of them fits", () => {
    const known = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`Action${at}`, []]));
    const found = [...steps({ actions: "s3:Foo" + "*" }, { s3: known })];
    expect(found.filter((step) => step === null).length).toBeGreaterThanOrEqual(2);
    // The search for a new action hands control back as well.
    const not = Array.from({ length: 600 }, (_, at) => `s3:Foo${at}*`);
    const none = [...steps({ actions: "s3:Foo*", not }, {})];
    expect(none).toContain(null);
  });
});

describe("services are looked through", () => {
  const queue = "arn:aws:sqs:us-east-1:111122223333:q";

  test.each([
    ["of a pattern", { actions: "sqs:*" }, ["sqs"]],
    ["once", { actions: "*", not: ["s3:Get*"] }, ["s3", "ec2", "iam", "many", "sqs"]],
    [
      "of the resources first",
      { actions: "*", resources: [queue] },
      ["sqs", "s3", "ec2", "iam", "many"],
    ],
    [
      "in the order of the resources",
      { actions: "*", resources: [queue, "arn:aws:many:::x"] },
      ["sqs", "many", "s3", "ec2", "iam"],
    ],
    [
      "of a resource with an open service",
      { actions: "*", resources: ["arn:aws:sq*:::x"] },
      ["s3", "ec2", "iam", "many", "sqs"],
    ],
    [
      "of a resource without a service",
      { actions: "*", resources: ["arn:aws::::x", "*"] },
      ["s3", "ec2", "iam", "many", "sqs"],
    ],
    [
      "not of resources that are excluded",
      { actions: "*", notResources: [queue] },
      ["s3", "ec2", "iam", "many", "sqs"],
    ],
    ["of a pattern, whatever the resource", { actions: "s3:*", resources: [queue] }, ["s3"]],
    [
      "of a pattern with an open service",
      { actions: "s*:List*" },
      ["s3", "ec2", "iam", "many", "sqs"],
    ],
    ["of a pattern without a colon", { actions: "s3*" }, ["s3", "ec2", "iam", "many", "sqs"]],
    [
      "of all but those of a pattern",
      { actions: "s3:*", negated: true },
      ["s3", "ec2", "iam", "many", "sqs"],
    ],
  ] satisfies readonly (readonly [string, Asked, readonly string[]])[])(
    "%s",
    (_, asked, wanted) => {
      const services = new Services();
      choices({ ...asked, fits: () => false }, services);
      // What an action works on is asked of its service too.
      expect([...new Set(services.asked)]).toEqual(wanted);
    },
  );
});

describe("an action that has to fit one pattern of several", () => {
  function found(...patterns: readonly string[]) {
    const leaf = leafOf({ actions: "*" });
    const { terms } = leaf.scope;
    const both = oneOf(terms, terms.dimension("@action"), patterns.map(actionPattern));
    const state = [idsOf([...(leaf.state[0] ?? []).map((id) => terms.get(id)), both])];
    const services = new Services();
    const steps = actionChoices({ ...leaf, state }, services, [], () => afterPause(false));
    const all = [...steps].flatMap((choice) => (choice ? [shown(choice)] : []));
    return { all, asked: [...new Set(services.asked)] };
  }

  test("is looked for in the services of all of them", () => {
    expect(found("sqs:*", "many:*").asked).toEqual(["sqs", "many"]);
    expect(found("sqs:*", "*:List*").asked).toEqual(["s3", "ec2", "iam", "many", "sqs"]);
  });

  test("is one of three new ones at most", () => {
    expect(found("foo:*", "bar:*").all).toEqual([
      "unknown_action foo:NewAction",
      "unknown_action foo:OtherAction",
      "unknown_action bar:NewAction",
    ]);
  });
});

/** An answer after one pause. */
function* afterPause(answer: boolean): Generator<null, boolean> {
  yield null;
  return answer;
}

test("forms are tried from the one with the least fixed text, each once", () => {
  const tried: string[] = [];
  const fits = (form: string) => {
    tried.push(form);
    return false;
  };
  choices({ actions: ["ec2:RunInstances"], fits });
  expect(tried).toEqual([
    "arn:*:ec2:*:*:*/*",
    "arn:*:ec2:*::image/*",
    "arn:*:ec2:*::photo/*",
    "arn:*:ec2:*::instance/*",
    "arn:*:ec2:*:*:instance/*",
    "arn:*:ec2:*:*:instance/x/*",
  ]);
});

test("a form keeps its first five fields apart", () => {
  const [choice] = [...steps({ actions: ["iam:PassRole"] }, data)].filter((one) => one !== null);
  expect(choice?.form?.fielded).toBe(true);
});
