import type { PolicyType } from "../../../spec/policy.ts";
import type { Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";

const principalExample = `{
  "Effect": "Allow",
  "Principal": { "AWS": "arn:aws:iam::123456789012:role/Example" },
  "Action": "s3:GetObject",
  "Resource": "arn:aws:s3:::example-bucket/*"
}`;

const trustExample = `{
  "Effect": "Allow",
  "Principal": { "Service": "lambda.amazonaws.com" },
  "Action": "sts:AssumeRole"
}`;

type Wording = Pick<Report, "issue_type" | "message" | "suggestion" | "example" | "aws_issue_code">;

/** Whether a statement of any type but RCP has the principal elements it must and must not have. */
export function* judgePrincipals(statement: Statement, type: PolicyType): Iterable<Report> {
  const about = { severity: "error", statement, field_name: "principal" } as const;
  const { principal, notPrincipal, missing } = rules[type];
  if (principal && statement.has("Principal")) {
    yield { ...about, node: statement.at("Principal"), ...principal };
  }
  if (notPrincipal && statement.has("NotPrincipal")) {
    yield { ...about, node: statement.at("NotPrincipal"), ...notPrincipal };
  }
  if (missing && !statement.has("Principal") && !statement.has("NotPrincipal")) {
    yield { ...about, ...missing };
  }
}

/** What to say when the element is there, or when neither is. */
interface Rules {
  readonly principal?: Wording;
  readonly notPrincipal?: Wording;
  readonly missing?: Wording;
}

const attached =
  "Remove it: the statement applies to whoever the policy is attached to. To say who may use a resource, write a resource policy.";
const organization =
  "Remove it: an SCP applies to the principals of the accounts it is attached to. To single some out, use a condition on `aws:PrincipalArn`.";

const rules: Readonly<Record<PolicyType, Rules>> = {
  IDENTITY_POLICY: {
    principal: {
      issue_type: "unexpected_principal",
      message:
        "The statement has `Principal`, which an identity policy cannot have; IAM refuses the document.",
      suggestion: attached,
      aws_issue_code: "UNSUPPORTED_PRINCIPAL",
    },
    notPrincipal: {
      issue_type: "invalid_not_principal",
      message:
        "The statement has `NotPrincipal`, which an identity policy cannot have; IAM refuses the document.",
      suggestion: attached,
      aws_issue_code: "UNSUPPORTED_PRINCIPAL",
    },
  },
  RESOURCE_POLICY: {
    missing: {
      issue_type: "missing_principal",
      message:
        "The statement names no principal. A resource policy must say who is meant, and AWS refuses one that does not.",
      suggestion: "Add a `Principal` with the accounts, roles or services that are meant.",
      example: principalExample,
      aws_issue_code: "MISSING_PRINCIPAL",
    },
  },
  TRUST_POLICY: {
    notPrincipal: {
      issue_type: "invalid_not_principal",
      message:
        "The statement has `NotPrincipal`, which a role trust policy cannot have; IAM refuses the document.",
      suggestion:
        "Name those who may assume the role in `Principal`; keep others out with a condition on `aws:PrincipalArn`.",
      example: trustExample,
      aws_issue_code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_NOTPRINCIPAL",
    },
    missing: {
      issue_type: "missing_principal",
      message:
        "The statement names no principal. A trust policy must say who may assume the role, and IAM refuses one that does not.",
      suggestion:
        "Add a `Principal` with the accounts, roles, services or identity providers that are meant.",
      example: trustExample,
      aws_issue_code: "MISSING_PRINCIPAL",
    },
  },
  SERVICE_CONTROL_POLICY: {
    principal: {
      issue_type: "invalid_principal",
      message:
        "The statement has `Principal`, which an SCP cannot have; Organizations refuses the document.",
      suggestion: organization,
      aws_issue_code: "SCP_SYNTAX_ERROR_PRINCIPAL",
    },
    notPrincipal: {
      issue_type: "invalid_not_principal",
      message:
        "The statement has `NotPrincipal`, which an SCP cannot have; Organizations refuses the document.",
      suggestion: organization,
      aws_issue_code: "SCP_SYNTAX_ERROR_PRINCIPAL",
    },
  },
  // RCPs have rules of their own.
  RESOURCE_CONTROL_POLICY: {},
};
