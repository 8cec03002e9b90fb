import { expect, it } from "vitest";
import { readServicePrincipal } from "./service-principals.ts";

// https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/access-control-managing-permissions.html
it.each([
  ["of a guide: the keys that sign a zone", "dnssec-route53.amazonaws.com", "known"],
  ["of the reference", "sns.amazonaws.com", "known"],
  ["misspelt", "dnsec-route53.amazonaws.com", "misspelt"],
  ["that is the name of a product", "eventbridge.amazonaws.com", "misspelt"],
  ["that is the name of a product in China", "stepfunctions.amazonaws.com.cn", "misspelt"],
  ["with two letters in the wrong order", "nss.amazonaws.com", "misspelt"],
  ["with the letter behind the digit", "3s.amazonaws.com", "misspelt"],
  ["with three letters that no service has", "xyz.amazonaws.com", "unknown"],
  ["of a Region", "sns.eu-central-1.amazonaws.com", "known"],
  ["of a misspelt Region", "sns.eu-centrall-1.amazonaws.com", "misspelt"],
  ["of a Region without its number", "sns.eu-west.amazonaws.com", "misspelt"],
  ["of a Region that is not in the data", "sns.xy-nowhere-9.amazonaws.com", "unknown"],
  ["in the domain of AWS's web site", "sns.aws.amazon.com", "malformed"],
  // https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/backups-exporting.html
  ["of a Region that comes first", "ap-east-1.elasticache-snapshot.amazonaws.com", "known"],
  ["of no Region that comes first", "nowhere.elasticache-snapshot.amazonaws.com", "unknown"],
  // https://docs.aws.amazon.com/chime-sdk/latest/dg/create-s3-bucket.html
  ["of a part of a service", "mediapipelines.chime.amazonaws.com", "known"],
  ["of nothing", "unheard-of-service.amazonaws.com", "unknown"],
])("a service principal %s", (_title, name, kind) => {
  expect(readServicePrincipal(name, ["sns", "route53"])).toMatchObject({ kind });
});

it("a service in another domain of AWS has the name that is meant", () => {
  for (const domain of ["aws.amazon.com", "amazon.com", "aws.com"]) {
    expect(readServicePrincipal(`sns.${domain}`, ["sns"])).toMatchObject({
      meant: "sns.amazonaws.com",
    });
  }
  expect(readServicePrincipal("unheard.aws.amazon.com", ["sns"])).toMatchObject({ meant: null });
});

it.each([
  [" sns.amazonaws.com\n", "malformed", "sns.amazonaws.com"],
  [" snss.amazonaws.com", "malformed", "sns.amazonaws.com"],
  [" unheard-of-service.amazonaws.com", "malformed", null],
  ["sns.eu-centrall-1.amazonaws.com", "misspelt", "sns.eu-central-1.amazonaws.com"],
  ["sns.eu-west1.amazonaws.com", "misspelt", "sns.eu-west-1.amazonaws.com"],
  ["logs.eu-west1.amazonaws.com", "misspelt", "logs.eu-west-1.amazonaws.com"],
  ["eventbridge.amazonaws.com", "misspelt", "events.amazonaws.com"],
  ["stepfunctions.amazonaws.com.cn", "misspelt", "states.amazonaws.com.cn"],
  ["logs.delivery.amazonaws.com", "misspelt", "delivery.logs.amazonaws.com"],
  ["snss.amazonaws.com", "misspelt", "sns.amazonaws.com"],
  ["dnsec-route53.amazonaws.com", "misspelt", "dnssec-route53.amazonaws.com"],
  ["sns.amazonws.com", "malformed", "sns.amazonaws.com"],
  ["sns.awsamazon.com", "malformed", "sns.amazonaws.com"],
  ["sns.amazonaws", "malformed", "sns.amazonaws.com"],
  ["sns.aws", "malformed", "sns.amazonaws.com"],
  ["sns", "malformed", "sns.amazonaws.com"],
  ["sns.example.com", "malformed", null],
  ["sns.elsewhere.com", "malformed", null],
  ["my service", "malformed", null],
  ["", "malformed", null],
])("%s is %s, and means %s", (name, kind, meant) => {
  const verdict = readServicePrincipal(name, ["sns", "route53", "logs", "events", "states"]);
  expect(verdict).toMatchObject({ kind, meant });
});
