import { expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { hasAccountWord, splitArn } from "./arn.ts";

test("words in the account field of the reference's ARN formats are accepted", async () => {
  const services = embeddedServices();
  await services.load(services.prefixes);
  const formats = services.prefixes.flatMap(
    (prefix) => services.get(prefix)?.resourceTypes.flatMap(({ arnFormats }) => arnFormats) ?? [],
  );
  expect(formats.length).toBeGreaterThan(1_000);
  const unknown = formats.filter((format) => {
    const arn = splitArn(format);
    if (!arn || !/^[a-z]/.test(arn.account) || arn.account === "aws") return false;
    return !hasAccountWord(arn);
  });
  expect(unknown).toEqual([]);
});
