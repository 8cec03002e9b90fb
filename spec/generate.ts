/**
 * Generates the published JSON Schemas (2020-12) from the Zod objects: `npm run spec`.
 * With `--check` it writes nothing and fails if a committed file differs.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { builtinChecks } from "../src/checks/index.ts";
import { AuditRecord } from "./audit.ts";
import { Baseline } from "./baseline.ts";
import { ConfigSettings } from "./config.ts";
import { configSchema } from "./config-schema.ts";
import { StartupErrorKind, ToolErrorKind } from "./errors.ts";
import { Finding, FixFinding, LeanFinding } from "./finding.ts";
import { Health, Ready } from "./health.ts";
import { jsonSchema } from "./json-schema.ts";
import {
  AuthorizationServerMetadata,
  OAuthErrorBody,
  RegistrationRequest,
  RegistrationResponse,
  TokenResponse,
} from "./login.ts";
import { Profile, Scope, Tag } from "./scopes.ts";
import { Settings } from "./settings.ts";
import { toolSchema } from "./tool-schema.ts";
import { toolContracts } from "./tools/index.ts";
import { localToolContracts } from "./tools/local/index.ts";
import { PolicyInput } from "./tools/validate-policies.ts";

interface Published {
  readonly file: string;
  readonly title: string;
  readonly schema: z.ZodType;
  readonly io: "input" | "output";
}

const published: readonly Published[] = [
  { file: "settings", title: "Settings of the server process", schema: Settings, io: "input" },
  {
    file: "config-settings",
    title: "Settings of the config file",
    schema: ConfigSettings,
    io: "input",
  },
  { file: "baseline", title: "Baseline of the command line", schema: Baseline, io: "output" },
  { file: "health", title: "GET /health", schema: Health, io: "output" },
  { file: "ready", title: "GET /ready", schema: Ready, io: "output" },
  { file: "audit-record", title: "Audit record", schema: AuditRecord, io: "output" },
  { file: "finding", title: "Finding, all fields", schema: Finding, io: "output" },
  { file: "fix-finding", title: "Finding, reduced to the fix", schema: FixFinding, io: "output" },
  { file: "lean-finding", title: "Finding", schema: LeanFinding, io: "output" },
  { file: "policy-input", title: "Policy as submitted", schema: PolicyInput, io: "input" },
  { file: "scope", title: "OAuth scope", schema: Scope, io: "output" },
  { file: "tag", title: "Tag of a tool, resource or prompt", schema: Tag, io: "output" },
  { file: "profile", title: "Profile", schema: Profile, io: "output" },
  {
    file: "authorization-server",
    title: "Authorization-server metadata",
    schema: AuthorizationServerMetadata,
    io: "output",
  },
  {
    file: "registration.input",
    title: "Client registration",
    schema: RegistrationRequest,
    io: "input",
  },
  {
    file: "registration.output",
    title: "Registered client",
    schema: RegistrationResponse,
    io: "output",
  },
  { file: "token-response", title: "Tokens", schema: TokenResponse, io: "output" },
  { file: "oauth-error", title: "Refusal of the front", schema: OAuthErrorBody, io: "output" },
  { file: "tool-error-kind", title: "Kind of tool error", schema: ToolErrorKind, io: "output" },
  {
    file: "startup-error-kind",
    title: "Kind of start-up error",
    schema: StartupErrorKind,
    io: "output",
  },
];

const tools = [
  ...toolContracts.map((contract) => ({ contract, file: contract.name })),
  ...localToolContracts.map((contract) => ({ contract, file: `local.${contract.name}` })),
];

function render(file: string, title: string, body: Record<string, unknown>): [string, string] {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const document = { $schema, $id: `urn:validator-mcp:schema:${file}`, title, ...body };
  return [`${file}.json`, `${JSON.stringify(document, null, 2)}\n`];
}

const folder = join(import.meta.dirname, "schemas");
const files = new Map([
  ...published.map(({ file, title, schema, io }) => render(file, title, jsonSchema(schema, io))),
  ...tools.flatMap(({ contract, file }) => [
    render(`${file}.input`, `${contract.title}: arguments`, toolSchema(contract, "input")),
    render(`${file}.output`, `${contract.title}: result`, toolSchema(contract, "output")),
  ]),
]);
files.set("config.json", `${JSON.stringify(configSchema(builtinChecks), null, 2)}\n`);

if (process.argv.includes("--check")) {
  const present = new Set(await readdir(folder));
  const drifted = [...files.keys()].filter((name) => !present.delete(name));
  for (const [name, text] of files) {
    if (drifted.includes(name)) continue;
    if ((await readFile(join(folder, name), "utf8")) !== text) drifted.push(name);
  }
  const all = [...drifted, ...present];
  if (all.length > 0) {
    process.stderr.write(
      `spec/schemas differs from the Zod objects (npm run spec): ${all.join(", ")}\n`,
    );
    process.exit(1);
  }
} else {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
}
