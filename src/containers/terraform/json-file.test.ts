import { describe, expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { terraformJson } from "./json-file.ts";

const text = (resource: string) =>
  JSON.stringify({ Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resource }] });

const read = async (value: object) => (await placesIn(terraformJson, JSON.stringify(value))) ?? [];

describe("Terraform in JSON syntax", () => {
  it("has policies as text with references in it", async () => {
    const resource = "${aws_s3_bucket.b.arn}/$${aws:username}/*";
    const source = {
      resource: {
        aws_iam_role: {
          r: {
            assume_role_policy: text("x"),
            inline_policy: [{ policy: text(resource) }],
          },
        },
        aws_iam_policy: { p: { policy: '${file("p.json")}' } },
      },
    };
    const places = await read(source);
    expect(places.map(({ address, type, state }) => [address, type, state])).toEqual([
      ["aws_iam_role.r.inline_policy[0].policy", "IDENTITY_POLICY", "read"],
      ["aws_iam_role.r.assume_role_policy", "TRUST_POLICY", "read"],
      ["aws_iam_policy.p.policy", "IDENTITY_POLICY", "not_read"],
    ]);
    expect(places[0]?.documents).toEqual([
      JSON.parse(text("${aws_s3_bucket.b.arn}/${aws:username}/*")),
    ]);
    const statement = places[0]?.place.alternatives[0]?.root?.members?.get("Statement")?.value;
    const node = statement?.items?.[0]?.members?.get("Resource")?.value;
    expect(places[0]?.source.text?.slice(node?.start, node?.end)).toBe(`\\"${resource}\\"`);
  });

  it("says that functions are not evaluated", async () => {
    const reasonOf = async (policy: string) =>
      (await read({ resource: { aws_iam_policy: { p: { policy } } } }))[0]?.reason;
    expect(await reasonOf("${jsonencode({ Statement = [] })}")).toContain("functions are not");
    expect(await reasonOf("${var.policy}")).toBe("The value of `var.policy` is not in this file.");
  });

  it("has data sources, with the type of who uses them", async () => {
    const places = await read({
      resource: {
        aws_iam_role: {
          r: { assume_role_policy: "${data.aws_iam_policy_document.trust.json}" },
        },
      },
      data: {
        aws_iam_policy_document: {
          trust: {
            statement: [
              {
                actions: ["sts:AssumeRole"],
                principals: [{ type: "AWS", identifiers: ["${var.account}"] }],
              },
            ],
          },
        },
      },
    });
    expect(places).toMatchObject([
      {
        address: "data.aws_iam_policy_document.trust",
        type: "TRUST_POLICY",
        documents: [
          {
            Version: "2012-10-17",
            Statement: [
              {
                Effect: "Allow",
                Action: ["sts:AssumeRole"],
                Principal: { AWS: ["${var.account}"] },
              },
            ],
          },
        ],
      },
    ]);
  });

  it.each([
    ["a configuration of another cloud", { resource: { google_storage_bucket: { b: {} } } }],
    ["a policy", JSON.parse(text("*")) as object],
    ["an event", { resource: "x", data: {} }],
  ])("is not %s", async (_title, value) => {
    expect(await placesIn(terraformJson, JSON.stringify(value))).toBeNull();
  });
});
