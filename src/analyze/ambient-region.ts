/**
 * The region this process runs in: `AWS_REGION`, else `AWS_DEFAULT_REGION`, else what the SDK finds in
 * its shared config files.
 * @param profile Of those files; absent: the default one.
 * @returns undefined when nothing says so.
 */
export async function ambientRegion(profile?: string): Promise<string | undefined> {
  // The SDK reads its AWS_* variables from here too, and both must see the same.
  // biome-ignore lint/style/noProcessEnv: AWS's own variables are no settings of this server.
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  return AWS_REGION?.trim() || AWS_DEFAULT_REGION?.trim() || (await sdkRegion(profile));
}

/** The SDK resolves its region lazily and says by an error that there is none. No request is made. */
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
