import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../package-root.ts";
import { commonServices } from "./common-services.ts";
import { embeddedServices } from "./embedded.ts";

const services = embeddedServices();

describe("the embedded data", () => {
  test("has more than 450 services, each loaded when it is asked for, in any letter case", () => {
    expect(services.prefixes.length).toBeGreaterThan(450);
    expect(services.prefixes).toEqual([...services.prefixes].sort());
    for (const prefix of services.prefixes) {
      const service = services.get(prefix.toUpperCase());
      expect(service?.prefix).toBe(prefix);
      expect(service?.actions.length).toBeGreaterThan(0);
      expect(services.get(prefix)).toBe(service);
    }
  });

  test("has every common service", () => {
    expect(commonServices).toHaveLength(43);
    expect(commonServices.filter((prefix) => !services.get(prefix))).toEqual([]);
  });

  test("says its day, and its hash is that of its files", () => {
    expect(services.source).toBe("embedded");
    expect(services.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    const digest = createHash("sha256");
    for (const file of ["services.jsonl", "descriptions.jsonl"]) {
      digest.update(readFileSync(join(packageRoot(), "data", file)));
    }
    expect(services.hash).toBe(digest.digest("hex"));
  });

  test("is what the package it was made from gives", () => {
    const script = join(packageRoot(), "scripts/build-service-data.ts");
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("is found from the sources and from the built package", () => {
    const root = packageRoot();
    expect(readFileSync(join(root, "package.json"), "utf8")).toContain('"validator-mcp"');
    expect(packageRoot(join(root, "src/services"))).toBe(root);
    expect(packageRoot(join(root, "dist/src/services"))).toBe(root);
  });

  test("finds no service under the name of a member that objects have", () => {
    for (const prefix of ["__proto__", "constructor", "", "S3 "]) {
      expect(services.get(prefix)).toBeUndefined();
    }
  });

  test("tells of an action its level, resource types, keys and description", () => {
    const action = services.get("s3")?.action("putobjecttagging");
    expect(action).toMatchObject({
      service: "s3",
      name: "PutObjectTagging",
      qualified: "s3:PutObjectTagging",
      accessLevel: "tagging",
      description: expect.stringMatching(/^Grants permission/),
    });
    expect(action?.resourceTypes).toContain("object");
    expect(action?.conditionKeys).toContain("s3:RequestObjectTag/<key>");
    expect(services.get("iam")?.action("AttachRolePolicy")?.accessLevel).toBe(
      "permissions-management",
    );
    expect(services.get("iam")?.action("GetRole")?.accessLevel).toBe("read");
    expect(services.get("iam")?.action("ListRoles")?.accessLevel).toBe("list");
    expect(services.get("sts")?.action("GetCallerIdentity")?.resourceTypes).toEqual([]);
  });

  test("finds all services that have an action of a name, by its letter case", () => {
    const having = (name: string) =>
      services.prefixes.filter((prefix) =>
        services.get(prefix)?.actions.some((action) => action.name === name),
      );
    for (const name of ["GetObject", "TagResource", "ListTagsForResource", "AssumeRole"]) {
      expect(services.withAction?.(name)).toEqual(having(name));
    }
    // Names of types and keys are none, and neither is half a name.
    for (const name of ["getobject", "bucket", "GetObj", "String", '"', ""]) {
      expect(services.withAction?.(name)).toEqual([]);
    }
  });

  test("is loaded in advance and for a call, a service once in either letter case", async () => {
    const own = embeddedServices();
    await own.warmUp();
    await own.load(["s3", "nosuch", "a4b"]);
    expect(own.get("s3")).toBe(own.get("S3"));
  });

  test("an action supports its own keys and those of its resource types, placeholders filled", () => {
    const getObject = services.get("s3")?.action("GetObject");
    expect(getObject?.supportsKey("S3:authtype")).toBe(true);
    expect(getObject?.supportsKey("s3:ExistingObjectTag/a/b")).toBe(true);
    expect(getObject?.supportsKey("s3:prefix")).toBe(false);
    expect(services.get("ec2")?.action("RunInstances")?.supportsKey("aws:RequestTag/x")).toBe(true);
    // Named by the source for one pair of action and resource type alone.
    const create = services.get("workspaces")?.action("CreateWorkspacesPool");
    expect(create?.supportsKey("aws:RequestTag/team")).toBe(true);
  });

  test("several ARN formats in one string come apart", () => {
    const formats = services.get("apigateway")?.resourceTypes.flatMap((type) => type.arnFormats);
    expect(formats?.filter((format) => !/^arn:[^, ]+$/.test(format))).toEqual([]);
    expect(services.get("lex")?.resourceTypes.some((type) => type.arnFormats.length === 2)).toBe(
      true,
    );
  });

  test("a condition key is found by its name or by what fits its placeholder, with its type", () => {
    const s3 = services.get("s3");
    expect(s3?.conditionKey("S3:Prefix")).toMatchObject({ name: "s3:prefix", types: ["String"] });
    expect(s3?.conditionKey("s3:existingobjecttag/x")).toMatchObject({
      name: "s3:ExistingObjectTag/<key>",
    });
    expect(s3?.conditionKey("aws:TagKeys")).toMatchObject({ types: ["ArrayOfString"] });
    expect(s3?.conditionKey("s3:nope")).toBeUndefined();
    expect(s3?.conditionKey("s3:prefix")?.description).toEqual(expect.any(String));
  });
});
