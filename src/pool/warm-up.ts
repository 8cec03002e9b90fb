/** Policies of the kinds that callers send, so that the code for them is compiled before the first call. */
const policies: readonly object[] = [
  {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["*", "s3:Get*"], Resource: "*" },
      {
        Sid: "Write",
        Effect: "Allow",
        Action: ["dynamodb:PutItem", "sqs:SendMessage", "iam:PassRole"],
        Resource: [
          "arn:aws:dynamodb:eu-west-1:123456789012:table/orders",
          "arn:aws:sqs:eu-west-1:123456789012:orders-*",
          "arn:aws:iam::123456789012:role/worker",
        ],
        Condition: {
          StringEquals: {
            "aws:RequestedRegion": "eu-west-1",
            "iam:PassedToService": "ecs.amazonaws.com",
          },
          StringLike: { "aws:PrincipalTag/team": ["orders-*", "${aws:username}"] },
          Bool: { "aws:SecureTransport": "true" },
        },
      },
      { Effect: "Deny", NotAction: "iam:*", NotResource: "arn:aws:s3:::logs/*" },
    ],
  },
  {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: {
          AWS: ["arn:aws:iam::123456789012:root", "210987654321"],
          Service: "lambda.amazonaws.com",
        },
        Action: "sts:AssumeRole",
        Condition: {
          StringEquals: { "sts:ExternalId": "a1b2" },
          IpAddress: { "aws:SourceIp": "192.0.2.0/24" },
        },
      },
    ],
  },
  {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: "*",
        Action: ["s3:GetObject", "s3:ListBucket", "s3:PutObjectt"],
        Resource: ["arn:aws:s3:::bucket", "arn:aws:s3:::bucket/*"],
        Condition: {
          NumericLessThan: { "s3:max-keys": "10" },
          DateGreaterThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" },
          ArnLike: { "aws:SourceArn": "arn:aws:cloudfront::123456789012:distribution/*" },
          "ForAnyValue:StringEquals": { "aws:TagKeys": ["cost"] },
        },
      },
    ],
  },
];

/** @returns the body of a call that uses the reference data of every service. */
export function warmUpCall(): Uint8Array {
  return Buffer.from(JSON.stringify({ params: { arguments: { policies } } }));
}
