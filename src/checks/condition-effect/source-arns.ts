import { nearestName } from "../../nearest.ts";
import { splitArn } from "../../policy/arn.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { quote } from "../shared/quote.ts";
import { isOpen } from "./effect.ts";
import type { ValueForm } from "./value-form.ts";

/** What the ARNs of a service look like where its resources call others. */
interface SourceForm {
  /** No ARN of the service has a Region, or every ARN that calls for a resource has one. */
  readonly region: "never" | "always";
  readonly account: "never" | "always";
  /**
   * Words that the resource part begins with, with what stands behind them where types differ in it; empty where a name
   * stands there. More may exist.
   */
  readonly types: readonly string[];
  /** What stands behind the type, where all types of the service have the same. An ARN without any has no type. */
  readonly separator?: "/" | ":";
  readonly example: string;
}

const regional = { region: "always", account: "always" } as const;

function named(example: string): SourceForm {
  return { ...regional, types: [], example };
}

/**
 * ARNs of resources on whose behalf services call.
 * Sources: the lists of resource types in the Service Authorization Reference, such as
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudfront.html, and
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html (the bucket, no object).
 */
const forms: Readonly<Record<string, SourceForm>> = {
  s3: { region: "never", account: "never", types: [], example: "arn:aws:s3:::amzn-s3-demo-bucket" },
  cloudfront: {
    region: "never",
    account: "always",
    types: ["distribution", "streaming-distribution"],
    separator: "/",
    example: "arn:aws:cloudfront::111122223333:distribution/EDFDVBD6EXAMPLE",
  },
  cloudwatch: {
    ...regional,
    types: ["alarm:", "dashboard/", "insight-rule/", "metric-stream/", "slo/", "service/"],
    example: "arn:aws:cloudwatch:us-east-1:111122223333:alarm:high-cpu",
  },
  "cognito-idp": {
    ...regional,
    types: ["userpool"],
    separator: "/",
    example: "arn:aws:cognito-idp:us-east-1:111122223333:userpool/us-east-1_AbCdEfGhI",
  },
  cloudtrail: {
    ...regional,
    types: ["trail", "channel", "eventdatastore", "dashboard"],
    separator: "/",
    example: "arn:aws:cloudtrail:us-east-1:111122223333:trail/main",
  },
  codebuild: {
    ...regional,
    types: ["project", "build", "report-group", "fleet"],
    example: "arn:aws:codebuild:us-east-1:111122223333:project/app",
  },
  elasticloadbalancing: {
    ...regional,
    types: ["loadbalancer", "targetgroup", "listener", "listener-rule", "truststore"],
    example: "arn:aws:elasticloadbalancing:us-east-1:111122223333:loadbalancer/app/web/*",
  },
  events: {
    ...regional,
    types: ["rule", "event-bus", "archive", "connection", "api-destination", "endpoint", "replay"],
    separator: "/",
    example: "arn:aws:events:us-east-1:111122223333:rule/nightly",
  },
  lambda: {
    ...regional,
    types: ["function", "layer", "event-source-mapping", "code-signing-config"],
    separator: ":",
    example: "arn:aws:lambda:us-east-1:111122223333:function:app",
  },
  logs: {
    ...regional,
    types: ["log-group", "destination", "delivery", "delivery-source", "delivery-destination"],
    separator: ":",
    example: "arn:aws:logs:us-east-1:111122223333:log-group:app:*",
  },
  rolesanywhere: {
    ...regional,
    types: ["trust-anchor", "profile", "subject", "crl"],
    separator: "/",
    example: "arn:aws:rolesanywhere:us-east-1:111122223333:trust-anchor/ID",
  },
  scheduler: {
    ...regional,
    types: ["schedule", "schedule-group"],
    example: "arn:aws:scheduler:us-east-1:111122223333:schedule-group/default",
  },
  sns: { ...regional, types: [], example: "arn:aws:sns:us-east-1:111122223333:topic" },
  sqs: { ...regional, types: [], example: "arn:aws:sqs:us-east-1:111122223333:queue" },
  // Of these only the Region and the account are said: names and types follow them.
  codecommit: named("arn:aws:codecommit:us-east-1:111122223333:repository"),
  codepipeline: named("arn:aws:codepipeline:us-east-1:111122223333:pipeline"),
  config: named("arn:aws:config:us-east-1:111122223333:config-rule/config-rule-a1b2c3"),
  connect: named("arn:aws:connect:us-east-1:111122223333:instance/*"),
  dynamodb: named("arn:aws:dynamodb:us-east-1:111122223333:table/orders"),
  "execute-api": named("arn:aws:execute-api:us-east-1:111122223333:a1b2c3d4e5/*/GET/orders"),
  firehose: named("arn:aws:firehose:us-east-1:111122223333:deliverystream/orders"),
  iot: named("arn:aws:iot:us-east-1:111122223333:rule/orders"),
  kinesis: named("arn:aws:kinesis:us-east-1:111122223333:stream/orders"),
  lex: named("arn:aws:lex:us-east-1:111122223333:bot-alias/*"),
  secretsmanager: named("arn:aws:secretsmanager:us-east-1:111122223333:secret:orders-AbCdEf"),
  ses: named("arn:aws:ses:us-east-1:111122223333:identity/example.com"),
  wafv2: named("arn:aws:wafv2:us-east-1:111122223333:regional/webacl/*"),
  budgets: {
    region: "never",
    account: "always",
    types: [],
    example: "arn:aws:budgets::111122223333:*",
  },
  states: {
    ...regional,
    types: ["stateMachine", "express", "activity", "execution", "mapRun"],
    separator: ":",
    example: "arn:aws:states:us-east-1:111122223333:stateMachine:orders",
  },
};

