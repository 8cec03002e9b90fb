import { describe, expect, it, test } from "vitest";
import { placesIn } from "../../test/support/container-places.ts";
import { findingsOfFirst } from "../../test/support/place-findings.ts";
import { isTemplateText, templateText } from "./template-text.ts";

const read = async (text: string, name: string | null = "p.json.tftpl") =>
  placesIn(templateText, text, name);

const policy = (resource: string, rest = "") =>
  `{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": ${resource}}${rest}]}`;

describe("policies with placeholders", () => {
  it.each([
    ["in a text", '"arn:aws:s3:::${bucket}/*"', "arn:aws:s3:::${bucket}/*"],
    ["as a value", "${jsonencode(buckets)}", "${buckets}"],
    [
      "beside a policy variable",
      '"${bucket}/${aws:username}/$${aws:userid}"',
      "${bucket}/${aws:username}/${aws:userid}",
    ],
    ["of another tool", '["${ACCEL_LOOKUP::VPC:Network}"]', ["${ACCEL_LOOKUP::VPC:Network}"]],
    ["of another tool as a value", "[${ACCEL_LOOKUP::A:B}]", ["${ACCEL_LOOKUP::A:B}"]],
    [
      "words between underscores, signs of percent and at signs",
      '"arn:aws:s3:::x-__STAGE__-%%NAME%%-@@TEAM_2@@/*"',
      "arn:aws:s3:::x-__STAGE__-%%NAME%%-@@TEAM_2@@/*",
    ],
    ["of Jinja", '"{{ bucket_arn }}/*"', "{{ bucket_arn }}/*"],
    [
      "of Jinja as a value, beside one of Terraform",
      '["${bucket}", {{ arn }}]',
      ["${bucket}", "{{ arn }}"],
    ],
    ["of Jinja inside another one", '"${a{{b}}c}/*"', "${a{{b}}c}/*"],
    ["in a loop", '[%{ for b in buckets ~}"${b}",%{ endfor ~}]', ["${b}"]],
  ])("%s", async (_title, written, resource) => {
    const text = policy(written);
    const [place] = (await read(text)) ?? [];
    expect(place?.documents).toEqual([
      { Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resource }] },
    ]);
    const statement = place?.place.alternatives[0]?.root?.members?.get("Statement")?.value;
    const action = statement?.items?.[0]?.members?.get("Action")?.value;
    expect(text.slice(action?.start, action?.end)).toBe('"s3:GetObject"');
  });

  it("are read where the template is a call of jsonencode", async () => {
    const text = `\${jsonencode({
  Statement = [for x in [] : x]
})}
`;
    const encoded = `\${jsonencode({
  Statement = [
    { Effect = "Allow", Action = "s3:GetObject", Resource = "\${arn}/\${aws:username}/*" },
    { "Effect": "Deny", "Action": "s3:DeleteObject", "Resource": arns }
  ]
})}
`;
    const [place] = (await read(encoded)) ?? [];
    expect(place?.documents).toEqual([
      {
        Statement: [
          { Effect: "Allow", Action: "s3:GetObject", Resource: "${arn}/${aws:username}/*" },
          { Effect: "Deny", Action: "s3:DeleteObject", Resource: "${arns}" },
        ],
      },
    ]);
    const statements = place?.place.alternatives[0]?.root?.members?.get("Statement")?.value;
    const second = statements?.items?.[1]?.members;
    const at = second?.get("Action")?.value;
    expect(encoded.slice(at?.start, at?.end)).toBe('"s3:DeleteObject"');
    const list = second?.get("Resource")?.value;
    expect(encoded.slice(list?.start, list?.end)).toBe("arns");
    expect(await read(text)).toBeNull();
    expect((await read(encoded.replace("[", "[[")))?.[0]?.state).toBe("not_read");
  });

  it("are read in YAML, with comments and directives", async () => {
    const yaml = `Version: "2012-10-17"
Statement:
  - Effect: Allow # \${who}
    Action: sqs:SendMessage
    Resource:
      - arn:aws:sqs:\${Region}:\${Account}:q
      - \${Queue.Arn}
      - "arn:aws:sqs:*:*:\${aws:username}"
`;
    const resources = [
      "arn:aws:sqs:${Region}:${Account}:q",
      "${Queue.Arn}",
      "arn:aws:sqs:*:*:${aws:username}",
    ];
    const [place] = (await read(yaml, "p.yaml")) ?? [];
    expect(place?.documents).toEqual([
      {
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: resources }],
      },
    ]);
    const statement = place?.place.alternatives[0]?.root?.members?.get("Statement")?.value;
    const action = statement?.items?.[0]?.members?.get("Action")?.value;
    expect(yaml.slice(action?.start, action?.end)).toBe("sqs:SendMessage");

    const begun = yaml.replace("  - Effect", "%{ for a in list ~}\n  - Effect");
    const loop = `${begun}%{ endfor ~}\n`;
    const [looped] = (await read(loop, "p.yaml.tftpl")) ?? [];
    expect(looped).toMatchObject({ state: "partly_read", documents: place?.documents });
    const [open] = (await read(loop.replace("Action: ", "Action: [ "), "p.tpl")) ?? [];
    expect(open).toMatchObject({ state: "not_read", reason: expect.stringMatching(/until/) });
  });

  it("are read in files only: in a policy that is sent alone, AWS gets them", async () => {
    expect(await read(policy('"${bucket}"'), null)).toBeNull();
    expect(await read(policy('"${bucket}"'), "p.json")).toHaveLength(1);
    expect(await read(policy('"${aws:username}"'), "p.json")).toBeNull();
  });

  it("have a fault where no value makes JSON of them", async () => {
    const text = policy('["${bucket}" "${other}"]');
    const [place] = (await read(text)) ?? [];
    const [fault] = place?.place.alternatives[0]?.faults ?? [];
    expect(fault?.kind).toBe("syntax");
    expect(text.slice(fault?.span?.start)).toMatch(/^"\$\{other\}"/);
    const open = policy('["${bucket}" ${other}]');
    expect((await read(open))?.[0]).toMatchObject({ state: "not_read" });
  });

  it("are not read where the template cannot be", async () => {
    const [place] = (await read(policy("${bucket"))) ?? [];
    expect(place).toMatchObject({ state: "not_read" });
  });

  it.each([
    ["an open placeholder", '"${bucket"'],
    ["a name that is not Terraform's", '"${bucket name}"'],
    ["a broken directive", '"%{ if }"'],
  ])(
    "are read as written where they are JSON, and the template has %s",
    async (_title, written) => {
      const [place] = (await read(policy(written), "p.json")) ?? [];
      expect(place).toMatchObject({ state: "read" });
      expect(place?.documents).toEqual([JSON.parse(policy(written))]);
    },
  );

  it.each([
    ["a script", '#!/bin/sh\necho "${Statement}"\n'],
    ["another template", '{"name": "${name}"}'],
  ])("are not %s", async (_title, text) => {
    expect(await read(text)).toBeNull();
  });
});

