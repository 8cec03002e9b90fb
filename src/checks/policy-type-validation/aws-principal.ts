import { withoutTrailing } from "../../ascii.ts";
import { partitions } from "../../policy/arn.ts";
import { quote } from "../shared/quote.ts";

/** @returns what is wrong with a value under `AWS`, or null. */
export function awsForm(text: string): string | null {
  if (/^[0-9]+$/.test(text)) {
    return text.length === 12 ? null : `an account id has 12 digits, this one has ${text.length}`;
  }
  // Ids that AWS shows in place of the ARN of a user or role that is deleted.
  if (/^A[A-Z]{3}[A-Z0-9]{8,}$/.test(text)) return null;
  const parts = text.split(":");
  const [prefix, partition = "", service, region, account = "", ...rest] = parts;
  const resource = rest.join(":");
  if (prefix !== "arn" || parts.length < 6) return "it is neither an account id nor an ARN";
  if (!partitions.includes(partition)) return `no partition is called ${quote(partition)}`;
  if (region !== "") return "the ARN of an IAM principal has no Region";
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
  if (service === "iam" && account === "cloudfront") {
    return /^user\/CloudFront Origin Access Identity \S+$/.test(resource)
      ? null
      : "an origin access identity is `user/CloudFront Origin Access Identity ID`";
  }
  if (!/^[0-9]{12}$/.test(account)) return `${quote(account)} is not an account id of 12 digits`;
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: the characters of names and paths
  if (/,\s*arn:/.test(resource)) return "several principals are a list, not one text";
  if (/\s/.test(resource)) return "names of IAM have no spaces";
  const type = resource.split("/", 1)[0] ?? "";
  if (service === "iam") {
    // https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
    if (/^role\/AWSReservedSSO_/.test(resource)) {
      return "a role of IAM Identity Center has the path `aws-reserved/sso.amazonaws.com/`, which ends with its Region unless that is `us-east-1`";
    }
    if (resource === "root" || /^(?:user|role)\/./.test(resource)) return null;
    if (type === "group") return "a group cannot be a principal; AWS knows users and roles only";
    return `an IAM principal is \`root\`, \`user/…\` or \`role/…\``;
  }
  if (service === "sts") {
    const accepted = /^(?:assumed-role\/[^/]+\/[^/]+|federated-user\/.+|self)$/.test(resource);
    return accepted
      ? null
      : "an STS principal is `assumed-role/ROLE/SESSION` or `federated-user/NAME`";
  }
  return "its service is neither IAM nor STS";
}

/** An ARN of IAM or STS whose colons, slashes or letter case are wrong, or that has a Region. */
const looseArn =
  /^(?:arn:+)?(aws(?:-[a-z]+)*):+(?:iam|sts):+(?:[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}:+)?(\d{12}|\d{4}-\d{4}-\d{4})[:/]+([^:/].*)$/i;

/** A name with its path. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html */
const ofPrincipal = /^(user|role)s?[:/]+([\w+=,.@-]+(?:\/[\w+=,.@-]+)*)$/i;
const ofSession = /^(assumed-role|federated-user)[:/]+([\w+=,.@-]+(?:\/[\w+=,.@-]+)*)$/i;

/** ARNs of IAM are shorter. */
const maxLength = 2_048;

/** `root`, and how it comes out of the keyboard. */
const rootSlips: ReadonlySet<string> = new Set(["root", "roots", "rooot", "rot", "rroot", "roott"]);

/**
 * The principal that a text under `AWS` means, where its account and name are written out.
 * @returns null where that is not certain: an ARN that ends with the account may have lost a role.
 */
export function meantPrincipal(text: string): string | null {
  const meant = text.length > maxLength ? null : principalIn(text);
  return meant !== null && awsForm(meant) === null ? meant : null;
}

function principalIn(text: string): string | null {
  const id = /^\s*(\d{12}|\d{4}-\d{4}-\d{4})\s*$/.exec(text)?.[1];
  if (id !== undefined) return id.replaceAll("-", "");
  const [, partition, written, resource] = looseArn.exec(text.trim()) ?? [];
  if (partition === undefined || written === undefined || resource === undefined) return null;
  const account = written.replaceAll("-", "");
  const arn = (service: string, rest: string) =>
    `arn:${partition.toLowerCase()}:${service}::${account}:${rest}`;
  if (rootSlips.has(withoutTrailing(resource.toLowerCase(), ":/"))) return arn("iam", "root");
  const [, type, name] = ofPrincipal.exec(resource) ?? [];
  if (type !== undefined) return arn("iam", `${type.toLowerCase()}/${name}`);
  const [, session, ofRole] = ofSession.exec(resource) ?? [];
  return session === undefined ? null : arn("sts", `${session.toLowerCase()}/${ofRole}`);
}
