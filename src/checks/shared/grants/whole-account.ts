import { splitArn } from "../../../policy/arn.ts";

/** @returns the account that a principal means as a whole (12 digits, or its root); else null. */
export function wholeAccount({ type, text }: { type: string; text: string }): string | null {
  if (type !== "AWS") return null;
  if (/^\d{12}$/.test(text)) return text;
  const arn = splitArn(text);
  return arn?.service === "iam" && arn.resource === "root" && /^\d{12}$/.test(arn.account)
    ? arn.account
    : null;
}