test("unknown words hide no star beside them, and are no faults of an ARN", async () => {
  const text = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: "iam:PassRole", Resource: "arn:aws:iam::__ACCOUNT_ID__:role/*" },
      {
        Effect: "Allow",
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:%%REGION%%:@@ACCOUNT@@:q",
      },
    ],
  });
  const findings = await findingsOfFirst(text, "p.json");
  expect(findings.map(({ severity, action }) => `${severity} ${action}`)).toEqual([
    "high iam:PassRole",
  ]);
});

describe("a policy file with", () => {
  it.each([
    ["a policy variable", "${aws:username}", false],
    ["a misspelt policy variable", "${aws:PrincipalTag:team}", false],
    ["a placeholder", "${bucket}", true],
    ["a word between underscores", "arn:aws:s3:::__BUCKET_NAME__/*", true],
    ["a word between signs of percent", "arn:aws:s3:::a%%BUCKET%%/*", true],
    ["a word between at signs", "arn:aws:s3:::@@BUCKET@@/*", true],
    ["underscores in a name", "arn:aws:s3:::a__B__c/*", false],
    ["underscores behind a name", "arn:aws:s3:::a__B__/*", false],
    ["a name in lower case", "arn:aws:s3:::x/__pycache__/*", false],
    ["a word that is to be replaced by hand", "arn:aws:s3:::<BUCKET>/*", false],
  ])("%s", (_title, written, isTemplate) => {
    const text = policy(`"${written}"`);
    const source = { name: "p.json", text, value: JSON.parse(text) as unknown };
    expect(isTemplateText(source)).toBe(isTemplate);
  });
});

test("a text with statements of Jinja is not read, and no fault of the policy", async () => {
  const statement = '{% for b in buckets %}{"Effect": "Allow", "Resource": "{{ b }}"}{% endfor %}';
  const places = await placesIn(templateText, `{"Statement": [${statement}]}`, "p.json.j2");
  expect(places?.map(({ state, reason }) => [state, reason])).toEqual([
    ["not_read", "The text is not a policy until its `{% … %}` statements of Jinja are applied."],
  ]);
});
