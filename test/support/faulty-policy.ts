/** Something of every family to say: an error, findings of security, something about the whole. */
export const faulty = {
  Version: "2012-10-17",
  Statement: [
    { Sid: "Reports", Effect: "Allow", Action: ["s3:GetObjct", "s3:PutObject"], Resource: "*" },
    { Sid: "People", Effect: "Allow", Action: "iam:*", Resource: "*" },
  ],
};
/** The same as text. */
export const faultyJson = JSON.stringify(faulty, null, 2);
/** The same as text. */
export const faultyYaml = `# A comment
Version: "2012-10-17"
Statement:
  - Sid: Reports
    Effect: Allow
    Action:
      - s3:GetObjct
      - 's3:PutObject'
    Resource: "*"
  - {Sid: People, Effect: Allow, Action: "iam:*", Resource: "*"}
`;
