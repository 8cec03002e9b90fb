import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameOf, parseServiceList, sameOriginEntries } from "./service-list.ts";

test.each([
  ["s3", "s3"],
  ["EC2-Instance-Connect", "ec2-instance-connect"],
  ["a b", "a_b"],
  ["../../etc/passwd", "_.._etc_passwd"],
  ["..", null],
  ["", null],
  [".hidden", "hidden"],
  ["a\0b", "a_b"],
  ["C:\\x", "c__x"],
  ["_services", null],
  ["_Manifest", null],
  ["._services", null],
  ["...a.b", "a.b"],
])("the file of %j is %j", (service, file) => {
  expect(fileNameOf(service)).toBe(file);
});

test("no name leads out of the directory or hides in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (service) => {
      expect(fileNameOf(service) ?? "none").toMatch(/^[a-z0-9_-][a-z0-9._-]*$/);
    }),
    { numRuns: 1000 },
  );
});

test("a list has service prefixes, in order and each once; other entries are skipped", () => {
  const list = [
    { service: "sqs", url: "b" },
    { service: "S3", url: "a", more: 1 },
    { service: "s3", url: "again" },
    { service: "Not a prefix", url: "c" },
    { service: "-x", url: "d" },
    { service: "x".repeat(64), url: "e" },
    { service: "y".repeat(65), url: "f" },
    { service: "4a-b", url: "g" },
  ];
  expect([...parseServiceList(JSON.stringify(list))]).toEqual([
    ["4a-b", "g"],
    ["s3", "a"],
    ["sqs", "b"],
    ["x".repeat(64), "e"],
  ]);
});

test.each(["", "{}", "[]", '[{"service":"s3"}]', '[{"service":1,"url":"a"}]'])(
  "%s is not a list of services",
  (text) => {
    expect(() => parseServiceList(text)).toThrow();
  },
);

test("addresses of a list have its origin, and no user", () => {
  const listUrl = new URL("https://services.example/v1/list.json");
  const entries = new Map([
    ["relative", "s3.json"],
    ["absolute", "https://services.example/sqs.json"],
    ["elsewhere", "https://other.example/a.json"],
    ["port", "https://services.example:8443/a.json"],
    ["plain", "http://services.example/a.json"],
    ["user", "https://user@services.example/a.json"],
    ["password", "https://:word@services.example/a.json"],
    ["broken", "https://"],
  ]);
  expect([...sameOriginEntries(entries, listUrl)].map(([name, { href }]) => [name, href])).toEqual([
    ["relative", "https://services.example/v1/s3.json"],
    ["absolute", "https://services.example/sqs.json"],
  ]);
});
