import { shownPath } from "../document-at.ts";
import { notRead } from "../places.ts";
import type { Place, Source } from "../types.ts";
import { type Path, spanAt, valueAt } from "../values.ts";
import { type ManifestMember, manifestMembers } from "./kinds.ts";

/** A manifest with a policy in the text of a template. */
interface InlineManifest {
  readonly path: Path;
  readonly apiVersion: string;
  readonly kind: string;
  readonly member: ManifestMember;
}

const rendering = /^gotemplating\.fn\.crossplane\.io\//;

/**
 * Manifests that a composition renders from a template of Go in its own text. They are known to hold policies, and what
 * Crossplane makes of them is not known here.
 * https://docs.crossplane.io/latest/composition/compositions/ and
 * https://github.com/crossplane-contrib/function-go-templating
 */
export function* inlinePlaces(source: Source): Generator<Place> {
  for (const { path, apiVersion, kind, member } of inlineManifestsIn(source.value)) {
    const { policyType, service } = member;
    const facts = {
      address: `${shownPath(path)} ${kind} ${shownPath(member.path)}`,
      path,
      policyType: policyType === "by type" ? null : policyType,
      service,
      resourceType: `${apiVersion}/${kind}`,
    };
    const reason = "The manifest is in a template of Go, which Crossplane fills in.";
    yield notRead(facts, reason, { form: "text", span: spanAt(source.root, path) });
  }
}

function* inlineManifestsIn(value: unknown): Generator<InlineManifest> {
  const steps = valueAt(value, ["spec", "pipeline"]);
  for (const [index, step] of (Array.isArray(steps) ? steps : []).entries()) {
    const within: Path = ["input", "inline", "template"];
    const text = valueAt(step, within);
    const used = valueAt(step, ["input", "apiVersion"]);
    if (typeof text !== "string" || typeof used !== "string" || !rendering.test(used)) continue;
    const path = ["spec", "pipeline", index, ...within];
    for (const manifest of text.split(/^---/m)) {
      const apiVersion = /^apiVersion:[ \t]*["']?([\w./-]+)/m.exec(manifest)?.[1] ?? "";
      const kind = /^kind:[ \t]*["']?(\w+)/m.exec(manifest)?.[1] ?? "";
      const lines = manifest.split("\n").map((line) => line.trim());
      const member = manifestMembers(apiVersion, kind).find((one) => isIn(lines, one));
      if (member) yield { path, apiVersion, kind, member };
    }
  }
}

/** Whether a line begins with the name of the member that has the policy. */
function isIn(lines: readonly string[], { path }: ManifestMember): boolean {
  const name = path.findLast((step) => step !== "[]" && step !== "*") ?? "";
  return lines.some((line) => line.startsWith(`${name}:`) || line.startsWith(`- ${name}:`));
}
