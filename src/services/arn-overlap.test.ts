import { describe, expect, test } from "vitest";
import { serviceDataFrom } from "../../test/support/service-data.ts";
import {
  allFormatsOf,
  arnFormatsOf,
  arnFormatsOfTypes,
  formatsOfType,
  overlaps,
  policyArn,
} from "./arn-overlap.ts";

/** A service with a type for each list of formats: `a`, `b` and so on. */
function serviceWith(...types: readonly (readonly string[])[]) {
  const Resources = types.map((ARNFormats, at) => ({
    Name: "abc"[at] ?? "",
    ARNFormats: [...ARNFormats],
  }));
  const service = serviceDataFrom([{ Name: "x", Resources }], { date: "2026-01-31" }).get("x");
  if (!service) throw new Error("the service is not there");
  return service;
}

/** Whether the first of the formats and the ARN overlap. */
function overlap(formats: readonly string[], text: string): boolean {
  const [format] = allFormatsOf(serviceWith(formats));
  const arn = policyArn(text);
  if (!format || !arn) throw new Error("no ARN");
  return overlaps(format, arn);
}

const bucket = "arn:${Partition}:s3:::${BucketName}";
const object = `${bucket}/\${ObjectName}`;
const table = "arn:${Partition}:dynamodb:${Region}:${Account}:table/${TableName}";
const index = `${table}/index/\${IndexName}`;
const role = "arn:${Partition}:iam::${Account}:role/${RoleNameWithPath}";
const queue = "arn:${Partition}:sqs:${Region}:${Account}:${QueueName}";
const document = "arn:${Partition}:ssm:${Region}:${Account}:document/${Name}";
const lambda = "arn:${Partition}:lambda:${Region}:${Account}:function:${FunctionName}";
const vault = "arn:${Partition}:backup:${Region}:${Account}:backup-vault:${Name}";
const cluster = "arn:${Partition}:eks:${Region}:${Account}:cluster/${Name}";
const nodes = "arn:${Partition}:eks:${Region}:${Account}:cluster/${Name}/nodes/${Id}";
const project = "arn:${Partition}:x:${Region}:${Account}:${Name}";
const file = `${project}/file/\${Path}`;
const job = "arn:${Partition}:logs:${Region}:${Account}:group:${Group}:stream:${Stream}";

