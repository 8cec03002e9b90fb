import { describe, expect, it } from "vitest";
import { placesIn, type ShownPlace } from "../../../test/support/container-places.ts";
import { spanOf } from "../../json/text-tree.ts";
import { terraformFile } from "./file.ts";

const read = async (text: string): Promise<ShownPlace[]> =>
  (await placesIn(terraformFile, text, "main.tf")) ?? [];

const only = async (text: string): Promise<ShownPlace> => {
  const places = await read(text);
  expect(places).toHaveLength(1);
  return places[0] as ShownPlace;
};

const policy = (expression: string) =>
  `resource "aws_iam_policy" "p" {\n  policy = ${expression}\n}\n`;
const document = (resource: unknown) => ({
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resource }],
});
const encoded = (resource: string) =>
  `jsonencode({ Statement = [{ Effect = "Allow", Action : "s3:GetObject", "Resource" = ${resource} }] })`;

describe("values in Terraform files", () => {
  it.each([
    ["a literal", '"arn:aws:s3:::jobs/*"', "arn:aws:s3:::jobs/*"],
    ["a template", '"arn:aws:s3:::${var.bucket}/*"', "arn:aws:s3:::${var.bucket}/*"],
    [
      "a policy variable",
      '"arn:aws:s3:::jobs/$${aws:username}"',
      "arn:aws:s3:::jobs/${aws:username}",
    ],
    ["escapes", '"a\\"\\u00e8\\\\b"', 'a"è\\b'],
    ["a reference", "var.arns", "${var.arns}"],
    ["a list in several parts", 'concat(["a"], var.more, ["b"])', ["a", "${var.more}", "b"]],
    ["a formatted text", 'format("arn:%s:s3:::%s", var.p, "x")', "arn:${var.p}:s3:::x"],
    ["a joined text", 'join("/", ["a", var.b])', "a/${var.b}"],
    ["a function of another kind", 'lookup(var.m, "a")', '${lookup(var.m, "a")}'],
    ["parentheses and a comment", '( /* why */ "a")', "a"],
    ["the name of a bucket", '"arn:aws:s3:::${aws_s3_bucket.b.id}"', "arn:aws:s3:::jobs"],
  ])("reads %s", async (_title, written, resource) => {
    const bucket = 'resource "aws_s3_bucket" "b" {\n bucket = "jobs"\n}\n';
    const { documents, state } = await only(bucket + policy(encoded(written)));
    expect(documents).toEqual([document(resource)]);
    expect(state).toBe("read");
  });

  it("resolves locals, also in locals, and leaves a cycle unknown", async () => {
    const locals =
      'locals {\n a = "x"\n b = { names = ["${local.a}y"] }\n c = local.d\n d = local.c\n}\n';
    const { documents } = await only(
      locals + policy(encoded('[local.b.names[0], local.c, local.b["names"], local.none]')),
    );
    expect(documents).toEqual([document(["xy", "${local.c}", ["xy"], "${local.none}"])]);
  });

  it("leaves the default of a variable open, because a deployment may set another", async () => {
    const variable = 'variable "bucket" {\n default = "*"\n}\n';
    const { documents } = await only(variable + policy(encoded("var.bucket")));
    expect(documents).toEqual([document("${var.bucket}")]);
  });

  const replaced = (call: string) =>
    `locals {\n policy = replace(${call}, var.arn)\n host = replace(var.url, "https://", "")\n}\n`;
  /** Which resources of the only policy have an unknown part. */
  const openResources = async (text: string) => {
    const { place, documents } = await only(text);
    expect(JSON.stringify(documents)).toContain('"_ARN_"');
    const [read] = place.alternatives;
    const [, list = "[]"] = /"Resource":(\[[^\]]*\])/.exec(JSON.stringify(read?.value)) ?? [];
    return (JSON.parse(list) as string[]).map((one) => one.includes("\ue000"));
  };
  const words = encoded('["_ARN_", "_ARN_/*", "https://", "_OTHER_"]');

  it.each([
    ["replaces", replaced('var.policy, "_ARN_"')],
    ["replaces beside others", `${replaced('var.p, "BUCKET"')}${replaced('"_X_", "_ARN_"')}`],
    ["replaces in the result of a call", replaced('replace(var.p, "_ID_", "x"), "_ARN_"')],
  ])("leaves a word open that the module %s", async (_title, locals) => {
    expect(await openResources(locals + policy(words))).toEqual([true, true, false, false]);
  });

  it.each([
    ["nothing replaces", ""],
    ["a comment replaces", '# replace(var.policy, "_ARN_", var.arn)\n'],
    ["another argument has", replaced('"_ARN_", "_ID_"')],
    ["a pattern has", replaced('var.policy, "/_ARN_/"')],
  ])("keeps a word that %s", async (_title, locals) => {
    expect(await openResources(locals + policy(words))).toEqual([false, false, false, false]);
  });

  it("leaves the verbs of format open, where its text is not in the call", async () => {
    const verbs = encoded('["_ARN_", "%s", "%d/*", "100%"]');
    const call = (text: string) => `locals {\n policy = format(${text}, var.arn)\n}\n`;
    expect(await openResources(call("local.document") + policy(verbs))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(await openResources(call('"arn:%s"') + policy(verbs))).not.toContain(true);
  });

  it("leaves a word open that the input of a module has, unless a resource has the policy", async () => {
    const data =
      'data "aws_iam_policy_document" "d" {\n statement {\n resources = ["_ARN_", "ARN"]\n }\n}\n';
    const reference = "data.aws_iam_policy_document.d.json";
    const input = `module "m" {\n source = "./m"\n policy = ${reference}\n}\n`;
    expect(await openResources(data + input)).toEqual([true, false]);
    expect(await openResources(data)).toEqual([false, false]);
    expect(await openResources(data + input + policy(reference))).toEqual([false, false]);
    const inline = `module "m" {\n policy = ${words}\n}\n`;
    expect(await openResources(inline)).toEqual([true, true, false, true]);
  });

  it("ends at an expression that nests too deeply", async () => {
    const [place] = await read(policy(encoded(`${"[".repeat(3000)}${"]".repeat(3000)}`)));
    expect(place?.state).toBe("read");
  });
});

