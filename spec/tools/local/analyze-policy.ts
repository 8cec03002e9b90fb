import { z } from "zod";
import { defineToolContract } from "../../contract.ts";
import { analyzePolicy as hosted } from "../analyze-policy.ts";

/** `analyze_policy` of local mode: with the caller's own AWS credentials. */
export const localAnalyzePolicy = defineToolContract({
  ...hosted,
  description: hosted.description.replace(
    "with the server's AWS credentials",
    "with your own AWS credentials",
  ),
  input: z.strictObject({
    ...hosted.input.shape,
    region: z
      .string()
      .nullish()
      .describe("Region to ask in. Default: AWS_REGION, else the profile's own."),
    profile: z
      .string()
      .min(1)
      .nullish()
      .describe("Profile of your AWS config files. Default: the credentials of the environment."),
  }),
});
