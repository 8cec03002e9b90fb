import type { Finding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import type { Check } from "../../src/engine/check.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import type { AttachedResource, PolicyDocument } from "../../src/policy/model.ts";
import type { ServiceData } from "../../src/services/model.ts";
import { expectWholeFindings } from "./finding-form.ts";
import { serviceDataFrom } from "./service-data.ts";
import { serviceDocuments } from "./service-documents.ts";

/** The small service reference of the tests. */
export const testServices = serviceDataFrom(Object.values(serviceDocuments), {
  date: "2026-01-31",
});

/**
 * An engine with these checks under a config file's content.
 * @throws what a check throws: a test must not pass over it.
 */
export function engineFor(
  checks: readonly Check[],
  config: Readonly<Record<string, unknown>> = {},
  services: ServiceData = testServices,
): Engine {
  const targets = checks.map((check) => ({ check, source: "builtin" as const }));
  const { config: resolved, registry } = resolveConfig(
    { value: config, lineOf: () => null },
    "config.yaml",
    targets,
  );
  return createEngine(resolved, registry, services, (_checkId, error) => {
    throw error;
  });
}

/** A policy and the config that it is validated with. */
export interface PolicyUnderTest {
  /** One of these three. Statements are put into a document of version 2012-10-17. */
  readonly statement?: object | readonly object[];
  readonly policy?: unknown;
  readonly text?: string;
  /** What the policy is compared with: statements, or a whole document. */
  readonly baseline?: unknown;
  /** Declared by the caller; absent: found by content. */
  readonly type?: PolicyType;
  /** The name of its file, which may tell the type. */
  readonly file?: string;
  /** The resource that a template attaches the policy to. */
  readonly attached?: AttachedResource;
  /** Action prefix of the service of the resource that a template attaches the policy to. */
  readonly service?: string;
  /** The template shows every statement of that resource's policy. */
  readonly isWhole?: boolean;
  /** The check's section of the config: options, `severity`, `ignore_patterns`, … */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The `settings` section of the config. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Other checks that run beside the one under test; their findings are left out. */
  readonly peers?: readonly Check[];
  /** The rest of the config: sections of the peers. */
  readonly config?: Readonly<Record<string, unknown>>;
}

function contentOf({ statement, policy, text }: PolicyUnderTest): unknown {
  if (text !== undefined) return text;
  if (statement === undefined) return policy;
  return documentOf(Array.isArray(statement) ? statement : [statement]);
}

function documentOf(statements: readonly unknown[]): object {
  return { Version: "2012-10-17", Statement: statements };
}

async function baselineOf({ baseline }: PolicyUnderTest): Promise<PolicyDocument | null> {
  if (baseline === undefined) return null;
  return await parseDocument(Array.isArray(baseline) ? documentOf(baseline) : baseline);
}

/** @returns the findings of this check on the policy, in order. Each has the form of the contract. */
export async function runCheck(
  check: Check,
  input: PolicyUnderTest,
  services: ServiceData = testServices,
): Promise<readonly Finding[]> {
  const config = {
    ...input.config,
    ...(input.settings ? { settings: input.settings } : {}),
    ...(input.options ? { [check.check_id]: input.options } : {}),
  };
  const engine = engineFor([check, ...(input.peers ?? [])], config, services);
  const { findings } = await validatePolicy(
    {
      document: await parseDocument(contentOf(input)),
      name: input.file ?? null,
      declaredType: input.type ?? null,
      label: "policy",
      baseline: await baselineOf(input),
      attached: input.attached ?? null,
      service: input.service ?? null,
      isWhole: input.isWhole ?? false,
    },
    engine,
  );
  const own = findings.filter((finding) => finding.check_id === check.check_id);
  expectWholeFindings(own);
  return own;
}
