import { afterAll, beforeAll, expect, test } from "vitest";
import { Finding } from "../../spec/finding.ts";
import { configFolder } from "../support/config-folder.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call } from "../support/rpc.ts";
import { resultFrom, resultsFrom } from "../support/validate.ts";

const folder = await configFolder();
const reviewed = {
  reason: "Uploads come from one account. See SEC-17.",
  owner: "platform-security@example.com",
  expires: "2999-12-31",
};
const config = JSON.stringify({
  settings: { fail_on_severity: "low" },
  exceptions: [
    { check: ["sensitive_action", "wildcard_resource"], sid: "Upload", ...reviewed },
    { check: "action_condition_enforcement", sid: "Upload", reason: "Reviewed." },
    { check: "wildcard_resource", sid: "Old", reason: "Until the move.", expires: "2020-01-31" },
    { check: "policy_structure", reason: "Reviewed." },
  ],
});

let target: InProcess;
let plain: InProcess;
beforeAll(async () => {
  const config_source = await folder.write("config.yaml", config);
  const without = await folder.write("plain.yaml", "settings: { fail_on_severity: low }");
  [target, plain] = await Promise.all([
    startInProcess({ flags: { config_source } }),
    startInProcess({ flags: { config_source: without } }),
  ]);
});
afterAll(async () => {
  await Promise.all([target.stop(), plain.stop()]);
  await folder.remove();
});

const statement = (Sid: string) => ({
  Version: "2012-10-17",
  Statement: [{ Sid, Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
});

test("findings with an exception fail no policy, and the answer says how many there are", async () => {
  const before = await resultFrom(plain, statement("Upload"));
  expect(before.is_valid).toBe(false);
  const result = await resultFrom(target, statement("Upload"));
  const count = before.issues?.length ?? 0;
  expect(count).toBeGreaterThan(1);
  expect(result).toMatchObject({
    is_valid: true,
    fails_policy: false,
    severity_counts: {},
    issues: [],
    suppressed: { exceptions: count, baseline: 0, severity_counts: before.severity_counts },
  });
  expect(result.suppressed).not.toHaveProperty("findings");
});

test.each(["summary", "fix"])("detail %s has the same counts", async (detail) => {
  const { suppressed } = await resultFrom(target, statement("Upload"));
  expect((await resultFrom(target, statement("Upload"), { detail })).suppressed).toEqual(
    suppressed,
  );
});

test("detail full has the findings with their reasons", async () => {
  const before = await resultFrom(plain, statement("Upload"), { detail: "full" });
  const { suppressed } = await resultFrom(target, statement("Upload"), { detail: "full" });
  const findings = suppressed?.findings ?? [];
  const messages = findings.map(({ suppression: _, ...finding }) => Finding.parse(finding).message);
  expect(messages).toEqual(before.issues?.map(({ message }) => message));
  expect(findings.map(({ suppression }) => suppression)).toContainEqual({
    kind: "exception",
    ...reviewed,
  });
  // What an exception leaves out needs no fix.
  expect(findings.filter(({ fix }) => fix !== null)).toEqual([]);
});

test("results without exceptions that match are as before", async () => {
  const policies = [statement("Other"), JSON.stringify(statement("Other")), "[", { Statement: [] }];
  const arguments_ = { policies, detail: "full" };
  expect(await resultsFrom(target, arguments_)).toEqual(await resultsFrom(plain, arguments_));
});

test("a document that cannot be read has no exception", async () => {
  const { is_valid, issues, suppressed } = await resultFrom(target, "[");
  expect(is_valid).toBe(false);
  expect(issues?.length).toBeGreaterThan(0);
  expect(suppressed).toBeUndefined();
});

test("an exception that has expired leaves nothing out, and the message says so", async () => {
  const { is_valid, issues, suppressed } = await resultFrom(target, statement("Old"));
  expect({ is_valid, suppressed }).toEqual({ is_valid: false, suppressed: undefined });
  const expired = / The exception for this finding expired on 2020-01-31\.$/;
  const found = issues?.filter((one) => expired.test(one.message));
  expect(found).toMatchObject([{ check_id: "wildcard_resource" }]);
  expect(target.log.all.join("\n")).toContain("exceptions.2.expires: expired on 2020-01-31");
});

test.each(["findings", "full"])("policies in a template have exceptions (%s)", async (detail) => {
  const template = (Sid: string) =>
    JSON.stringify({
      Resources: {
        Bucket: { Type: "AWS::S3::Bucket" },
        Reader: {
          Type: "AWS::IAM::ManagedPolicy",
          Properties: {
            PolicyDocument: {
              Version: "2012-10-17",
              Statement: [
                {
                  Sid,
                  Effect: "Allow",
                  Action: "s3:GetObject",
                  Resource: ["*", { "Fn::GetAtt": ["Bucket", "Arn"] }],
                },
              ],
            },
          },
        },
      },
    });
  const before = await resultFrom(target, template("Other"), { detail });
  const result = await resultFrom(target, template("Upload"), { detail });
  expect(before.is_valid).toBe(false);
  const total = (result.issues?.length ?? 0) + (result.suppressed?.exceptions ?? 0);
  expect(result.suppressed?.exceptions).toBeGreaterThan(0);
  expect(total).toBe(before.issues?.length);
  const lean = result.issues?.[0];
  if (lean) expect("fingerprint" in lean).toBe(detail === "full");
});

test("get_config shows the exceptions, and the digest identifies them", async () => {
  const configOf = async (server: InProcess) =>
    (await call(server, "get_config", {})).body.result?.structuredContent as {
      config: { exceptions?: object[] };
      config_digest: string;
    };
  const shown = await configOf(target);
  expect(shown.config.exceptions).toMatchObject([
    { ...reviewed, sid: "Upload", is_expired: false },
    { is_expired: false },
    { expires: "2020-01-31", is_expired: true },
    { check: "policy_structure", is_expired: false },
  ]);
  const other = await configOf(plain);
  expect(other.config).not.toHaveProperty("exceptions");
  expect(other.config_digest).not.toBe(shown.config_digest);
});
