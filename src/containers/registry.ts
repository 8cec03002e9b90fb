import { amplify } from "./amplify.ts";
import { ansible } from "./ansible/index.ts";
import { configItems } from "./aws-answer/config-items.ts";
import { awsAnswer } from "./aws-answer/index.ts";
import { embeddedTemplates } from "./cloudformation/embedded.ts";
import { cloudformationFragment } from "./cloudformation/fragment.ts";
import { cloudformation } from "./cloudformation/index.ts";
import { kubernetes } from "./kubernetes/index.ts";
import { pulumi } from "./pulumi/index.ts";
import { serverless } from "./serverless/index.ts";
import { templateText } from "./template-text.ts";
import { terraformFile } from "./terraform/file.ts";
import { terraformJson } from "./terraform/json-file.ts";
import { terraformPlan, terraformState } from "./terraform/plan.ts";
import type { Container, Source } from "./types.ts";
import { wrapper } from "./wrapper.ts";

/** Every kind of container. The first that recognises a source reads it. */
export const containers: readonly Container[] = [
  terraformFile,
  terraformPlan,
  terraformState,
  terraformJson,
  cloudformation,
  serverless,
  pulumi,
  ansible,
  amplify,
  kubernetes,
  configItems,
  awsAnswer,
  cloudformationFragment,
  wrapper,
  templateText,
  embeddedTemplates,
];

/** @returns The container that reads the source; null for a policy and for everything else. */
export function recognise(source: Source): Container | null {
  return containers.find((container) => container.recognises(source)) ?? null;
}
