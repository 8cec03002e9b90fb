import { expect, test } from "vitest";
import { impossibleForm } from "../../checks/resource-validation/name-forms.ts";
import { allFormatsOf, overlaps, policyArn } from "../../services/arn-overlap.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { arnFormOf } from "../terraform/arns.ts";
import { resourceNames } from "./names.ts";

const fields: Readonly<Record<string, string>> = {
  partition: "aws",
  region: "us-east-1",
  account: "123456789012",
  name: "example",
};

const sampleOf = (arn: string) =>
  arn.replace(/\{([a-z]+)\}/g, (_all, field: string) => fields[field] ?? "");

test("the ARN of each resource type is one that a resource can have", () => {
  const arns = Object.values(resourceNames).flatMap(({ arn }) => arn ?? []);
  const terraform = arnFormOf("aws_secretsmanager_secret")?.arn ?? "";
  const faults = [...arns, terraform].map(sampleOf).map(impossibleForm);
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test("the ARN of each resource type has a form of the service reference", async () => {
  const services = embeddedServices();
  const wrong: string[] = [];
  for (const { arn = null } of Object.values(resourceNames)) {
    if (arn === null) continue;
    const sample = sampleOf(arn);
    const prefix = sample.split(":")[2] ?? "";
    await services.load([prefix]);
    const service = services.get(prefix);
    const parts = policyArn(sample);
    const formats = service ? allFormatsOf(service) : [];
    if (!parts || !formats.some((format) => overlaps(format, parts))) wrong.push(sample);
  }
  expect(wrong).toEqual([]);
});
