import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameOf } from "./service-list.ts";

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