describe("policies in Terraform files", () => {
  it("reads a heredoc, with the positions of the file", async () => {
    const text = policy(
      '<<-EOF\n    {"Statement": [\n      {"Effect": "Allow", "Action": "s3:Get*", "Resource": "${var.r}"}\n    ]}\n  EOF',
    );
    const { documents, place, source } = await only(text);
    expect(documents).toEqual([
      { Statement: [{ Effect: "Allow", Action: "s3:Get*", Resource: "${var.r}" }] },
    ]);
    const [alternative] = place.alternatives;
    const action = alternative?.root?.members
      ?.get("Statement")
      ?.value.items?.[0]?.members?.get("Action");
    expect(source.text?.slice(action?.value.start, action?.value.end)).toBe('"s3:Get*"');
  });

  it("reads unknown values that are not in a string of the text", async () => {
    const { documents } = await only(
      policy(
        '"{\\"Statement\\": [${var.one}, {\\"Effect\\": \\"Allow\\", \\"Resource\\": ${jsonencode(["a"])}}]}"',
      ),
    );
    expect(documents).toEqual([
      { Statement: ["${var.one}", { Effect: "Allow", Resource: ["a"] }] },
    ]);
  });

  it("reads one outcome of each directive, and says so", async () => {
    const { documents, state } = await only(
      policy(
        '<<EOF\n{"Statement": {"Effect": "Allow", "Action": [%{ for a in var.actions ~}\n"s3:Get", %{ endfor ~}], "Resource": %{ if var.all }"*"%{ else }"${var.r}"%{ endif }}}\nEOF',
      ),
    );
    expect(documents).toEqual([
      { Statement: { Effect: "Allow", Action: ["s3:Get"], Resource: "*" } },
    ]);
    expect(state).toBe("partly_read");
  });

  it("reads the text that format and replace fill in", async () => {
    const text =
      '{"Statement": [{"Effect": "Allow", "Action": "s3:Get*", "Resource": "%s/ACCOUNT"}]}';
    const filled = `format(<<EOF\n${text}\nEOF\n, var.bucket)`;
    const { documents, place } = await only(policy(`replace(${filled}, "ACCOUNT", var.id)`));
    expect(documents).toEqual([
      { Statement: [{ Effect: "Allow", Action: "s3:Get*", Resource: "%s/ACCOUNT" }] },
    ]);
    const [read] = place.alternatives;
    expect(JSON.stringify(read?.value)).not.toMatch(/%s|ACCOUNT/);
    const data = `data "aws_iam_policy_document" "d" {\n statement {\n resources = ["%s"]\n }\n}\n`;
    const call = policy("format(data.aws_iam_policy_document.d.json, var.arn)");
    expect(await only(data + call)).toMatchObject({
      address: "data.aws_iam_policy_document.d",
      type: "IDENTITY_POLICY",
    });
  });

  it("knows that a module for endpoints takes endpoint policies", async () => {
    const data = `data "aws_iam_policy_document" "d" {\n statement {\n resources = ["*"]\n }\n}\n`;
    const inputs = (source: string) => `module "m" {
  source = "${source}"
  endpoints = {
    s3 = { policy = ${encoded('"*"')} }
    ecr = { policy = data.aws_iam_policy_document.d.json }
  }
}
`;
    const typesIn = async (source: string) =>
      (await read(data + inputs(source))).map(({ type }) => type);
    const endpoints = "terraform-aws-modules/vpc/aws//modules/vpc-endpoints";
    expect(await typesIn(endpoints)).toEqual(["ENDPOINT_POLICY", "ENDPOINT_POLICY"]);
    expect(await typesIn("./bucket")).toEqual([null, null]);
  });

  it("names a text that is not JSON as a fault of the policy", async () => {
    const { place } = await only(policy('"{\\"Statement\\": [}"'));
    expect(place.alternatives[0]?.faults[0]?.kind).toBe("syntax");
  });

  it.each([
    ["var.policy", "The value of `var.policy` is not in this file."],
    ['file("${path.module}/p.json")', "The document is in the file `${path.module}/p.json`."],
    [
      "data.aws_iam_policy_document.elsewhere.json",
      "The value of `data.aws_iam_policy_document.elsewhere.json` is not in this file.",
    ],
  ])("says that %s was not read", async (expression, reason) => {
    expect(await only(policy(expression))).toMatchObject({ state: "not_read", reason });
  });

  it.each(["null", '""'])("finds no policy in %s", async (expression) => {
    expect(await read(policy(expression))).toEqual([]);
  });

  it("knows the types of policies, and that others are not IAM policies", async () => {
    const places = await read(`
provider "aws" {
  assume_role {
    policy = "{}"
  }
}
resource "aws_iam_role" "r" {
  assume_role_policy   = "{}"
  permissions_boundary = aws_iam_policy.limit.arn
  inline_policy {
    policy = "{}"
  }
}
resource "aws_iam_policy" "limit" {
  policy = "{}"
}
resource "aws_vpc_endpoint" "v" {
  policy = "{}"
}
resource "aws_organizations_policy" "scp" {
  content = "{}"
}
resource "aws_organizations_policy" "tags" {
  type    = "TAG_POLICY"
  content = "{}"
}
resource "aws_sqs_queue" "q" {
  policy         = "{}"
  redrive_policy = "{}"
}
resource "aws_ecr_lifecycle_policy" "l" {
  policy = "{}"
}
`);
    expect(places.map(({ address, type }) => [address, type])).toEqual([
      ["provider.aws.assume_role[0].policy", "SESSION_POLICY"],
      ["aws_iam_role.r.assume_role_policy", "TRUST_POLICY"],
      ["aws_iam_role.r.inline_policy[0].policy", "IDENTITY_POLICY"],
      ["aws_iam_policy.limit.policy", "PERMISSIONS_BOUNDARY"],
      ["aws_vpc_endpoint.v.policy", "ENDPOINT_POLICY"],
      ["aws_organizations_policy.scp.content", "SERVICE_CONTROL_POLICY"],
      ["aws_sqs_queue.q.policy", "RESOURCE_POLICY"],
    ]);
  });

  it.each([
    ["a condition", `var.x ? ${encoded('"a"')} : var.policy`],
    ["a choice", `coalesce(var.policy, ${encoded('"a"')})`],
    ["a local that is a condition", "local.either"],
  ])("reads each outcome of %s", async (_title, expression) => {
    const locals = `locals {\n  either = var.x ? var.policy : ${encoded('"a"')}\n}\n`;
    const places = await read(locals + policy(expression));
    expect(places.map(({ state }) => state).sort()).toEqual(["not_read", "read"]);
  });

  it("treats a boundary that is also attached as an identity policy", async () => {
    const [place] = await read(`
resource "aws_iam_policy" "p" { policy = "{}" }
resource "aws_iam_role" "r" { permissions_boundary = aws_iam_policy.p.arn }
resource "aws_iam_role_policy_attachment" "a" { policy_arn = aws_iam_policy.p.arn }
`);
    expect(place?.type).toBe("IDENTITY_POLICY");
  });

  it("treats a policy named as a boundary as one unless it is attached", async () => {
    const boundary = 'resource "aws_iam_policy" "ci_boundary" { policy = "{}" }\n';
    expect((await read(boundary))[0]?.type).toBe("PERMISSIONS_BOUNDARY");
    const attached =
      'resource "aws_iam_role_policy_attachment" "a" { policy_arn = aws_iam_policy.ci_boundary.arn }\n';
    expect((await read(boundary + attached))[0]?.type).toBe("IDENTITY_POLICY");
  });

  it("says which resource a policy is attached to", async () => {
    const [place] = await read(
      'resource "aws_s3_bucket_policy" "p" {\n bucket = aws_s3_bucket.b.id\n policy = "{}"\n}\nresource "aws_s3_bucket" "b" {\n bucket = "jobs"\n}\n',
    );
    expect(place?.place).toMatchObject({ service: "s3", attached: { name: "jobs" } });
    expect(place?.place.attached?.arn).toBeTruthy();
  });

  it.each([
    ["a name that depends on a variable", '\n bucket = "jobs-${var.stage}"\n', false],
    ["a name that AWS makes", "", true],
  ])(
    "compares the bucket of a policy only if no other name is possible: %s",
    async (_title, bucket, isCompared) => {
      const [place] = await read(
        `resource "aws_s3_bucket_policy" "p" {\n bucket = aws_s3_bucket.b.id\n policy = "{}"\n}\nresource "aws_s3_bucket" "b" {${bucket}}\n`,
      );
      expect(place?.place.attached !== null).toBe(isCompared);
    },
  );

  it("keeps its neighbours when a block has a syntax error", async () => {
    const places = await read(`resource "x" "y" {\n a = = [\n}\n${policy(encoded('"a"'))}`);
    expect(places.map(({ address, state }) => [address, state])).toEqual([
      ["aws_iam_policy.p.policy", "read"],
    ]);
  });

  it("says which block with a syntax error may hold a policy", async () => {
    const places = await read(
      `resource "aws_iam_role" "r" {\n assume_role_policy = = [\n}\n${policy(encoded('"a"'))}`,
    );
    expect(places.map(({ address, state, line }) => [address, state, line])).toEqual([
      ["aws_iam_role.r", "not_read", 1],
      ["aws_iam_policy.p.policy", "read", 5],
    ]);
  });
});

