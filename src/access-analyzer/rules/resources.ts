import { memo } from "../../memo.ts";
import {
  type Arn,
  hasAccountWord,
  partitions,
  replaceVariables,
  splitArn,
} from "../../policy/arn.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { globsOverlap, hasWildcard } from "../../policy/wildcard.ts";
import { allFormatsOf } from "../../services/arn-overlap.ts";
import type { Service } from "../../services/model.ts";
import { isBorrowedResource } from "../borrowed.ts";
import { isKnownArnService } from "../services.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type ResourceType, type Subject } from "../types.ts";
import { servicesOfType } from "./actions.ts";
import { isRegion, regionDate } from "./regions.ts";

const partitionNames: ReadonlySet<string> = new Set(partitions);
const accountForm = /^(?:\d{12}|aws)?$/;

/** Wildcards and variables in a field leave it open. */
const isOpen = (field: string) => hasWildcard(field) || field.includes("${");

/** Each entry of Resource and NotResource. */
export function resourceEntries(statement: Statement, subject: Subject): Iterable<Issue> {
  if (subject.type === "trust") return noIssues;
  const { resources, notResources } = statement;
  const isFaulty = (entry: Entry) => faultsOf(entry, subject).length > 0;
  if (!resources.some(isFaulty) && !notResources.some(isFaulty)) return noIssues;
  return faultyEntries([...resources, ...notResources], subject);
}

function* faultyEntries(entries: readonly Entry[], subject: Subject): Generator<Issue> {
  for (const entry of entries) yield* faultsOf(entry, subject);
}

function faultsOf({ text, node }: Entry, subject: Subject): readonly Issue[] {
  if (text === "*") {
    if (subject.resourceType !== "AWS::S3::Bucket") return noIssues;
    return [
      {
        code: "UNSUPPORTED_RESOURCE_ARN_IN_POLICY",
        details: "`*` is not a resource of a bucket policy. Name the bucket or its objects.",
        nodes: [node],
      },
    ];
  }
  if (text.startsWith("${")) return noIssues;
  const issues: Issue[] = [];
  const report = (code: Issue["code"], details: string) => {
    issues.push({ code, details, nodes: [node] });
  };
  const arn = splitArn(text);
  // AWS counts the fields first: a name that is not an ARN lacks some of them.
  if (!arn && !text.endsWith(":*")) {
    report(
      "MISSING_ARN_FIELD",
      `${quoted(text)} has fewer than six fields. Write \`arn:partition:service:region:account:resource\`.`,
    );
  } else if (!text.startsWith("arn:")) {
    report(
      "INVALID_ARN_PREFIX",
      `${quoted(text)} does not begin with \`arn:\`. Write an ARN, or \`*\` alone.`,
    );
  } else if (arn) arnFields(arn, text, subject, report);
  return issues;
}

type Report = (code: Issue["code"], details: string) => void;

function arnFields(arn: Arn, text: string, subject: Subject, report: Report): void {
  const { partition, service, region, account } = arn;
  const { services, resourceType } = subject;
  if (!partitionNames.has(partition) && !isOpen(partition)) {
    report("INVALID_PARTITION", `The partition of ${quoted(text)} does not exist.`);
  }
  if (hasWildcard(service)) {
    report(
      "WILDCARD_IN_SERVICE_NAME",
      `The service field of ${quoted(text)} holds a wildcard, so it may match services that you do not mean. Name the service.`,
    );
  }
  if (!isOpen(region) && region !== "" && !isRegion(region)) {
    report(
      "INVALID_ARN_REGION",
      `The Region of ${quoted(text)} is not an AWS Region known on ${regionDate}.`,
    );
  }
  if (!isOpen(account) && !accountForm.test(account) && !hasAccountWord(arn)) {
    report(
      "INVALID_ARN_ACCOUNT",
      `The account of ${quoted(text)} is not an account id of 12 digits.`,
    );
  }
  if (isOpen(service)) return;
  const definition = services.get(service);
  if (definition?.prefix !== service) {
    if (/[A-Z]/.test(service)) {
      report(
        "INVALID_ARN_SERVICE_CASE",
        `The service field of ${quoted(text)} holds a capital letter. Write it in lower case.`,
      );
    }
    if (!isKnownArnService(services, service)) {
      report(
        "INVALID_SERVICE",
        `The service of ${quoted(text)} is not in the reference data of ${services.date}.`,
      );
      return;
    }
  }
  const allowed = servicesOfType(resourceType);
  const isForeign = allowed !== undefined && !allowed.includes(service.toLowerCase());
  if (isForeign) {
    report(
      "UNSUPPORTED_RESOURCE_ARN_IN_POLICY",
      `${quoted(text)} belongs to another service than the resource of this policy.`,
    );
  }
  if (!definition) return;
  if (!isForeign && resourceType && isOfAnotherType(arn, resourceType, definition)) {
    report(
      "UNSUPPORTED_RESOURCE_ARN_IN_POLICY",
      `${quoted(text)} is the ARN of another kind of resource than that of this policy.`,
    );
  }
  againstFormats(arn, text, definition, services.date, report);
}

