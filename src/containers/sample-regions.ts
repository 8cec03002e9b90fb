/** Two regions of each partition that has two. https://docs.aws.amazon.com/general/latest/gr/rande.html */
const regions: Readonly<Record<string, readonly [string, string]>> = {
  aws: ["eu-west-1", "us-west-2"],
  "aws-cn": ["cn-north-1", "cn-northwest-1"],
  "aws-us-gov": ["us-gov-west-1", "us-gov-east-1"],
};

/** @returns Two regions of the partition. */
export function regionsOf(partition: string): readonly [string, string] {
  return regions[partition] ?? ["eu-west-1", "us-west-2"];
}

/** @returns The partition that the literal parts of a document name; `aws` if they name none. */
export function partitionOf(text: string): string {
  if (/arn:aws-cn:|"cn-(?:north|northwest)-1|:cn-north|\.com\.cn/.test(text)) return "aws-cn";
  if (/arn:aws-us-gov:|us-gov-(?:west|east)-1/.test(text)) return "aws-us-gov";
  return "aws";
}

/** @returns The first account that a text names; null if it names none. */
export function accountIn(text: string): string | null {
  return /(?<![0-9])[0-9]{12}(?![0-9])/.exec(text)?.[0] ?? null;
}

/** @returns The first region that a text names; null if it names none. */
export function regionIn(text: string): string | null {
  return (
    /(?<![a-z])(?:us|eu|ap|sa|ca|me|af|il|mx|cn)(?:-gov)?-[a-z]+-[1-9](?![0-9])/.exec(text)?.[0] ??
    null
  );
}
