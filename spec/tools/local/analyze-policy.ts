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
      .describe("Region to call. Default: AWS_REGION, else the region of the profile."),
    profile: z
      .string()
      .min(1)
      .nullish()
      .describe("Profile in your AWS config files. Default: the credentials of the environment."),
  }),
});
