import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";
import { refusesTag } from "./refused-tags.ts";

interface Inversion {
  /** Ends the sentence "this Deny stops the requests that …", and "this Allow holds only for requests that …". */
  readonly safe: string;
  readonly unsafe: string;
  /** Keys that give the entry another meaning when they are tested beside it. */
  readonly unless?: RegExp;
  readonly operator: "Bool" | "BoolIfExists";
}

/**
 * Yes-or-no keys of which one answer is the safe one.
 * Source: the page of each service in the Service Authorization Reference.
 */
const inversions: Readonly<Record<string, Inversion>> = {
  "aws:securetransport": {
    safe: "are encrypted with TLS",
    unsafe: "are not encrypted",
    unless: /tlsversion$/,
    operator: "Bool",
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
    operator: "Bool",
  },
  "rds:storageencrypted": {
    safe: "ask for encrypted storage",
    unsafe: "ask for storage without encryption",
    operator: "Bool",
  },
  "elasticfilesystem:encrypted": {
    safe: "ask for an encrypted file system",
    unsafe: "ask for a file system without encryption",
    operator: "Bool",
  },
};

/** A test that stops the safe requests in a Deny, or lets only unsafe ones through in an Allow. */
export function* invertedEffects(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Iterable<Effect> {
  if (entry.values.length === 0) return;
  yield* yesOrNo(entry, statement);
  if (statement.denies) {
    yield* stopsTheSafe(entry, statement);
    yield* stopsThePresent(entry, statement);
    yield* stopsOwn(entry, statement);
    yield* sparesRoot(entry, statement, policy);
  } else if (statement.allows) {
    yield* oldSignIn(entry, statement);
    yield* refusesTag(entry, statement);
  }
}

function* yesOrNo(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (operator.base.name !== "Bool") return;
  const inversion = Object.hasOwn(inversions, keyLower) ? inversions[keyLower] : undefined;
  const wrong = statement.denies ? "true" : "false";
  if (!inversion || !values.every(({ text }) => text.toLowerCase() === wrong)) return;
  // `mfa_condition_antipattern` reports an Allow for callers without MFA.
  if (statement.allows && keyLower === "aws:multifactorauthpresent") return;
  const { unless } = inversion;
  if (unless && statement.conditions.some(({ keyLower: other }) => unless.test(other))) return;
  const right = statement.denies ? "false" : "true";
  const name = statement.denies ? inversion.operator : "Bool";
  const wanted = operatorLike({ operator: { ...operator, ifExists: false } }, name);
  yield {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: statement.denies
      ? `${quote(operatorText)} on ${quote(key)} is \`true\`, so this Deny stops the requests that ${inversion.safe} and not those that ${inversion.unsafe}.`
      : `${quote(operatorText)} on ${quote(key)} is \`false\`, so this Allow is for the requests that ${inversion.unsafe}.`,
    suggestion: `Write \`"${wanted}": {${JSON.stringify(key)}: "${right}"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted, value: right }), {
      title: statement.denies
        ? "Deny the unsafe requests: test for false"
        : "Allow the safe requests: test for true",
      effect: "changes",
    }),
  };
}

interface SafeSetting {
  /** Operators under which a Deny stops the safe requests. */
  readonly operators: RegExp;
  readonly value?: string;
  readonly safe: string;
  readonly wanted: (name: string) => string;
}

const lower = (name: string) => name.replace("Greater", "Less");

/** Keys whose safe value a Deny must spare. */
const safeSettings: Readonly<Record<string, SafeSetting>> = {
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html#iam-example-instance-metadata
  "ec2:metadatahttptokens": {
    operators: /^String(?:Equals|Like)/,
    value: "required",
    safe: "ask for version 2 of the instance metadata service",
    wanted: () => "StringNotEquals",
  },
  "ec2:roledelivery": {
    operators: /^NumericGreaterThan/,
    safe: "use credentials from version 2 of the instance metadata service",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html#example-object-tls-version
  "s3:tlsversion": {
    operators: /^NumericGreaterThan/,
    safe: "use the newer versions of TLS",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
  "aws:multifactorauthage": {
    operators: /^NumericLessThan/,
    safe: "were made soon after a sign-in with MFA",
    wanted: (name) => name.replace("Less", "Greater"),
  },
};

function* stopsTheSafe(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  const setting = Object.hasOwn(safeSettings, keyLower) ? safeSettings[keyLower] : undefined;
  if (!setting?.operators.test(operator.base.name)) return;
  if (setting.value !== undefined && values.some(({ text }) => text !== setting.value)) return;
  if (statement.conditions.filter((one) => one.keyLower === keyLower).length > 1) return;
  const wanted = operatorLike(entry, setting.wanted(operator.base.name));
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the requests that ${setting.safe} and spare the others.`,
    suggestion: `Write ${quote(wanted)}.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny the other requests",
      effect: "changes",
    }),
  };
}

/** Keys that only the safe requests carry. */
const safeWhenPresent: Readonly<Record<string, string>> = {
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
  "s3:x-amz-server-side-encryption": "ask for encryption",
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
  "aws:multifactorauthage": "were made with MFA",
};

/** A Deny of the requests that carry such a key; with a second test of the key it may be about its values. */
function* stopsThePresent(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, values } = entry;
  const safe = Object.hasOwn(safeWhenPresent, keyLower) ? safeWhenPresent[keyLower] : undefined;
  if (safe === undefined || operator.base.name !== "Null") return;
  if (!values.every(({ text }) => text.toLowerCase() === "false")) return;
  if (statement.conditions.some((one) => one !== entry && one.keyLower === keyLower)) return;
  yield {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `\`Null\` on ${quote(key)} is \`false\`, so this Deny stops the requests that ${safe} and not the others.`,
    suggestion: `Write \`"Null": {${JSON.stringify(key)}: "true"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { value: "true" }), {
      title: "Deny the requests without the key",
      effect: "changes",
    }),
  };
}

const ofOrganization = /^aws:(?:principal|resource|source)org(?:id|paths)$/;
/** Tests by which a Deny spares the calls of services. */
const carveOut = /^aws:(?:principalisawsservice|viaawsservice)$/;

/** A Deny of what belongs to the organization, without any other limit: it leaves the outside alone. */
function* stopsOwn(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (!ofOrganization.test(keyLower) || operator.base.type === null || operator.base.negated) {
    return;
  }
  if (values.some(({ text }) => /^[*?]*$/.test(text))) return;
  const others = statement.conditions.filter(
    (one) => one !== entry && !carveOut.test(one.keyLower) && one.operator?.base.type !== null,
  );
  if (others.length > 0) return;
  const wanted = operatorLike(entry, operator.base.name.replace(/Equals|Like/, "Not$&"));
  const what = keyLower.startsWith("aws:principal")
    ? "callers"
    : keyLower.startsWith("aws:source")
      ? "requests on behalf of resources"
      : "requests for resources";
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the ${what} of the organization that it names and spare those of all others.`,
    suggestion: `Write ${quote(wanted)}, so that it stops the others.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny what is outside the organization",
      effect: "changes",
    }),
  };
}

/** A guard rail that stops everyone but root users, which cannot be what it is for. */
function* sparesRoot(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (type !== "SERVICE_CONTROL_POLICY" || keyLower !== "aws:principalarn") return;
  if (!operator.base.negated || !values.every(({ text }) => text.endsWith(":root"))) return;
  const wanted = operatorLike(entry, operator.base.name.replace("Not", ""));
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} exempts root users from this Deny, which stops all other callers.`,
    suggestion: `Write ${quote(wanted)}, so that it stops root users.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny root users",
      effect: "changes",
    }),
  };
}

/** An Allow that asks for an MFA sign-in of at least some age. */
function* oldSignIn(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText } = entry;
  if (keyLower !== "aws:multifactorauthage") return;
  if (!operator.base.name.startsWith("NumericGreaterThan")) return;
  const bounded = statement.conditions.some(
    (one) =>
      isReadable(one) &&
      one.keyLower === keyLower &&
      one.operator.base.name.startsWith("NumericLessThan"),
  );
  if (bounded) return;
  const wanted = operatorLike(entry, operator.base.name.replace("Greater", "Less"), false);
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Allow hold for sign-ins that are old, and not for recent ones.`,
    suggestion: `Write ${quote(wanted)}, so that the sign-in must be recent.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Ask for a recent sign-in with MFA",
      effect: "changes",
    }),
  };
}
