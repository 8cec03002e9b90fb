import { z } from "zod";

/** Kinds of files and answers that policies are taken out of. */
export const ContainerKind = z
  .enum([
    "wrapper",
    "aws_answer",
    "cloudformation",
    "terraform_plan",
    "terraform_state",
    "terraform",
    "kubernetes",
    "serverless",
    "ansible",
    "pulumi",
    "amplify",
    "template_text",
  ])
  .describe(
    "What the policy was taken out of. wrapper: an object such as {PolicyName, PolicyDocument}, or URL-encoded text. " +
      "aws_answer: the output of an aws command, or configuration items of AWS Config. cloudformation: also SAM and synthesized CDK. " +
      "amplify: custom-policies.json. template_text: a policy with ${...} placeholders that is not JSON before it is rendered.",
  );
export type ContainerKind = z.infer<typeof ContainerKind>;

/** How a policy document is written in its container. */
export const PlaceForm = z
  .enum(["object", "text", "url_encoded", "statements", "statement", "blocks"])
  .describe(
    "object: members of the file. text: a string that contains JSON. url_encoded: such a string with %xx. " +
      "statements: a list of statements without a document. statement: one of them. blocks: HCL blocks.",
  );
export type PlaceForm = z.infer<typeof PlaceForm>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Where a policy is in the file or value it was taken out of. */
export const Unwrapped = z
  .strictObject({
    kind: ContainerKind,
    address: z
      .string()
      .describe(
        "Place in the container, e.g. Resources.Role.Properties.Policies[0].PolicyDocument.",
      ),
    label: z.string().describe("Name for people: the path of the CDK construct, else the address."),
    pointer: z.string().nullable().describe("JSON Pointer (RFC 6901) into the container."),
    first_line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
    last_line: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
    form: PlaceForm,
    state: z
      .enum(["read", "partly_read", "not_read"])
      .describe("not_read: there is a policy in this place and it was not validated; see reason."),
    reason: z.string().nullable().describe("Why the policy was not, or only partly, read."),
    resource_type: z
      .string()
      .nullable()
      .describe("Type of the resource that has the policy, e.g. AWS::S3::BucketPolicy."),
    service: z
      .string()
      .nullable()
      .describe("Action prefix of the service that owns the resource, e.g. s3."),
    source: z
      .strictObject({
        file: z.string().describe("Path, written like that of the plan."),
        line: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      })
      .optional()
      .describe(
        "For plans and states: the block of the resource, if its .tf file is beside the file.",
      ),
    change: z
      .enum(["unchanged", "changed", "new", "removed"])
      .optional()
      .describe(
        "Only where an earlier version of the file was compared. new: it has no policy in this place. removed: only it has one; the lines are null.",
      ),
    unresolved: count.describe("Number of values that the container does not give."),
    entry: count.describe("Index in policies of the entry that the policy was taken out of."),
  })
  .describe("The place of a policy that was taken out of a template, an answer or a wrapper.");
export type Unwrapped = z.infer<typeof Unwrapped>;
