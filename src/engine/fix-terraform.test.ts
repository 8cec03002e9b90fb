import { describe, expect, test } from "vitest";
import type { FixEffect } from "../../spec/finding.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { openAll } from "../containers/open.ts";
import { embeddedServices } from "../services/embedded.ts";
import { fixEntry } from "./fix-entry.ts";
import { validatePolicy } from "./run.ts";

const defects: string[] = [];
const engine = {
  ...engineFor(builtinChecks, {}, embeddedServices()),
  onCheckError: (check: string) => void defects.push(check),
};

/** The file with its fixes applied, and the findings that are left. */
async function fixed(submitted: string, effects: readonly FixEffect[] = ["equivalent", "repairs"]) {
  const about = { name: null, label: "main.tf", declaredType: null, entry: 0 };
  defects.length = 0;
  const { policy, results } = await fixEntry(await openAll(submitted, "main.tf"), about, engine, {
    submitted,
    maxBytes: 1_000_000,
    effects: new Set(effects),
    validate: validatePolicy,
  });
  expect(defects).toEqual([]);
  const findings = results.flatMap(({ validated }) => validated.findings);
  return { text: policy ?? submitted, counts: results.map(({ counts }) => counts), findings };
}

const inObject = `# the report job
resource "aws_iam_policy" "report" {
  name = "report"
  policy = jsonencode({
    Version = "2012-10-17" # the newest
    Statement = [
      {
        Effect = "allow"
        Action = [
          "s3:ListBuckt", # typo
          "s3:GetObject",
          "s3:GetObject", // again
        ]
        Resource = [aws_s3_bucket.report.arn, "\${aws_s3_bucket.report.arn}/*"]
      },
    ]
  })
}

resource "aws_s3_bucket" "report" {}
`;

describe("an object of jsonencode", () => {
  test("keeps comments, layout and expressions", async () => {
    const { text, counts } = await fixed(inObject);
    expect(text).toBe(
      inObject
        .replace('"allow"', '"Allow"')
        .replace("ListBuckt", "ListBucket")
        .replace('          "s3:GetObject", // again\n', ""),
    );
    expect(counts).toEqual([{ repairs: 2, equivalent: 1 }]);
  });

  test("keeps CR LF and tabs", async () => {
    const before = inObject.replaceAll("  ", "\t").replaceAll("\n", "\r\n");
    const { text } = await fixed(before);
    expect(text).toBe(
      before
        .replace('"allow"', '"Allow"')
        .replace("ListBuckt", "ListBucket")
        .replace('\t\t\t\t\t"s3:GetObject", // again\r\n', ""),
    );
  });

  test("adds a member in the notation of its neighbours", async () => {
    const before = `resource "aws_iam_policy" "p" {
  policy = jsonencode({
    "Statement" : [{
      "Effect" : "Allow",
      "Action" : ["s3:GetObject"],
      "Resource" : "arn:aws:s3:::reports/*" # all of them
    }]
  })
}
`;
    const { text } = await fixed(before);
    expect(text).toBe(
      before.replace(
        "# all of them\n    }]\n",
        '# all of them\n    }],\n    "Version" : "2012-10-17"\n',
      ),
    );
  });

  test("keeps policy variables escaped", async () => {
    const before = `resource "aws_iam_policy" "p" {
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::home/$\${aws:usernam}/*" }]
  })
}
`;
    const { text } = await fixed(before);
    expect(text).toBe(before.replace("usernam}", "username}"));
  });

  test("writes a member in place of the only one", async () => {
    const withTest = (
      outer: string,
      inner: string,
      value: string,
    ) => `resource "aws_iam_policy" "p" {
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "s3:GetObject"
      Resource = "arn:aws:s3:::reports/*"
      Condition = {
        ${outer} = {
          ${inner} = "${value}" # kept
        }
      }
    }]
  })
}
`;
    const key = '"aws:PrincipalTag/team"';
    const { text } = await fixed(withTest("StringLike", key, "*"));
    expect(text).toBe(withTest("Null", key, "false"));
    const { text: swapped } = await fixed(withTest(key, "StringEquals", "a"));
    expect(swapped).toBe(withTest("StringEquals", key, "a"));
  });

  test("leaves what an expression decides, and shows no fix for it", async () => {
    const before = `locals {
  actions = ["s3:GetObject", "s3:GetObject"]
}
resource "aws_iam_policy" "p" {
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = concat(local.actions, ["s3:PutObject"]), Resource = "arn:aws:s3:::home/*" }]
  })
}
`;
    const { text, findings } = await fixed(before);
    expect(text).toBe(before);
    const [redundant] = findings.filter(({ check_id }) => check_id === "redundancy");
    expect(redundant).toMatchObject({ fix: null, suggestion: expect.stringMatching(/./) });
  });
});

describe("a heredoc", () => {
  const before = `resource "aws_iam_policy" "p" {
  policy = <<-EOT
    {
      "Statement": [
        {"Effect": "allow", "Action": ["sqs:SendMesage"], "Resource": "\${aws_sqs_queue.jobs.arn}"}
      ]
    }
  EOT
}
resource "aws_sqs_queue" "jobs" {}
`;

  test("keeps its lines and references", async () => {
    const { text } = await fixed(before, ["equivalent", "repairs"]);
    expect(text).toBe(
      before
        .replace("      ]\n", '      ],\n      "Version": "2012-10-17"\n')
        .replace('"allow"', '"Allow"')
        .replace("SendMesage", "SendMessage"),
    );
  });
});

