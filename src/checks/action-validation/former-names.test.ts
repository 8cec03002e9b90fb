import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionValidation } from "../action-validation.ts";

checkCases(
  actionValidation,
  ["glue:ShareResource", "network-firewall:UpdateFirewall", "serverlessrepo:Deploy"].map(
    (Action) => ({
      name: `accepts ${Action}, which a guide of AWS grants and the reference does not list`,
      statement: { Effect: "Allow", Action, Resource: "*" },
      findings: [],
    }),
  ),
  embeddedServices(),
);

checkCases(
  actionValidation,
  [
    {
      name: "calls on objects of a directory bucket are permitted by its session",
      statement: { Effect: "Allow", Action: "s3express:GetObject", Resource: "*" },
      findings: [{ suggestion: "Write `s3express:CreateSession`, which permits the call." }],
    },
  ],
  embeddedServices(),
);
