import { expect, test } from "vitest";
import { namesThisServer } from "./resource.ts";

const base = "https://tools.example.com/validator";

test.each([
  [[]],
  [[base]],
  [[`${base}/`]],
  [[`${base}/mcp`]],
  [[`${base}/mcp/`]],
  [["HTTPS://Tools.Example.COM/validator/mcp"]],
  [[base, `${base}/mcp`]],
])("%j names this server", (resources) => {
  expect(namesThisServer(resources, base)).toBe(true);
});

test.each([
  [""],
  ["/validator/mcp"],
  ["tools.example.com/validator/mcp"],
  [`${base}/mcp//`],
  [`${base}/mcp#`],
  [`${base}/mcp?a`],
  [`${base}/MCP`],
  [`${base}/%6dcp`],
  [`${base}/mcp/x`],
  [`x${base}/mcp`],
  [` ${base}/mcp`],
  [`${base}/mcp `],
  [`\u00e4${base}`],
  [`-${base}`],
  ["http://tools.example.com/validator/mcp"],
  ["https:/tools.example.com/validator/mcp"],
  ["https://tools.example.com:443/validator/mcp"],
  ["https://a@tools.example.com/validator/mcp"],
  ["https://tools.example.com/Validator/mcp"],
  ["https://tools.example.com/mcp"],
  ["https:///validator/mcp"],
  ["https://"],
  ["1ttps://tools.example.com/validator/mcp"],
])("%j does not", (resource) => {
  expect(namesThisServer([resource], base)).toBe(false);
  expect(namesThisServer([base, resource], base)).toBe(false);
});

test("texts that are no addresses do not name a server with such a base either", () => {
  expect(namesThisServer(["x"], "y")).toBe(false);
});

test("a base of another scheme and of an empty path", () => {
  expect(namesThisServer(["http://localhost:8000/mcp"], "http://localhost:8000")).toBe(true);
  expect(namesThisServer(["http://localhost:8000/"], "http://localhost:8000")).toBe(true);
  expect(namesThisServer(["x-y.z+1://host/mcp"], "x-y.z+1://host")).toBe(true);
});
