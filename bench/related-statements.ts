type Statement = Readonly<Record<string, unknown>>;

const own = "111122223333";
const account = (at: number) => String(100_000_000_000 + at);
const role = (at: number) => `arn:aws:iam::${own}:role/role-${at}`;
const github = "token.actions.githubusercontent.com";

/** Statements that checks compare with the others of their policy, by what is compared; each for its number in the policy. */
export const related: Readonly<Record<string, (at: number) => Statement>> = {
  "tests of tags beside Allows to set tags": (at) => ({
    Effect: "Allow",
    Action: at % 2 ? "ec2:CreateTags" : "ec2:StopInstances",
    Resource: `arn:aws:ec2:eu-west-1:${own}:${at % 2 ? "volume/vol" : "instance/i"}-${at}`,
    ...(at % 2 === 0 && { Condition: { StringEquals: { "ec2:ResourceTag/team": `team-${at}` } } }),
  }),
  "services and Denies for their sources": (at) => ({
    Effect: at % 2 ? "Deny" : "Allow",
    Principal: at % 2 ? "*" : { Service: "sns.amazonaws.com" },
    Action: ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:DeleteMessage"],
    Resource: `arn:aws:sqs:eu-west-1:${own}:jobs`,
    ...(at % 2 && { Condition: { StringNotEquals: { "aws:SourceAccount": account(at) } } }),
  }),
  "sources of services": (at) => ({
    Effect: "Allow",
    Principal: { Service: "events.amazonaws.com" },
    Action: "sqs:SendMessage",
    Resource: "*",
    Condition: {
      ArnEquals: { "aws:SourceArn": `arn:aws:events:eu-west-1:${own}:rule/rule-${at}` },
      StringEquals: { "aws:SourceAccount": account(at) },
    },
  }),
  "subjects of one provider": (at) => ({
    Effect: "Allow",
    Principal: { Federated: `arn:aws:iam::${own}:oidc-provider/${github}` },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: {
      StringEquals: { [`${github}:aud`]: "sts.amazonaws.com" },
      StringLike: { [`${github}:sub`]: `repo:octo-${at}/*:ref:refs/heads/main` },
    },
  }),
  "public Allows beside Denies with exemptions": (at) => ({
    Effect: at % 3 ? "Allow" : "Deny",
    Principal: "*",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::reports/${at}/*`,
    Condition:
      at % 3
        ? { StringEquals: { "aws:SourceVpce": `vpce-${String(at).padStart(17, "0")}` } }
        : { StringNotLike: { "aws:PrincipalArn": `${role(at)}*` } },
  }),
  "grants beside Denies of all but one role": (at) => ({
    Effect: at % 2 ? "Deny" : "Allow",
    Action: ["iam:*", "lambda:*", "ec2:RunInstances"],
    ...(at % 2 ? { NotResource: role(at) } : { Resource: "*" }),
  }),
  "roles passed to services by a condition": (at) => ({
    Effect: "Allow",
    Action: ["iam:PassRole", "glue:CreateJob", "sagemaker:Create*"],
    Resource: "*",
    ...(at % 2 && {
      Condition: { StringEquals: { "iam:PassedToService": `service-${at}.amazonaws.com` } },
    }),
  }),
  "tags compared with each other": (at) => ({
    Effect: "Allow",
    Principal: "*",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::reports/\${aws:PrincipalTag/t${at}}/*`,
    Condition: {
      StringEquals: { [`aws:PrincipalTag/t${at}`]: `\${aws:PrincipalTag/t${at + 1}}` },
    },
  }),
};