describe("a quoted text", () => {
  test("keeps its escapes", async () => {
    const before = `resource "aws_iam_policy" "p" {
  policy = "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Action\\":[\\"sqs:SendMesage\\",\\"sqs:SendMesage\\"],\\"Resource\\":\\"*\\"}]}"
}
`;
    const { text } = await fixed(before);
    expect(text).toBe(
      before.replace('[\\"sqs:SendMesage\\",\\"sqs:SendMesage\\"]', '[\\"sqs:SendMessage\\"]'),
    );
  });
});

const inBlocks = `data "aws_iam_policy_document" "report" {
  version = "2008-10-17"

  # read the reports
  statement {
    sid     = "Read-Reports"
    actions = ["s3:GetObjct", "s3:GetObjectt"]
    resources = [
      aws_s3_bucket.report.arn,
      "\${aws_s3_bucket.report.arn}/&{aws:username}/*",
    ]

    condition {
      test     = "StringEqual"
      variable = "aws:PrincipalOrgId"
      values   = ["o-abcdefghij", "o-abcdefghij"]
    }
  }

  statement {
    actions   = ["s3:ListBucket"]
    resources = [aws_s3_bucket.report.arn]
  }

  statement {
    actions   = ["s3:ListBucket"]
    resources = [aws_s3_bucket.report.arn]
  }
}

resource "aws_iam_policy" "report" {
  policy = data.aws_iam_policy_document.report.json
}
resource "aws_s3_bucket" "report" {}
`;

const inBlocksRepaired = inBlocks
  .replace('"Read-Reports"', '"ReadReports"')
  .replace('["s3:GetObjct", "s3:GetObjectt"]', '["s3:GetObject"]')
  .replace('"StringEqual"', '"StringEquals"')
  .replace(/\n {2}statement \{\n {4}actions {3}= \["s3:ListBucket"\][^}]*\}\n/, "");

describe("a data source", () => {
  test("keeps its blocks, comments and references", async () => {
    const { text } = await fixed(inBlocks);
    expect(text).toBe(inBlocksRepaired);
  });

  test("gets a block for a new condition", async () => {
    const { text } = await fixed(inBlocks, ["equivalent", "repairs", "narrows", "changes"]);
    expect(text).toBe(
      inBlocksRepaired.replace("2008-10-17", "2012-10-17").replace(
        '"o-abcdefghij"]\n    }\n',
        `"o-abcdefghij"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceAccount"
      values   = ["&{aws:PrincipalAccount}"]
    }
`,
      ),
    );
  });

  const trust = (blocks: string) =>
    `data "aws_iam_policy_document" "trust" {\n  statement {\n    actions = ["sts:AssumeRole"]\n${blocks}  }\n}\n`;
  const principals = (type: string, identifier: string) =>
    `    principals {\n      type        = "${type}"\n      identifiers = ["${identifier}"]\n    }\n`;

  test("renames the type of its last block in place", async () => {
    const { text } = await fixed(trust(principals("AWS", "lambda.amazonaws.com")));
    expect(text).toBe(trust(principals("Service", "lambda.amazonaws.com")));
  });

  test.each(["\n", "\r\n"])("gets a block in place of its last one (%j)", async (lineEnd) => {
    const withTest = (operator: string, value: string) =>
      `data "aws_iam_policy_document" "start" {
  statement {
    actions   = ["ec2:StartInstances"]
    resources = ["arn:aws:ec2:*:111122223333:instance/*"]

    condition {
      test     = "${operator}"
      variable = "aws:ResourceTag/team"
      values   = ["${value}"]
    }
  }
}
`.replaceAll("\n", lineEnd);
    const { text } = await fixed(withTest("StringLike", "*"));
    expect(text).toBe(withTest("Null", "false"));
  });

  test("keeps the other identifiers and blocks of its principals", async () => {
    const before = `data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com", "lamda.amazonaws.com"] # both
    }
    principals {
      type        = "Aws"
      identifiers = [var.account]
    }
  }
}
resource "aws_iam_role" "r" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
`;
    const { text } = await fixed(before);
    expect(text).toBe(before.replace("lamda", "lambda").replace('"Aws"', '"AWS"'));
  });
});

describe("a local that two policies have", () => {
  test("stays as it is", async () => {
    const before = `locals {
  read = { Effect = "allow", Action = ["s3:GetObjct"], Resource = ["arn:aws:s3:::reports/*"] }
}
resource "aws_iam_policy" "a" {
  policy = jsonencode({ Version = "2012-10-17", Statement = [local.read] })
}
resource "aws_iam_policy" "b" {
  policy = jsonencode({ Version = "2012-10-17", Statement = [local.read] })
}
`;
    const { text, findings } = await fixed(before);
    expect(text).toBe(before);
    expect(findings.filter(({ severity }) => severity === "error")).toMatchObject([
      { fix: null },
      { fix: null },
      { fix: null },
      { fix: null },
    ]);
  });
});

describe("policies with the same faults", () => {
  test("are all fixed", async () => {
    const one = (index: number) => `data "aws_iam_policy_document" "p${index}" {
  statement {
    actions   = ["s3:GetObjct", "s3:GetObject"]
    resources = ["arn:aws:s3:::reports/*"]
  }
}
`;
    const before = Array.from({ length: 15 }, (_, index) => one(index)).join("");
    const { text } = await fixed(before);
    expect(text).toBe(before.replaceAll('"s3:GetObjct", ', ""));
  });
});

describe("the patch of a fix", () => {
  test("is about the policy, with references as the file writes them", async () => {
    const { findings } = await fixed(inObject, []);
    const [typo] = findings.filter(({ issue_type }) => issue_type === "invalid_action");
    expect(typo?.fix?.patch).toEqual([
      { op: "test", path: "/Statement/0/Action/0", value: "s3:ListBuckt" },
      { op: "replace", path: "/Statement/0/Action/0", value: "s3:ListBucket" },
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/\ue000/);
  });
});