describe("a resource may match a format and the ARN of a policy", () => {
  test.each([
    [[bucket], "arn:aws:s3:::logs"],
    [[bucket], "arn:aws:s3:::*"],
    [[bucket], "arn:aws:s3:::${bucket}"],
    [[object], "arn:aws:s3:::logs/*"],
    [[object], "arn:aws:s3:::logs/a/b/c"],
    [[object], "arn:aws:s3:::logs*"],
    [[bucket], "arn:*:s3:::logs"],
    [[bucket], "arn:aws:s?:::logs"],
    [[bucket], "arn:aws:*:::logs"],
    [[role], "arn:aws:iam::123456789012:role/path/to/ops"],
    [[role], "arn:aws:iam::*:role/ops"],
    [[role], "arn:aws:iam::123456789012:*"],
    [[role], "arn:aws:iam::123456789012:?ole/ops"],
    [[queue], "arn:aws:sqs:${aws:RequestedRegion}:${aws:PrincipalAccount}:orders"],
    [[queue], "arn:aws-cn:sqs:*:*:orders"],
    [[document], "arn:aws:ssm:us-east-1::document/AWS-RunShellScript"],
    [[vault], "arn:aws:backup:us-east-1:123456789012:backup-vault:daily"],
    [[vault], "arn:aws:backup:us-east-1:*:daily"],
    [[lambda], "arn:aws:lambda:*:*:orders"],
    [[lambda], "arn:aws:lambda:*:*:*:orders"],
    [[vault], "arn:aws:backup:us-east-1:12*:daily"],
    [[job], "arn:aws:logs:us-east-1:*:orders"],
    [[job], "arn:aws:logs:us-east-1:*:stream:orders"],
    [[job], "arn:aws:logs:us-east-1:*:a/b"],
    [[table], "arn:aws:dynamodb:us-east-1:123456789012:table/orders"],
    [[table], "arn:aws:dynamodb:us-east-1:123456789012:table/*"],
    [[table], "arn:aws:dynamodb:us-east-1:123456789012:ta*"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:table/orders/index/by-day"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:table/*"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:table/order?/index/by-day"],
    [[cluster], "arn:aws:eks:us-east-1:123456789012:cluster/a/b"],
    [[cluster, nodes], "arn:aws:eks:us-east-1:123456789012:cluster/a/b"],
    [[project], "arn:aws:x:us-east-1:123456789012:a/b"],
    [[project, file], "arn:aws:x:us-east-1:123456789012:a"],
    [[file, project], "arn:aws:x:us-east-1:123456789012:a/file/b/c"],
    [["arn:aws:x:us-east-1:123456789012:root"], "arn:aws:x:us-east-1:123456789012:root"],
    [["arn:aws:x:${Region}:123456789012:a"], "arn:aws:x:us-east-1:123456789012:a"],
    [["arn:aws:x:${Region}::a"], "arn:aws:x:us-east-1::a"],
    [["arn:aws:s3:::${BucketName}/${Key}.txt"], "arn:aws:s3:::logs/a/b.txt"],
    [["arn:aws:x:::"], "arn:aws:x:::"],
    [["arn:aws:x:::*"], "arn:aws:x:::"],
  ])("%j: %s", (formats, arn) => {
    expect(overlap(formats, arn)).toBe(true);
  });
});

describe("no resource matches both", () => {
  test.each([
    [[bucket], "arn:aws:sqs:::logs"],
    [[bucket], "arn:aws:s3:us-east-1::logs"],
    [[bucket], "arn:aws:s3::123456789012:logs"],
    [[bucket], "arn::s3:::logs"],
    // The names of buckets, tables and access points have no slash.
    [[bucket, object], "arn:aws:s3:::logs/2026"],
    [[table, index], "arn:aws:dynamodb:us-east-1:123456789012:table/orders/index/by-day"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:table/a/b/index/by-day"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:export/orders/index/by-day"],
    [[index], "arn:aws:dynamodb:us-east-1:123456789012:table/orders"],
    [[role], "arn:aws:iam::123456789012:user/ops"],
    [[role], "arn:aws:iam::123456789012:Role/ops"],
    [[role], "arn:aws:iam::123456789012:role"],
    [[role], "arn:aws:iam:::role/ops"],
    [[queue], "arn:aws:sqs::123456789012:orders"],
    [["arn:aws:x:${Region}:123456789012:${Name}"], "arn:aws:x:us-east-1::orders"],
    // The names of functions, and names in the vaults of AWS Backup, have no slash.
    [[lambda], "arn:aws:lambda:*:*:function/orders"],
    [[lambda], "arn:aws:lambda:*:*:function/*"],
    [[vault], "arn:aws:backup:us-east-1:*:a/b"],
    [[vault], "arn:aws:backup:us-east-1:123456789012:daily"],
    [["arn:aws:x:us-east-1:123456789012:pool:main"], "arn:aws:x:us-east-1:*:other"],
    [["arn:aws:x:us-east-1:123456789012:pool:main"], "arn:aws:x:us-east-1:*:m"],
    [[project, file], "arn:aws:x:us-east-1:123456789012:a/b"],
    [["arn:aws:x:::"], "arn:aws:x:::a"],
  ])("%j: %s", (formats, arn) => {
    expect(overlap(formats, arn)).toBe(false);
  });
});

describe("the ARN of a policy", () => {
  test("is its parts, with a star for each variable", () => {
    expect(policyArn("arn:${aws:Partition}:x:a${b}:${c}:${d}/e:f")).toEqual({
      partition: "*",
      service: "x",
      region: "a*",
      account: "*",
      resource: "*/e:f",
    });
    expect(policyArn("arn:aws:${service}:eu-west-1:1:r")?.service).toBe("*");
  });

  test.each(["", "*", "logs", "arn:aws:s3::"])("%j has not all parts", (text) => {
    expect(policyArn(text)).toBeNull();
  });

  test.each([
    ["arn:aws:s3::123456789012:accesspoint/m.mrap", "*"],
    ["arn:aws:s3:eu-west-1:123456789012:accesspoint/logs", "eu-west-1"],
    ["arn:aws:s3:::accesspoints", ""],
    ["arn:aws:x::123456789012:accesspoint/a", ""],
  ])("the Region of %s is `%s`: a multi-Region access point is in all", (text, region) => {
    expect(policyArn(text)?.region).toBe(region);
  });
});

describe("the formats of a service", () => {
  const texts = (formats: readonly { readonly text: string }[] | null) =>
    formats?.map(({ text }) => text) ?? null;

  test("are in the order of its types, without those that are not ARNs", () => {
    const service = serviceWith([bucket, "none"], [], [queue, role]);
    expect(texts(allFormatsOf(service))).toEqual([bucket, queue, role]);
    expect([...arnFormatsOf(service).keys()]).toEqual(["a", "b", "c"]);
  });

  test("of a type are found in any letter case", () => {
    const service = serviceWith([bucket], []);
    expect(texts(formatsOfType(service, "A"))).toEqual([bucket]);
    expect(formatsOfType(service, "b")).toEqual([]);
    expect(formatsOfType(service, "unknown")).toEqual([]);
  });

  test("of several types are unknown where one of them has none", () => {
    const service = serviceWith([bucket], [queue, role], []);
    const lists = [["a", "b"], ["B"], ["a", "c"], ["a", "unknown"], []];
    const answers = [[bucket, queue, role], [queue, role], null, null, []];
    const found = lists.map((types) => arnFormatsOfTypes(service, types));
    expect(found.map(texts)).toEqual(answers);
    for (const [at, types] of lists.entries()) {
      expect(arnFormatsOfTypes(service, types)).toBe(found[at]);
    }
  });
});
