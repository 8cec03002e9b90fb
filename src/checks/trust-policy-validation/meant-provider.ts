import type { NeededInput } from "../../../spec/finding.ts";
import type { Report } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import type { NodeRef } from "../../json/node.ts";
import { sharedProvider } from "../../policy/oidc-providers.ts";
import { correctedNode } from "../shared/corrected.ts";
import { accountInput } from "../shared/placeholders.ts";
import type { ProviderKind } from "./providers.ts";

interface MeantProvider {
  readonly text: string;
  readonly inputs: readonly NeededInput[];
}

/** An ARN of a provider whose colons, slashes, letter case or ending are wrong, or with the scheme of its address. */
const looseArn =
  /^(?:arn:+)?(aws(?:-[a-z]+)*):+iam:+([0-9]{12})[:/]+(saml|oidc)[-_]?providers?[:/]+(?:https?:\/\/)?([^:/].*?)\/?$/i;
const host = /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w./-]*)?)$/i;
/** ARNs of IAM are shorter. */
const maxLength = 2_048;

/**
 * The ARN of the provider that a text means.
 * @returns null where that is not certain, or the provider is of the other kind.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
 */
export function meantProvider(text: string, kind: ProviderKind): MeantProvider | null {
  if (text.length > maxLength) return null;
  const [, partition = "", account, written = "", name] = looseArn.exec(text.trim()) ?? [];
  if (name !== undefined) {
    if (written.toUpperCase() !== kind) return null;
    const meant = `arn:${partition.toLowerCase()}:iam::${account}:${kind.toLowerCase()}-provider/${name}`;
    return meant === text ? null : { text: meant, inputs: [] };
  }
  const issuer = host.exec(text.trim())?.[1]?.replace(/\/$/, "");
  if (kind !== "OIDC" || issuer === undefined || !isIssuer(issuer)) return null;
  return { text: `arn:aws:iam::<account-id>:oidc-provider/${issuer}`, inputs: [accountInput] };
}

/** A domain with a path, or of a provider that many share; others may be misspelt services. */
function isIssuer(name: string): boolean {
  return sharedProvider(name) !== undefined || /^oidc\.eks\.[a-z0-9-]+\.amazonaws\.com/.test(name);
}

/** The fix that writes it. */
export function providerFix(
  node: NodeRef,
  { text, inputs }: MeantProvider,
): Pick<Report, "correction" | "fix"> {
  return {
    ...(inputs.length === 0 ? { correction: () => correctedNode(node, text) } : {}),
    fix: () => ({
      title: "Write the ARN of the provider",
      effect: "repairs",
      edits: [replaceValue(node, text)],
      needs_input: inputs,
    }),
  };
}
