import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const never = "statement_never_applies";
const point = "arn:aws:s3:us-west-2:111122223333:accesspoint/reports";
const outpost = "arn:aws:s3-outposts:us-west-2:111122223333:outpost/op-01ac5d28a6a232904";

checkCases(
  actionResourceMatching,
  [
    ...[
      ["s3:GetObject", `${point}/daily/*`, `${point}/object/daily/*`],
      ["s3:ListBucket", `${point}/object/*`, point],
    ].map(([Action = "", Resource = "", meant = ""]) => ({
      name: `${Action} on ${Resource}`,
      statement: { Effect: "Allow", Action, Resource },
      findings: [{ issue_type: never, example: new RegExp(`"${meant.replaceAll("*", "[*]")}"`) }],
    })),
    ...[
      ["s3tables:GetTableData", "arn:aws:s3tables:us-east-1:111122223333:bucket/lake"],
      ["dynamodb:Query", "arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/*"],
    ].map(([Action = "", Resource = ""]) => ({
      name: `${Action} on ${Resource}`,
      statement: { Effect: "Allow", Action, Resource },
      findings: [{ issue_type: never }],
    })),
    ...[
      ["s3:GetObject", `${point}/object/daily/2026/*`],
      ["s3:GetObject", `${point}/*`],
      ["s3:GetObject", "arn:aws:s3:us-west-2:111122223333:accesspoint/*"],
      ["s3:GetObject", "arn:aws:s3::111122223333:accesspoint/mfzwi23gnjvgw.mrap/object/*"],
      ["s3:GetObject", "arn:aws:s3:::reports/accesspoint/reports/x"],
      ["s3:ListBucket", point],
      ["kinesis:SubscribeToShard", "arn:aws:kinesis:us-east-2:111122223333:stream/o/consumer/c:1"],
      ["s3-outposts:GetObject", `${outpost}/bucket/reports/object/a/b`],
      ["s3-outposts:GetObject", `${outpost}/accesspoint/reports/object/*`],
      ["s3tables:GetTableData", "arn:aws:s3tables:us-east-1:111122223333:bucket/lake/table/*"],
      ["dynamodb:Query", "arn:aws:dynamodb:eu-west-1:111122223333:table/orders/index/*"],
    ].map(([Action = "", Resource = ""]) => ({
      name: `${Action} works on ${Resource}`,
      statement: { Effect: "Allow", Action, Resource },
      findings: [],
    })),
  ],
  embeddedServices(),
);

fixCases([
  {
    name: "writes the word before the key of an object behind an access point",
    of: "action_resource_matching/statement_never_applies",
    before: { Effect: "Allow", Action: "s3:GetObject", Resource: `${point}/daily/*` },
    after: { Effect: "Allow", Action: "s3:GetObject", Resource: `${point}/object/daily/*` },
    effect: "repairs",
  },
]);