const anySource: SourceForm = {
  ...regional,
  types: [],
  example: "arn:aws:sns:us-east-1:111122223333:topic",
};

/** @returns a form that none of the texts has; undefined where one of them may be the ARN of a source. */
export function sourceArnForm(
  keyLower: string,
  texts: readonly string[],
  isPattern: boolean,
): ValueForm | undefined {
  if (keyLower !== "aws:sourcearn") return undefined;
  const [first, ...others] = texts.map((text) => impossibleForm(text, isPattern));
  if (!first || others.includes(null)) return undefined;
  const [service, { example }] = first;
  return {
    keys: [keyLower],
    words:
      service === "iam" || service === "sts"
        ? ` ARNs of the resources for which a service calls, such as ${quote(example)}, and \`aws:PrincipalArn\` has those of callers`
        : `, for ${quote(service)}, ARNs such as ${quote(example)}`,
    value: /(?!)/,
    prefixes: [],
    impossible: /^/,
    code: null,
    page: "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html",
  };
}

function impossibleForm(text: string, isPattern: boolean): [string, SourceForm] | null {
  // A wildcard that is compared as text is another fault.
  if (isOpen(text) || (!isPattern && hasWildcard(text))) return null;
  const arn = splitArn(text);
  if (!arn) return null;
  // No user or role is a source; `aws:PrincipalArn` has these.
  if (arn.service === "iam" || arn.service === "sts") return [arn.service, anySource];
  const form = Object.hasOwn(forms, arn.service) ? forms[arn.service] : undefined;
  if (!form) return null;
  return isPossibleSource(arn, form) ? null : [arn.service, form];
}

function isPossibleSource(
  { service, region, account, resource }: NonNullable<ReturnType<typeof splitArn>>,
  form: SourceForm,
): boolean {
  if (service === "s3") return isPossibleOfS3(region, account, resource);
  // The ARN of a subscription is that of its topic, a colon and an id; messages come from the topic.
  if (service === "sns" && resource.includes(":")) return false;
  if (!fits(region, form.region) || !fits(account, form.account)) return false;
  const [type = ""] = resource.split(/[/:]/, 1);
  if (form.types.length === 0 || hasWildcard(type) || resource.startsWith(":")) return true;
  const behind = resource.charAt(type.length);
  const own = form.types.find((one) => nameOf(one) === type);
  const separator = form.separator ?? (own === undefined ? undefined : endOf(own));
  if (own === undefined) {
    if (behind === "" || (separator !== undefined && behind !== separator)) return false;
    return nearestName(type, form.types.map(nameOf)) === undefined;
  }
  return behind === "" || separator === undefined || behind === separator;
}

function nameOf(type: string): string {
  return type.replace(/[/:]$/, "");
}

function endOf(type: string): string | undefined {
  return /[/:]$/.exec(type)?.[0];
}

/** What else than a bucket has an account: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html */
const withAccount =
  /^(?:accesspoint|job|storage-lens|storage-lens-group|access-grants|async-request)[/:*?]/;

/** A bucket has neither Region nor account, and its name has no slash. */
function isPossibleOfS3(region: string, account: string, resource: string): boolean {
  if (/[^*]/.test(region + account)) return withAccount.test(resource) || /^[*?]/.test(resource);
  return region !== "" || account !== "" || !resource.includes("/");
}

function fits(field: string, is: "never" | "always"): boolean {
  return is === "always" ? field !== "" : !/[^*]/.test(field);
}
