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

/** @returns The partition that the literal parts of a document speak of; `aws` if none does. */
export function partitionOf(text: string): string {
  if (/arn:aws-cn:|"cn-(?:north|northwest)-1|:cn-north|\.com\.cn/.test(text)) return "aws-cn";
  if (/arn:aws-us-gov:|us-gov-(?:west|east)-1/.test(text)) return "aws-us-gov";
  return "aws";
}
