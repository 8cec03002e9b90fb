import { hasVariable, splitArn } from "../../policy/arn.ts";
import { quote } from "../shared/quote.ts";

export interface NameFault {
  readonly message: string;
  readonly suggestion: string;
  /** The ARN that is meant, where that is certain. */
  readonly corrected?: string;
}

interface FormFault {
  /** Ends the sentence "No … matches the ARN: …". */
  readonly because: string;
  readonly advice: string;
  /** The last field of the ARN that is meant, where that is certain. */
  readonly corrected?: string;
  /** The account of the ARN that is meant, where it is another. */
  readonly account?: string;
}

interface FormRule {
  readonly service: string;
  readonly what: string;
  readonly fault: (resource: string, account: string) => FormFault | null;
}

/** Of a domain name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const longestHost = 255;
/** The endpoint of a bucket in place of its name, with the Region or the website. */
const endpoint = /\.s3(?:-website)?(?:[.-][a-z0-9.-]*)?\.amazonaws\.com(?:\.cn)?$/i;

const rules: readonly FormRule[] = [
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
  {
    service: "s3",
    what: "bucket",
    fault: (resource) => {
      if (resource.startsWith("/")) {
        return {
          because: "the name of a bucket cannot begin with a slash",
          advice: "Write the name of the bucket right after the colons.",
          ...(/^\/+[a-z0-9]/.test(resource) ? { corrected: resource.replace(/^\/+/, "") } : {}),
        };
      }
      const bucket = resource.split("/", 1)[0] ?? "";
      if (bucket.length > longestHost || !endpoint.test(bucket)) return null;
      return {
        because: `${quote(bucket)} is the address of a bucket, and an ARN has its name`,
        advice: "Write the name of the bucket alone.",
        corrected: bucket.replace(endpoint, "") + resource.slice(bucket.length),
      };
    },
  },
  // The reference calls the field `ParameterNameWithoutLeadingSlash`:
  // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
  {
    service: "ssm",
    what: "parameter",
    fault: (resource) =>
      /^parameter\/\/+[^/]/.test(resource)
        ? {
            because: "an ARN has the name of a parameter without its leading slash",
            advice: "Write one slash after `parameter`.",
            corrected: resource.replace(/^parameter\/+/, "parameter/"),
          }
        : null,
  },
  // Documents of AWS are in no account, and no other may have a name that begins so:
  // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateDocument.html
  {
    service: "ssm",
    what: "document",
    fault: (resource, account) =>
      /^document\/(?:AWS|Amazon)[A-Za-z0-9]*-/.test(resource) && /^\d{12}$/.test(account)
        ? {
            because: "the documents of AWS have no account in their ARN",
            advice: "Leave the account empty.",
            corrected: resource,
            account: "",
          }
        : null,
  },
  // https://docs.aws.amazon.com/codecommit/latest/APIReference/API_CreateRepository.html
  {
    service: "codecommit",
    what: "repository",
    fault: (resource) =>
      /^repositor(?:y|ies)[/:]/i.test(resource)
        ? {
            because: "the name of the repository follows the fifth colon directly",
            advice: "Write the name of the repository alone after the fifth colon.",
            corrected: resource.replace(/^[a-z]+[/:]/i, ""),
          }
        : null,
  },
  // https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples.html
  {
    service: "secretsmanager",
    what: "secret",
    fault: (resource) =>
      /^secret:[^*?<>{}]+$/.test(resource) && !/-[A-Za-z0-9]{6}$/.test(resource)
        ? {
            because: "the ARN of a secret ends with a hyphen and six random characters",
            advice: "Copy the whole ARN, or match the six characters with `-??????`.",
            corrected: `${resource}-??????`,
          }
        : null,
  },
];

/** The fault of an ARN in a form that no resource of the service has. */
export function impossibleForm(text: string): NameFault | null {
  const arn = splitArn(text);
  if (!arn || hasVariable(arn.resource)) return null;
  // Access points, jobs and the like have a Region and an account.
  if (arn.service === "s3" && `${arn.region}${arn.account}` !== "") return null;
  for (const rule of rules) {
    if (rule.service !== arn.service) continue;
    const fault = rule.fault(arn.resource, arn.account);
    if (!fault) continue;
    const { because, advice, corrected, account = arn.account } = fault;
    const fields = ["arn", arn.partition, arn.service, arn.region, account, corrected];
    return {
      message: `No ${rule.what} matches ${quote(text)}: ${because}.`,
      suggestion: advice,
      ...(corrected === undefined ? {} : { corrected: fields.join(":") }),
    };
  }
  return null;
}
