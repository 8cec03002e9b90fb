import type { AnyRequest, AttackPlan } from "./attack-plan.ts";
import { tokens } from "./target.ts";

type Flood = Omit<AttackPlan, "port" | "host">;
type Body = AnyRequest["body"];

/** The string that is replaced. */
const here = "HERE";

function flood(request: AnyRequest, more: Partial<Flood> = {}): Flood {
  const plan = { kind: "any", connections: 100, rounds: 10_000, size: 0, pipelined: true } as const;
  return { ...plan, request, ...more };
}

const get = (path: string, headers: Record<string, string> = {}): AnyRequest => ({
  method: "GET",
  path,
  headers,
  body: [],
});

const post = (body: Body, headers: Record<string, string> = {}): AnyRequest => ({
  method: "POST",
  path: "/mcp",
  headers,
  body,
});

function message(method: string, params: object): Body {
  return [[JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), 1]];
}

function call(args: object, name = "validate_policies"): AnyRequest {
  return post(message("tools/call", { name, arguments: args }));
}

/** A call with other text in the place of the string `HERE`. */
function calling(args: object, parts: Body): AnyRequest {
  const [[whole = ""] = []] = call(args).body;
  const [before = "", after = ""] = whole.split(JSON.stringify(here));
  return post([[before, 1], ...parts, [after, 1]]);
}

const policy = (Statement: readonly object[]) => ({ Version: "2012-10-17", Statement });
const many = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

const objects = (count: number) =>
  policy(
    many(count, (at) => ({
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: `arn:aws:s3:::b${at}/*`,
    })),
  );

/** Statements whose patterns overlap in every pair. */
const patterns = (count: number, letter: string) =>
  policy(
    many(count, (at) => ({
      Effect: at % 2 ? "Deny" : "Allow",
      Action: `s3:*${"abcdefghij"[at % 10]}*${at}*`,
      Resource: `arn:aws:s3:::*${letter}*${at}*/*x*`,
      Condition: { StringLike: { "aws:PrincipalTag/a": [`*${at}*`, `?${at}*`] } },
    })),
  );

/** Eight anchors, each a list of eight aliases of the one before. */
const aliases = [
  "a: &a [x,x,x,x,x,x,x,x]",
  ...many(7, (at) => {
    const [before, name] = "abcdefgh".slice(at);
    return `${name}: &${name} [${many(8, () => `*${before}`).join()}]`;
  }),
  "Statement: *h",
].join("\n");

const template = JSON.stringify({
  Resources: Object.fromEntries(
    many(150, (at) => [
      `R${at}`,
      {
        Type: "AWS::IAM::Policy",
        Properties: {
          PolicyName: `p${at}`,
          PolicyDocument: policy([
            {
              Effect: "Allow",
              Action: "s3:*",
              Resource: { "Fn::Sub": "arn:${AWS::Partition}:s3:::${B}/*" },
            },
          ]),
        },
      },
    ]),
  ),
});

const terraform = many(
  200,
  (at) =>
    `resource "aws_iam_policy" "p${at}" {\n  policy = jsonencode({Statement=[{Effect="Allow",Action="s3:*",Resource="arn:aws:s3:::\${var.b}/*"}]})\n}\n`,
).join("");

const trust = policy(
  many(300, (at) => ({
    Effect: "Allow",
    Principal: { AWS: `arn:aws:iam::${100_000_000_000 + at}:root` },
    Action: "sts:AssumeRole",
    Condition: { StringLike: { "sts:ExternalId": `*${at}` } },
  })),
);

const wide = policy([
  { Effect: "Allow", Action: ["iam:*", "s3:*", "ec2:*", "lambda:*"], Resource: "*" },
]);

const all = { token: tokens.all };
const large = { connections: 60, rounds: 1_000 };

