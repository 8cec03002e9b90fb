import { expect, test } from "vitest";
import { builtinChecks } from "../checks/index.ts";
import { masked, maskedObject } from "./masked.ts";

test.each(["password", "api_token", "clientSecret", "AWS_ACCESS_KEY_ID", "privateKey", "apikey"])(
  "the text under %s is masked, at any depth",
  (key) => {
    const value = { [key]: "x", nested: [{ [key]: ["x", { inner: "x" }] }] };
    expect(masked(value)).toEqual({
      [key]: "***",
      nested: [{ [key]: ["***", { inner: "***" }] }],
    });
  },
);

test("an object is masked by its keys, and stays an object", () => {
  expect(maskedObject({ name: "x", token: "x" })).toEqual({ name: "x", token: "***" });
  expect(maskedObject({})).toEqual({});
});

test("other values stay: no text, empty text, numbers and switches are not secrets", () => {
  const value = { token: "", secret: null, use_token: true, max_tokens: 5, name: "x" };
  expect(masked(value)).toEqual(value);
});

test("no option of a built-in check is taken for a secret", () => {
  for (const { check_id, options } of builtinChecks) {
    const defaults = options.safeParse({});
    expect(masked(defaults.data), check_id).toEqual(defaults.data);
  }
});
