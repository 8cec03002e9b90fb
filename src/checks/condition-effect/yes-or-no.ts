import type { Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

interface Answers {
  /** Ends the sentence "this Deny stops the requests that …", and "this Allow is for the requests that …". */
  readonly safe: string;
  readonly unsafe: string;
  /** The safe answer; `true` where nothing else is said. */
  readonly answer?: "false";
  /** Keys that give the entry another meaning when they are tested beside it. */
  readonly unless?: RegExp;
  readonly operator?: "BoolIfExists";
  /** An Allow for the unsafe answer says the opposite as well. */
  readonly inAllow?: true;
}

const publicAddress = {
  safe: "ask for no public address",
  unsafe: "ask for a public address",
  answer: "false",
} as const;
const external = {
  safe: "share within the organization",
  unsafe: "share with accounts outside the organization",
  answer: "false",
} as const;

/**
 * Yes-or-no keys of which one answer is the safe one.
 * Source: the page of each service in the Service Authorization Reference.
 */
const answers: Readonly<Record<string, Answers>> = {
  "aws:securetransport": {
    safe: "are encrypted with TLS",
    unsafe: "are not encrypted",
    unless: /tlsversion$/,
    inAllow: true,
  },
  "aws:multifactorauthpresent": {
    safe: "were made with MFA",
    unsafe: "were made without MFA",
    unless: /^aws:multifactorauthage$/,
    operator: "BoolIfExists",
  },
  "ec2:encrypted": {
    safe: "ask for an encrypted volume",
    unsafe: "ask for a volume without encryption",
    inAllow: true,
  },
  "rds:storageencrypted": {
    safe: "ask for encrypted storage",
    unsafe: "ask for storage without encryption",
    inAllow: true,
  },
  "elasticfilesystem:encrypted": {
    safe: "ask for an encrypted file system",
    unsafe: "ask for a file system without encryption",
    inAllow: true,
  },
  "elasticache:atrestencryptionenabled": {
    safe: "ask for encryption at rest",
    unsafe: "ask for a cache without encryption at rest",
  },
  "elasticache:transitencryptionenabled": {
    safe: "ask for encryption in transit",
    unsafe: "ask for a cache without encryption in transit",
  },
  "memorydb:tlsenabled": {
    safe: "ask for encryption in transit",
    unsafe: "ask for a cluster without encryption in transit",
  },
  "sagemaker:networkisolation": {
    safe: "ask for network isolation",
    unsafe: "ask for containers with network access",
  },
  "sagemaker:intercontainertrafficencryption": {
    safe: "ask for encrypted traffic between containers",
    unsafe: "ask for traffic without encryption",
  },
  "secretsmanager:blockpublicpolicy": {
    safe: "ask to refuse public policies",
    unsafe: "do not ask to refuse public policies",
    inAllow: true,
  },
  "ec2:associatepublicipaddress": publicAddress,
  "ecs:auto-assign-public-ip": publicAddress,
  "rds:publiclyaccessible": publicAddress,
  "eks:endpointpublicaccess": {
    safe: "ask for a cluster without public endpoint",
    unsafe: "ask for a public endpoint",
    answer: "false",
  },
  "kafka:publicaccessenabled": {
    safe: "ask for a cluster without public access",
    unsafe: "ask for public access",
    answer: "false",
  },
  "ram:allowsexternalprincipals": external,
  "ram:requestedallowsexternalprincipals": external,
  "kms:bypasspolicylockoutsafetycheck": {
    safe: "keep the check against a lock-out",
    unsafe: "bypass it",
    answer: "false",
  },
  // https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-grant-is-for-aws-resource
  "kms:grantisforawsresource": {
    safe: "create grants for AWS services",
    unsafe: "create grants for other principals",
    inAllow: true,
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html
  "dynamodb:fulltablescan": {
    safe: "name the items that they read",
    unsafe: "scan the whole table",
    answer: "false",
  },
  // https://docs.aws.amazon.com/systems-manager/latest/userguide/getting-started-sessiondocumentaccesscheck.html
  "ssm:sessiondocumentaccesscheck": {
    safe: "check that the caller may use the session document",
    unsafe: "do not check it",
    inAllow: true,
  },
  "secretsmanager:forcedeletewithoutrecovery": {
    safe: "leave time to recover the secret",
    unsafe: "delete it at once",
    answer: "false",
  },
  "codebuild:environment.privilegedmode": {
    safe: "ask for builds without privileged mode",
    unsafe: "ask for privileged mode",
    answer: "false",
  },
};

/** A Deny of the safe answer, or an Allow for the unsafe one. */
export function yesOrNo(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (operator.base.name !== "Bool") return null;
  const known = Object.hasOwn(answers, keyLower) ? answers[keyLower] : undefined;
  if (!known || !(statement.denies || known.inAllow)) return null;
  const safe = known.answer ?? "true";
  const unsafe = safe === "true" ? "false" : "true";
  const [wrong, right] = statement.denies ? [safe, unsafe] : [unsafe, safe];
  if (!values.every(({ text }) => text.toLowerCase() === wrong)) return null;
  const { unless } = known;
  if (unless && statement.conditions.some(({ keyLower: other }) => unless.test(other))) return null;
  const name = (statement.denies ? known.operator : undefined) ?? "Bool";
  const wanted = operatorLike({ operator: { ...operator, ifExists: false } }, name);
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: statement.denies
      ? `${quote(operatorText)} on ${quote(key)} is \`${wrong}\`, so this Deny stops the requests that ${known.safe} and not those that ${known.unsafe}.`
      : `${quote(operatorText)} on ${quote(key)} is \`${wrong}\`, so this Allow is for the requests that ${known.unsafe}.`,
    suggestion: `Write \`"${wanted}": {${JSON.stringify(key)}: "${right}"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted, value: right }), {
      title: statement.denies
        ? `Deny the unsafe requests: test for ${right}`
        : `Allow the safe requests: test for ${right}`,
      effect: "changes",
    }),
  };
}
