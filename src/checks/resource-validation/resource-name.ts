import { hasVariable, splitArn } from "../../policy/arn.ts";
import { joinWords, quote } from "../shared/quote.ts";
import type { NameFault } from "./name-forms.ts";

/** Resources whose ARN ends in a bare name, and what that name cannot contain. */
interface NameRule {
  readonly service: string;
  readonly what: string;
  /** The part of the ARN's last field that is the name. */
  readonly name: (resource: string) => string;
  readonly excluded: readonly string[];
}

const rules: readonly NameRule[] = [
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  {
    service: "s3",
    what: "bucket",
    // A wildcard or a variable may match the slash, and keys may contain colons.
    name: (resource) => /^[^/*?$]*/.exec(resource)?.[0] ?? "",
    excluded: [":", " "],
  },
  // https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html
  {
    service: "sns",
    what: "topic",
    // A subscription has the topic's ARN and an id after a colon, which is a UUID.
    name: (resource) =>
      /^topics?:(?!.*[*?]|[0-9a-f]{8}-)/i.test(resource) ? resource : resource.replaceAll(":", ""),
    excluded: ["/", ":"],
  },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
  {
    service: "sqs",
    what: "queue",
    name: (resource) => resource,
    excluded: ["/", ":"],
  },
];

/** The fault of an ARN whose name no resource of the service can have, such as `topic/orders` in SNS. */
export function impossibleName(text: string): NameFault | null {
  const arn = splitArn(text);
  if (!arn) return null;
  const rule = rules.find(({ service }) => service === arn.service);
  // Access points, jobs and the like have a Region and an account.
  if (!rule || (rule.service === "s3" && `${arn.region}${arn.account}` !== "")) return null;
  const name = rule.name(arn.resource);
  if (hasVariable(name)) return null;
  const found = rule.excluded.filter((character) => name.includes(character));
  if (found.length === 0) return null;
  const last = (name.split(/[/:]/).at(-1) ?? "").trim();
  const isName = last !== "" && last !== name && !last.includes(" ");
  const bare = withoutTypeOrAccount(arn.resource, rule);
  const isCertain = bare !== null && !rule.excluded.some((one) => rule.name(bare).includes(one));
  return {
    ...(isCertain
      ? { corrected: `${text.slice(0, text.length - arn.resource.length)}${bare}` }
      : {}),
    message: `No ${rule.what} matches ${quote(text)}: the name of a ${rule.what} cannot contain ${joinWords(
      found.map((character) => (character === " " ? "a space" : quote(character))),
      0,
      "or",
    )}.`,
    suggestion: `Write the name of the ${rule.what} alone after the fifth colon${isName ? `, such as ${quote(last)}` : ""}.`,
  };
}

/**
 * `orders` of `topic/orders`, `reports/*` of `111122223333:reports/*` and of `:reports/*`; null where a name is not
 * left.
 */
function withoutTypeOrAccount(resource: string, { what }: NameRule): string | null {
  const bare = resource.replace(new RegExp(`^(?:(?:${what}s?|\\d{12})[/:]|:+)`, "i"), "");
  return bare === resource || !/^[A-Za-z0-9]/.test(bare) ? null : bare;
}