/** One kind of request each, of everything that a caller may send. The server bore each when it was first tried. */
export const requestFloods: readonly (readonly [name: string, plan: Flood])[] = [
  [
    "preflights of many origins",
    flood({
      method: "OPTIONS",
      path: "/mcp",
      headers: { Origin: "https://o{i}.example.com", "Access-Control-Request-Method": "POST" },
      body: [],
    }),
  ],
  ["long paths", flood(get(`/mcp?${"x".repeat(12_000)}`))],
  ["12 KB of cookies", flood(get("/health", { Cookie: "a=b;".repeat(3_000) }))],
  ["unknown paths", flood(get("/p/{i}"))],
  ["metadata documents", flood(get("/.well-known/oauth-protected-resource/mcp"))],
  ["upgrades", flood(get("/mcp", { Connection: "Upgrade", Upgrade: "websocket" }))],
  [
    "deletions of sessions",
    flood({ method: "DELETE", path: "/mcp", headers: { "Mcp-Session-Id": "s{i}" }, body: [] }),
  ],
  ["unknown sessions", flood(post(message("ping", {}), { "Mcp-Session-Id": "s{i}" }))],
  [
    "unknown tokens of 4 KB",
    flood(post(message("ping", {})), { token: `bad{i}${"x".repeat(4_000)}` }),
  ],
  ["compressed bodies", flood(post(message("ping", {}), { "Content-Encoding": "gzip" }))],
  [
    "cancellations of unknown requests",
    flood(
      post([
        ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"{i}"}}', 1],
      ]),
    ),
  ],
  ["pings", flood(post(message("ping", {})))],
  ["lists of tools", flood(post(message("tools/list", {})))],
  [
    "prompts with 30 KB of arguments",
    flood(post(message("prompts/get", { name: "x", arguments: { a: "y".repeat(30_000) } }))),
  ],
  [
    "unknown resources",
    flood(post(message("resources/read", { uri: `validator://${"x".repeat(5_000)}` }))),
  ],
  [
    "completions",
    flood(
      post(
        message("completion/complete", {
          ref: { type: "ref/prompt", name: "x" },
          argument: { name: "a", value: "s3" },
        }),
      ),
    ),
  ],
  ["describe_checks", flood(call({}, "describe_checks"), all)],
  ["get_config", flood(call({}, "get_config"), all)],
  ["aliases of aliases in YAML", flood(call({ policies: [aliases] }))],
  [
    "60 KB of YAML",
    flood(
      call({
        policies: [
          `Statement:\n${"- {Effect: Allow, Action: 's3:*', Resource: '*'}\n".repeat(1_200)}`,
        ],
      }),
    ),
  ],
  ["templates of 150 policies", flood(call({ policies: [template] }))],
  ["Terraform files of 200 policies", flood(call({ policies: [terraform] }))],
  ["fixes of 400 statements", flood(call({ policies: [objects(400)], fix: true, detail: "full" }))],
  [
    "fixes of one statement",
    flood(
      call({ policies: [policy([{ Effect: "Allow", Action: "*", Resource: "*" }])], fix: true }),
    ),
  ],
  [
    "baselines of 60 statements",
    flood(call({ policies: [{ policy: patterns(60, "q"), baseline: patterns(60, "r") }] })),
  ],
  [
    "baselines of 10 statements",
    flood(call({ policies: [{ policy: patterns(10, "q"), baseline: patterns(10, "r") }] })),
  ],
  [
    "local analyses of 500 statements",
    flood(call({ policy: objects(500), engine: "local" }, "analyze_policy"), all),
  ],
  [
    "local analyses of 2 statements",
    flood(call({ policy: objects(2), engine: "local" }, "analyze_policy"), all),
  ],
  [
    "queries with 50 wildcards",
    flood(
      call(
        { kind: "expand_wildcard", patterns: many(20, (at) => `ec2:${"*a".repeat(50)}*${at}`) },
        "query",
      ),
      all,
    ),
  ],
  ["100 small policies", flood(call({ policies: many(100, () => wide) }))],
  [
    "trust policies of 300 accounts",
    flood(call({ policies: [{ policy: trust, policy_type: "trust" }] })),
  ],
  [
    "reports in HTML",
    flood(call({ policies: many(20, () => wide), format: "html", detail: "full" })),
  ],
  [
    "2,500 unknown services",
    flood(
      call({
        policies: [
          policy([{ Effect: "Allow", Action: many(2_500, (at) => `zz${at}:Get*`), Resource: "*" }]),
        ],
      }),
    ),
  ],
  ["60,000 levels", flood(post([["[", 60_000]]))],
  [
    "5,000 members of one name",
    flood(
      calling({ policies: here }, [
        ['[],"policies":', 5_000],
        ["[]", 1],
      ]),
    ),
  ],
  [
    "3,000 numbers that are too large",
    flood(
      calling({ policies: [{ a: [here] }] }, [
        [`${"1".repeat(18)}e300,`, 3_000],
        ["1", 1],
      ]),
    ),
  ],
  [
    "2 MB of statements",
    flood(
      calling({ policies: [{ Statement: [here] }] }, [
        [`${JSON.stringify(objects(1).Statement[0])},`, 26_000],
        ["{}", 1],
      ]),
      large,
    ),
  ],
  ["2 MB of white space", flood(post([[" ", 2_000_000]]), large)],
  [
    "2 MB of escapes",
    flood(
      calling({ policies: [here] }, [
        ['"', 1],
        ["\\u0000", 330_000],
        ['"', 1],
      ]),
      large,
    ),
  ],
];
