import { splitArn } from "../../policy/arn.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { quote } from "../shared/quote.ts";
import { isOpen } from "./effect.ts";
import type { ValueForm } from "./value-form.ts";

interface ArnKey {
  readonly service: string;
  readonly example: string;
  readonly page: string;
}

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";

/** Keys that have the ARN of one resource of one service. */
const arnKeys: Readonly<Record<string, ArnKey>> = {
  "acm-pca:templatearn": {
    service: "acm-pca",
    example: "arn:aws:acm-pca:::template/EndEntityCertificate/V1",
    page: `${reference}/list_awsprivatecertificateauthority.html`,
  },
  "ecs:cluster": {
    service: "ecs",
    example: "arn:aws:ecs:us-east-1:111122223333:cluster/main",
    page: `${reference}/list_amazonelasticcontainerservice.html`,
  },
  "elasticfilesystem:accesspointarn": {
    service: "elasticfilesystem",
    example: "arn:aws:elasticfilesystem:us-east-1:111122223333:access-point/fsap-0123456789abcdef0",
    page: `${reference}/list_amazonelasticfilesystem.html`,
  },
  "lambda:functionarn": {
    service: "lambda",
    example: "arn:aws:lambda:us-east-1:111122223333:function:app",
    page: `${reference}/list_awslambda.html`,
  },
  "s3:dataaccesspointarn": {
    service: "s3",
    example: "arn:aws:s3:us-east-1:111122223333:accesspoint/reports",
    page: `${reference}/list_amazons3.html`,
  },
};

/** @returns a form that none of the texts has; undefined where one of them may be the ARN of such a resource. */
export function arnKeyForm(keyLower: string, texts: readonly string[]): ValueForm | undefined {
  const known = Object.hasOwn(arnKeys, keyLower) ? arnKeys[keyLower] : undefined;
  if (!known) return undefined;
  const isOther = (text: string) => {
    const arn = isOpen(text) ? null : splitArn(text);
    return arn !== null && !hasWildcard(arn.service) && arn.service !== known.service;
  };
  if (!texts.every(isOther)) return undefined;
  return {
    keys: [keyLower],
    words: `ARNs such as ${quote(known.example)}`,
    value: /(?!)/,
    prefixes: [],
    impossible: /^/,
    code: null,
    page: known.page,
  };
}
