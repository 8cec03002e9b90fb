/**
 * The region of this process: `AWS_REGION`, else `AWS_DEFAULT_REGION`, else the one in the shared AWS
 * config files.
 * @param profile Profile in those files. Default: the default profile.
 * @returns undefined if none is set.
 */
export async function ambientRegion(profile?: string): Promise<string | undefined> {
  // The SDK reads its AWS_* variables from process.env too, and both must see the same values.
  // biome-ignore lint/style/noProcessEnv: AWS's variables are not settings of this server.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  return AWS_REGION?.trim() || AWS_DEFAULT_REGION?.trim() || (await sdkRegion(profile));
}

/** The SDK resolves its region lazily and throws if there is none. It makes no request for this. */
async function sdkRegion(profile: string | undefined): Promise<string | undefined> {
  const { AccessAnalyzerClient } = await import("@aws-sdk/client-accessanalyzer");
  const probe = new AccessAnalyzerClient(profile === undefined ? {} : { profile });
  try {
    return await probe.config.region();
  } catch {
    return undefined;
  } finally {
    probe.destroy();
  }
}
