// Validates policy files against a running server: node examples/validate.mjs FILE…
// Set VALIDATOR_URL for another server, VALIDATOR_TOKEN for one with authentication.
import { readFile } from "node:fs/promises";

const url = process.env.VALIDATOR_URL ?? "http://127.0.0.1:8000/mcp";
const token = process.env.VALIDATOR_TOKEN;
const files = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(2);
}

const policies = await Promise.all(
  files.map(async (name) => ({ name, policy: await readFile(name, "utf8") })),
).catch((error) => fail(error.message));
const response = await fetch(url, {
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "validate_policies", arguments: { policies } },
  }),
}).catch(({ cause }) =>
  fail(`No server answers at ${url} (${cause?.code}). Start one with: npm start`),
);
if (!response.ok) fail(`${url} answered ${response.status}`);
const { result, error } = await response.json();
if (error) fail(error.message);
if (result.isError) fail(result.content[0].text);

const byPlace = ({ location: one }, { location: other }) =>
  one && other
    ? one.start.line - other.start.line || one.start.column - other.start.column
    : Number(!one) - Number(!other);

for (const { name, is_valid, policy_type, issues } of result.structuredContent.results) {
  console.log(`${is_valid ? "valid  " : "INVALID"} ${name} (${policy_type})`);
  for (const { severity, check_id, message, location } of issues.sort(byPlace)) {
    const at = location ? `${location.start.line}:${location.start.column + 1}` : "";
    console.log(`  ${at.padEnd(6)} ${severity.padEnd(8)} ${check_id}: ${message}`);
  }
}
process.exitCode = result.structuredContent.results.every((one) => one.is_valid) ? 0 : 1;
