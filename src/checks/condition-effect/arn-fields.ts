import { hasAccountWord, splitArn } from "../../policy/arn.ts";
import { otherPartition, regionDate, regionFault } from "../../policy/regions.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { quote } from "../shared/quote.ts";
import { isOpen } from "./effect.ts";
import { isTagKeyName } from "./key-facts.ts";
import type { ValueForm } from "./value-form.ts";

const page = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html";

/** 12 digits, a pattern of digits, or the owner of AWS's own resources. */
const account = /^(?:\d{12}|(?=.*[*?])[\d*?]{1,12}|aws|cloudfront)?$/;
/** What an author fills in later. */
const placeholder = /<[a-z][a-z0-9_-]*>/i;

interface ArnFieldFault {
  /** Ends the sentence "its values are ARNs, and this one …". */
  readonly problem: string;
  /** The ARN that is meant; null where that is not certain. */
  readonly corrected: string | null;
}

/** What no ARN has: another ARN behind it, an account of another form than 12 digits, a misspelt Region, or one of another partition. */
export function arnFieldFault(text: string, isPattern: boolean): ArnFieldFault | null {
  if (!text.startsWith("arn:") || isOpen(text) || placeholder.test(text)) return null;
  // A wildcard that is compared as text is another fault.
  if (!isPattern && hasWildcard(text)) return null;
  if (/[,;\s]arn:[a-z-]+:/.test(text)) {
    return { problem: "is several ARNs in one text", corrected: null };
  }
  const arn = splitArn(text);
  if (!arn) return null;
  if (!account.test(arn.account) && !hasAccountWord(arn)) {
    const digits = arn.account.replace(/^(\d{4})-(\d{4})-(\d{4})$/, "$1$2$3");
    return {
      problem: `has the account ${quote(arn.account)}, which is not an account id of 12 digits`,
      corrected: digits === arn.account ? null : withField(text, 4, digits),
    };
  }
  const partition = otherPartition(arn.partition, arn.region);
  if (partition !== undefined) {
    return {
      problem: `has the partition ${quote(arn.partition)}, but the Region ${quote(arn.region)} is in the partition ${quote(partition)}`,
      corrected: withField(text, 1, partition),
    };
  }
  const fault = arn.region === "" ? null : regionFault(arn.region);
  // A Region that is near no known one may be newer than the list.
  if (!fault || fault.near.length === 0) return null;
  return {
    problem: `has the Region ${quote(arn.region)}, which is not an AWS Region known on ${regionDate}`,
    corrected: fault.meant === null ? null : withField(text, 3, fault.meant),
  };
}

function withField(text: string, at: number, value: string): string {
  return text.split(":").with(at, value).join(":");
}

/** @returns a form that none of the texts has; undefined where one of them may be an ARN. */
export function arnFieldForm(
  keyLower: string,
  texts: readonly string[],
  isPattern: boolean,
): ValueForm | undefined {
  if (isTagKeyName(keyLower) || keyLower.startsWith("kms:encryptioncontext:")) return undefined;
  const [first, ...others] = texts.map((text) => arnFieldFault(text, isPattern));
  if (!first || others.includes(null)) return undefined;
  return {
    keys: [keyLower],
    words: `ARNs, and ${others.length === 0 ? "this one" : "the first one"} ${first.problem}`,
    value: /(?!)/,
    prefixes: [],
    impossible: /^/,
    code: null,
    page,
  };
}
