import type { Answer } from "../../src/access/answers.ts";
import { type AccessType, readBlock, readDocument } from "../../src/access/document.ts";
import { askPublic } from "../../src/access/public.ts";
import { askGranted, askNewAccess } from "../../src/access/questions.ts";
import type { AccessRequest } from "../../src/access/request.ts";
import { runQuestionSync } from "../../src/access/run.ts";
import type { Network } from "../../src/policy/model.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

const options = {
  services: embeddedServices(),
  maxSteps: 200_000,
  maxStatements: 20,
  extraTrustedKeys: [],
};

export type Statement = Readonly<Record<string, unknown>>;
type Names = string | readonly string[];

/** A verdict, or the construct that leaves the question undecided. */
export type Wanted = "holds" | "violated" | { readonly undecided: string };

/** What both sides of a question are: statements of a document of 2012-10-17, or a whole document. */
export type Side = readonly Statement[] | Statement;

export function documentOf(side: Side): unknown {
  return Array.isArray(side) ? { Version: "2012-10-17", Statement: side } : side;
}

export function allow(Action: Names, Resource: Names, Condition?: object): Statement {
  return { Effect: "Allow", Action, Resource, ...(Condition && { Condition }) };
}

export function deny(Action: Names, Resource: Names, Condition?: object): Statement {
  return { ...allow(Action, Resource, Condition), Effect: "Deny" };
}

/** One Allow of everything under a condition. */
export function when(Condition: object): readonly Statement[] {
  return [allow("*", "*", Condition)];
}

/** One Allow of a resource policy for a principal. */
export function grant(Principal: unknown, Condition?: object): Statement {
  return { ...allow("s3:GetObject", "arn:aws:s3:::example/*", Condition), Principal };
}

/** One Allow of a trust policy. */
export function trust(Action: Names, Principal: unknown, Condition?: object): Statement {
  return { Effect: "Allow", Action, Principal, ...(Condition && { Condition }) };
}

export function newAccess(baseline: Side, policy: Side, type: AccessType = "identity"): Answer {
  const documents = [documentOf(policy), documentOf(baseline)].map((raw) =>
    readDocument(raw, type),
  );
  const [read, reference] = documents;
  if (!read || !reference) throw new Error("Two documents are needed.");
  return runQuestionSync(askNewAccess(read, reference, type, options));
}

export interface Forbidden {
  readonly actions?: readonly string[];
  readonly resources?: readonly string[];
  readonly unless?: readonly object[];
}

export function granted(policy: Side, forbidden: Forbidden, type: AccessType = "identity"): Answer {
  const { actions = [], resources = [], unless = [] } = forbidden;
  const blocks = unless.map((block) => {
    const conditions = readBlock(block);
    if (!conditions) throw new Error("A block of unless cannot be read.");
    return conditions;
  });
  const asked = { actions, resources, unless: blocks };
  return runQuestionSync(askGranted(readDocument(documentOf(policy), type), asked, type, options));
}

/** @param extraTrustedKeys Further keys whose fixed values count as a limit. */
export function isPublic(
  policy: Side,
  type: AccessType = "resource",
  extraTrustedKeys: readonly string[] = [],
  network: Network | null = null,
): Answer {
  const document = readDocument(documentOf(policy), type);
  return runQuestionSync(askPublic(document, type, { ...options, extraTrustedKeys, network }));
}

/** What an answer comes to, in the words of a table of tests. */
export function found(answer: Answer): Wanted {
  if (answer.verdict !== "undecided") return answer.verdict;
  return { undecided: answer.undecided_by.map(({ construct }) => construct).join(", ") };
}

/** Asks both ways. An undecided direction gives its construct. */
export function relation(left: Side, right: Side, type: AccessType = "identity"): string {
  const isWithin = found(newAccess(right, left, type));
  const isAround = found(newAccess(left, right, type));
  if (typeof isWithin === "object") return `undecided: ${isWithin.undecided}`;
  if (typeof isAround === "object") return `undecided: ${isAround.undecided}`;
  if (isWithin === "holds") return isAround === "holds" ? "equal" : "narrower";
  return isAround === "holds" ? "wider" : "different";
}

const usualCaller = "111122223333:role/example-role (example-session)";

/** A request in one line: who does what, under which keys. `@role` is the role that is tried first. */
export function requestText(request: AccessRequest): string {
  const { principal, action, resource, context, placeholders = {} } = request;
  const values = [
    ...Object.entries(context).map(([key, texts]) => `${key}=${texts.join("+")}`),
    ...Object.entries(placeholders).map(([name, text]) => `${name}=${text}`),
  ];
  const who = callerText(principal).replace(usualCaller, "@role");
  return [`${who} ${action} ${resource}`, ...values].join(", ");
}

function callerText(principal: AccessRequest["principal"]): string {
  if (principal.type === "Anonymous") return "Anonymous";
  if (principal.type !== "AWS") return `${principal.type} ${principal.name}`;
  const arn = principal.arn.replace("arn:aws:iam::", "");
  return principal.session === undefined ? arn : `${arn} (${principal.session})`;
}

/** Keys of which one fixed value limits who gets in. Search and evaluator share no code, so each has a list as well. */
export const trustedKeys = [
  "aws:PrincipalOrgID",
  "aws:SourceOrgID",
  "aws:VpceOrgID",
  "aws:SourceAccount",
  "aws:SourceOwner",
  "aws:VpceAccount",
  "aws:SourceVpc",
  "aws:SourceVpce",
  "aws:Ec2InstanceSourceVpc",
  "kms:CallerAccount",
  "s3:DataAccessPointAccount",
  "s3:x-amz-server-side-encryption-aws-kms-key-id",
  "aws:SourceArn",
  "aws:SourceVpcArn",
  "s3:DataAccessPointArn",
  "ec2:SourceInstanceArn",
  "lambda:SourceFunctionArn",
  "ssm:SourceInstanceArn",
  "vpc-lattice-svcs:SourceVpc",
  "vpc-lattice-svcs:SourceVpcOwnerAccount",
];
