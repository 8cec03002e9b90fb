import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { managedPolicies } from "../support/managed-policies.ts";
import { expectPlaces, type Language } from "../support/places.ts";
import { findingsOf, validated } from "../support/validate.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

/** Validates texts of policies and compares the places of all findings. @returns how many there are. */
async function expectAllPlaces(
  texts: readonly { readonly text: string; readonly policy: unknown }[],
  language: Language,
): Promise<number> {
  const { output } = await validated(target, { policies: texts.map(({ text }) => text) });
  let found = 0;
  for (const [index, result] of output.results.entries()) {
    const issues = findingsOf(result);
    const { text = "", policy } = texts[index] ?? {};
    expectPlaces(issues, text, policy, language);
    found += issues.length;
  }
  return found;
}

describe("a sample of AWS managed policies", () => {
  const sample = managedPolicies()
    .map(({ document }) => document)
    .filter((_, index) => index % 15 === 0);
  const forms: [string, Language, (policy: unknown) => string][] = [
    ["compact JSON", "JSON", (policy) => JSON.stringify(policy)],
    ["indented JSON", "JSON", (policy) => JSON.stringify(policy, null, 4)],
    ["YAML", "YAML", (policy) => stringify(policy)],
    ["narrow YAML", "YAML", (policy) => stringify(policy, { lineWidth: 40, indent: 3 })],
    [
      "YAML in one line",
      "YAML",
      (policy) => stringify(policy, { collectionStyle: "flow", lineWidth: 0 }),
    ],
  ];

  test.each(forms)("as %s", async (_, language, write) => {
    let found = 0;
    for (let at = 0; at < sample.length; at += 50) {
      const part = sample.slice(at, at + 50);
      found += await expectAllPlaces(
        part.map((policy) => ({ policy, text: write(policy) })),
        language,
      );
    }
    expect(found).toBeGreaterThan(sample.length);
  });
});

const jsonTexts: Record<string, string> = {
  "escapes in keys and values": String.raw`{"Version":"2012-10-17","Statement":[{"\u0045ffect":"Allow","Act\u0069on":["s3:\u0047etObjct","iam:\u002a"],"Resource":"*","Sid":"\ud83d\ude42"}]}`,
  "characters of more than one unit":
    '{"Id":"🙂ü","Version":"2012-10-17","🙂":1,"Statement":{"Effect":"Allow","Action":"iam:*","Resource":"🙂"}}',
  "a byte-order mark":
    '\ufeff{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"iam:*","Resource":"*"}]}',
  "every kind of line break":
    '\r\n{"Version":"2012-10-17",\r"Statement":\n[{"Effect":"allow",\r\n\r\n"Action":"iam:*",\t"Resource":"*"}]}\r\n',
};

test.each(Object.entries(jsonTexts))("JSON with %s", async (_, text) => {
  const policy: unknown = JSON.parse(text.replace("\ufeff", ""));
  expect(await expectAllPlaces([{ text, policy }], "JSON")).toBeGreaterThan(0);
});

const yamlTexts: Record<string, string> = {
  "comments, quotes and blocks": `# first
Version: '2012-10-17' # then
Statement: # a list
- Effect: "Allow"

  # and now
  Action:
  - s3:GetObjct   # misspelt
  - "iam:\\x2a"
  Resource: >-
    arn:aws:s3:::a
    b
  Condition:
    StringEqual:
      ? aws:SourceAcount
      : '111122223333'
`,
  "anchors and merge keys": `Version: "2012-10-17"
Statement:
  - &base
    Effect: Allow
    Action: &actions ["iam:*", s3:GetObjct]
    Resource: "*"
  - Effect: Allow
    Action: *actions
    Resource: "*"
  - <<: *base
    Sid: "has spaces"
`,
  "CR LF":
    'Version: "2012-10-17"\r\nStatement:\r\n  - Effect: Allow\r\n    Action: "iam:*"\r\n    Resource: "*"\r\n',
  "braces in the midst of blocks": `Version: "2012-10-17"
Statement:
  - {Effect: Allow, Action: ["iam:*",
      s3:GetObjct], Resource: "*"}
🙂: ü
`,
};

test.each(Object.entries(yamlTexts))("YAML with %s", async (_, text) => {
  const policy: unknown = parse(text, { version: "1.2", merge: true });
  expect(await expectAllPlaces([{ text, policy }], "YAML")).toBeGreaterThan(0);
});