describe("data sources aws_iam_policy_document", () => {
  const data = (name: string, body: string) =>
    `data "aws_iam_policy_document" "${name}" {\n${body}\n}\n`;

  it("render as the provider renders them", async () => {
    const { documents, type, place, line } = await only(
      data(
        "d",
        `  policy_id = "x"
  statement {
    sid           = "A"
    effect        = "Deny"
    not_actions   = ["iam:*"]
    resources     = ["arn:aws:s3:::\${var.b}/&{aws:username}", "*"]
    not_resources = []
    principals {
      type        = "AWS"
      identifiers = [data.aws_caller_identity.me.account_id]
    }
    principals {
      type        = "AWS"
      identifiers = [123456789012]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = [false]
    }
  }
  statement {
    actions = ["s3:Get*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }`,
      ),
    );
    expect(documents).toEqual([
      {
        Version: "2012-10-17",
        Id: "x",
        Statement: [
          {
            Effect: "Deny",
            Sid: "A",
            NotAction: ["iam:*"],
            Resource: ["arn:aws:s3:::${var.b}/${aws:username}", "*"],
            Principal: { AWS: ["${data.aws_caller_identity.me.account_id}", "123456789012"] },
            Condition: { Bool: { "aws:SecureTransport": ["false"] } },
          },
          { Effect: "Allow", Action: ["s3:Get*"], Principal: "*" },
        ],
      },
    ]);
    expect({ type, line }).toEqual({ type: null, line: 1 });
    const statements = place.alternatives[0]?.root;
    expect(statements && spanOf(statements, { parent: null, step: "", part: "value" }).start).toBe(
      0,
    );
  });

  it("have the type of who uses them, through locals and other documents", async () => {
    const places = await read(
      data("base", 'statement {\n actions = ["sts:AssumeRole"]\n}') +
        data("trust", "source_policy_documents = [data.aws_iam_policy_document.base.json]") +
        'locals {\n t = data.aws_iam_policy_document.trust.json\n}\nresource "aws_iam_role" "r" {\n assume_role_policy = local.t\n}\n',
    );
    expect(places.map(({ address, type, state }) => [address, type, state])).toEqual([
      ["data.aws_iam_policy_document.base", "TRUST_POLICY", "read"],
    ]);
    expect(places[0]?.place.notes).toEqual(["Used by `aws_iam_role.r.assume_role_policy`."]);
  });

  it("have no element that a caller of the module may leave out and AWS would refuse", async () => {
    const body = `dynamic "statement" {
  for_each = var.statements
  content {
    sid           = try(statement.value.sid, null)
    actions       = try(statement.value.actions, null)
    not_actions   = try(statement.value.not_actions, null)
    resources     = try(statement.value.resources, null)
    not_resources = try(statement.value.not_resources, null)
    dynamic "principals" {
      for_each = statement.value.principals
      content {
        type        = principals.value.type
        identifiers = principals.value.identifiers
      }
    }
    dynamic "not_principals" {
      for_each = statement.value.not_principals
      content {
        type        = not_principals.value.type
        identifiers = not_principals.value.identifiers
      }
    }
  }
}`;
    const use = (argument: string) =>
      `resource ${argument} = data.aws_iam_policy_document.d.json\n}\n`;
    const identity = await only(data("d", body) + use('"aws_iam_policy" "p" {\n policy'));
    const [statement] = (identity.documents[0] as { Statement: object[] }).Statement;
    expect(Object.keys(statement ?? {})).toEqual(["Effect", "Action", "Resource"]);
    const trust = await only(data("d", body) + use('"aws_iam_role" "r" {\n assume_role_policy'));
    const [trusting] = (trust.documents[0] as { Statement: object[] }).Statement;
    expect(Object.keys(trusting ?? {})).toEqual(["Effect", "Action", "Principal"]);
  });

  it("are partly read where blocks are dynamic or documents are elsewhere", async () => {
    const place = await only(
      data(
        "d",
        'override_policy_documents = var.more\ndynamic "statement" {\n for_each = var.s\n content {\n actions = statement.value\n resources = ["*"]\n }\n}',
      ),
    );
    expect(place.state).toBe("partly_read");
    expect(place.documents).toEqual([
      {
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Action: "${statement.value}", Resource: ["*"] }],
      },
    ]);
  });
});

it("finds the documents in lists and objects that are inputs of a module", async () => {
  const text = `module "app" {
  policies = [
    { name = "read", policy = ${encoded('"*"')} },
    { name = "none" },
    { name = "more", policies = { write = ${encoded('"a"')} } },
  ]
}
`;
  const places = await read(text);
  expect(places.map(({ address }) => address)).toEqual([
    "module.app.policies[0].policy",
    "module.app.policies[2].policies.write",
  ]);
});

it("knows the policy of an S3 file system", async () => {
  const text = policy(encoded('"*"')).replace("aws_iam_policy", "aws_s3files_file_system_policy");
  expect(await only(text)).toMatchObject({
    address: "aws_s3files_file_system_policy.p.policy",
    type: "RESOURCE_POLICY",
    state: "read",
  });
});
