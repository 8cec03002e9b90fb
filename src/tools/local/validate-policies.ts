import type { z } from "zod";
import { localValidatePolicies as contract } from "../../../spec/tools/local/validate-policies.ts";
import { declaredType } from "../../engine/policy-type-word.ts";
import { ToolError } from "../../errors.ts";
import {
  BadRequest,
  collectFiles,
  type FileRequest,
  TooManyFiles,
} from "../../local/collect-files.ts";
import { fixText } from "../../local/fix-text.ts";
import type { Session } from "../../local/session.ts";
import { validateFiles } from "../../local/validate-files.ts";
import { type FileText, TooManyDocuments } from "../../local/validate-text.ts";
import { renderReport } from "../../reports/formats.ts";
import { fitValidateResult } from "../../results/fit.ts";
import { reportInput, resultOf, runValidation, sum } from "../run-validation.ts";
import { implement, type ToolContext } from "../tool.ts";
import { validatePolicies } from "../validate-policies.ts";
import { reportPolicy } from "./report-policy.ts";
import { withFile } from "./with-file.ts";

type Input = z.output<typeof contract.input>;
type Output = z.input<typeof contract.output>;

/** Maximum number of files, and of documents in them, in one call, unless `max_policies` is larger. */
const maxFiles = 1000;

/** `validate_policies` of local mode: takes files as well as policies. */
export function localValidatePolicies(session: Session) {
  return implement(
    contract,
    async (input, context) => {
      const { output, severity_counts } = await validated(input, context, session);
      const shrink = () => fitValidateResult(output, context.maxResultBytes);
      return { output, shrink, severity_counts };
    },
    {
      needsReferenceData: true,
      policyCount: validatePolicies.policyCount,
    },
  );
}

function validated(input: Input, context: ToolContext, session: Session) {
  const { policies, path, glob } = input;
  const given = [policies, path, glob].filter((one) => one !== undefined && one !== null);
  if (given.length !== 1) {
    throw new ToolError("invalid_arguments", "give exactly one of policies, path, glob.");
  }
  return policies
    ? validateInline({ ...input, policies }, context)
    : validateFilesAt(
        { paths: path ? [path] : [], glob: glob ?? undefined },
        input,
        context,
        session,
      );
}

async function validateInline(input: Input & { policies: unknown[] }, context: ToolContext) {
  const { policies, policy_type, detail, fix, format } = input;
  const { output, severity_counts = {} } = await runValidation(
    { policies, policy_type, detail, fix, format },
    // Not shortened here, because `file` and `document` are added below and count towards the limit.
    { ...context, maxResultBytes: Number.POSITIVE_INFINITY },
  );
  const results = output.results.map((result) => withFile(result, { file: null, document: null }));
  return { output: { ...output, results }, severity_counts };
}

async function validateFilesAt(
  request: FileRequest,
  { policy_type, detail, fix, format }: Input,
  { runtime, signal }: ToolContext,
  { root, configPath, base, repository }: Session,
) {
  if (root === null) {
    throw new ToolError(
      "invalid_arguments",
      "this server was started in the file system's root, so it reads no files; start it with --root <directory>.",
    );
  }
  const bound = Math.max(maxFiles, runtime.settings.max_policies);
  const type = declaredType(policy_type, "policy_type");
  const effects = new Set(fix);
  const editor = (file: FileText) =>
    fixText(file, runtime, { declaredType: type, effects, signal });
  let skipped = 0;
  const documents = await asToolErrors(async () => {
    const files = await collectFiles(request, {
      root,
      confined: true,
      maxFiles: bound,
      except: [configPath],
      signal,
    });
    return validateFiles(files, runtime, {
      declaredType: type,
      maxFileBytes: runtime.settings.max_policy_bytes,
      maxTotalBytes: runtime.settings.max_request_bytes,
      maxDocuments: bound,
      base,
      edit: fix && fix.length > 0 ? editor : undefined,
      onSkip: () => void skipped++,
      signal,
    });
  });
  const report =
    format === "json"
      ? {}
      : {
          report: await renderReport(
            format,
            reportInput(
              documents.map((one) => reportPolicy(one, repository ?? root)),
              runtime,
            ),
          ),
        };
  const output: Output = {
    results: documents.map((one) => withFile(resultOf(one, detail), one)),
    config_digest: runtime.digest,
    truncated: false,
    truncated_count: 0,
    skipped,
    ...report,
  };
  return { output, severity_counts: sum(documents.map((one) => one.severity_counts)) };
}

async function asToolErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadRequest) throw new ToolError("invalid_arguments", error.message);
    if (error instanceof TooManyFiles || error instanceof TooManyDocuments) {
      throw new ToolError(
        "too_many_policies",
        `Too much at once: ${error.message}. Name a smaller directory or a narrower glob.`,
      );
    }
    throw error;
  }
}