interface Field {
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

interface Formats {
  /** Those with the service's own name in the service field; placeholders as wildcards. */
  readonly own: readonly Field[];
  /** Every format that the service's actions take has the field, those of other services included. */
  readonly allHaveRegion: boolean;
  readonly allHaveAccount: boolean;
  /** A format of the service itself has the field. */
  readonly takesRegion: boolean;
  readonly takesAccount: boolean;
}

const formatsOf = memo((service: Service): Formats => {
  const all = allFormatsOf(service);
  const own = all.filter((format) => globsOverlap(format.service, service.prefix));
  return {
    own,
    allHaveRegion: all.every(({ region }) => region !== ""),
    allHaveAccount: all.every(({ account }) => account !== ""),
    takesRegion: own.some(({ region }) => region !== ""),
    takesAccount: own.some(({ account }) => account !== ""),
  };
});

/** The ARNs that a policy of the type takes, where the service has other resources too. */
const arnsOfType: Partial<Record<ResourceType, Field>> = {
  "AWS::S3::Bucket": { region: "", account: "", resource: "*" },
  "AWS::S3::AccessPoint": { region: "?*", account: "?*", resource: "accesspoint/*" },
  "AWS::S3::MultiRegionAccessPoint": { region: "", account: "?*", resource: "accesspoint/*" },
  "AWS::DynamoDB::Table": { region: "?*", account: "?*", resource: "table/*" },
};

/** Whether it can be a resource of the service, but none that a policy of the type is for. */
function isOfAnotherType(arn: Arn, type: ResourceType, service: Service): boolean {
  const own = arnsOfType[type];
  const fits = (form: Field) =>
    (["region", "account", "resource"] as const).every((field) =>
      globsOverlap(form[field], replaceVariables(arn[field], "*")),
    );
  return own !== undefined && !fits(own) && formatsOf(service).own.some(fits);
}

/**
 * Access points have a Region and an account in their ARN, buckets and objects have neither.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#access-analyzer-reference-policy-checks-error-arn-account-not-allowed
 */
function isBucketWith(
  field: "region" | "account",
  arn: Arn,
  service: Service,
  formats: readonly Field[],
): boolean {
  if (service.prefix !== "s3" || arn[field] === "" || isOpen(arn[field])) return false;
  const pattern = replaceVariables(arn.resource, "*");
  return !formats.some((format) => format[field] !== "" && globsOverlap(format.resource, pattern));
}

/**
 * The reference has no format for the macros that AWS hosts, and its guide names them in policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/control-access-with-iam.html
 */
function isTransform({ service, account, resource }: Arn): boolean {
  return service === "cloudformation" && account === "aws" && /^transform\/./.test(resource);
}

function againstFormats(
  arn: Arn,
  text: string,
  service: Service,
  date: string,
  report: Report,
): void {
  const {
    own: formats,
    allHaveRegion,
    allHaveAccount,
    takesRegion,
    takesAccount,
  } = formatsOf(service);
  if (formats.length === 0) return;
  const { region, account } = arn;
  if (isBucketWith("region", arn, service, formats)) {
    report(
      "ARN_REGION_NOT_ALLOWED",
      `ARNs of \`s3\` buckets and their objects have no Region. Leave that field of ${quoted(text)} empty.`,
    );
  }
  if (isBucketWith("account", arn, service, formats)) {
    report(
      "ARN_ACCOUNT_NOT_ALLOWED",
      `ARNs of \`s3\` buckets and their objects have no account. Leave that field of ${quoted(text)} empty.`,
    );
  }
  const hasForeignRegion = region !== "" && !takesRegion && !isOpen(region);
  if (hasForeignRegion) {
    report(
      "ARN_REGION_NOT_ALLOWED",
      `ARNs of \`${service.prefix}\` have no Region (reference data of ${date}). Leave that field of ${quoted(text)} empty.`,
    );
  }
  if (account !== "" && !takesAccount && !isOpen(account)) {
    report(
      "ARN_ACCOUNT_NOT_ALLOWED",
      `ARNs of \`${service.prefix}\` have no account (reference data of ${date}). Leave that field of ${quoted(text)} empty.`,
    );
  }
  const resource = replaceVariables(arn.resource, "*");
  const isWhole = arn.resource === "?";
  if (isWhole || !isOpen(text)) {
    const fits =
      resource !== "" &&
      (formats.some((format) => globsOverlap(format.resource, resource)) ||
        isBorrowedResource(service.prefix, resource));
    if (isWhole || !(fits || isTransform(arn))) {
      report(
        "INVALID_ARN_RESOURCE",
        `The resource part of ${quoted(text)} fits no ARN format of \`${service.prefix}\` in the reference data of ${date}.`,
      );
      return;
    }
  }
  if (!(region === "" ? allHaveRegion : account === "" && allHaveAccount)) return;
  // A leading wildcard leaves the resource type open.
  if (/^[*?]/.test(resource)) return;
  if (!formats.some((format) => globsOverlap(format.resource, resource))) return;
  if (region === "" && allHaveRegion) {
    report(
      "MISSING_ARN_REGION",
      `The Region of ${quoted(text)} is empty. Name it, or write \`*\`.`,
    );
  } else if (
    region !== "" &&
    // Beside a Region that does not belong there AWS reports no more of the fields.
    !hasForeignRegion &&
    account === "" &&
    allHaveAccount &&
    // Accepted since 2026-03-04.
    !(service.prefix === "resource-explorer-2" && resource.startsWith("view/AWSServiceView"))
  ) {
    report(
      "MISSING_ARN_ACCOUNT",
      `The account of ${quoted(text)} is empty. Name it, or write \`*\`.`,
    );
  }
}
