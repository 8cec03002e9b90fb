import { editDistance } from "../../edit-distance.ts";
import { memo } from "../../memo.ts";
import { regionFault } from "../../policy/regions.ts";
import { prefixByOtherName } from "../shared/other-service-names.ts";

/**
 * Service principals that are not `<prefix>.amazonaws.com` with a prefix of the service reference.
 * AWS publishes no complete list. These are the names in AWS's managed policies (iam:PassedToService,
 * iam:AWSServiceName) and in the guides of the services:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export const servicePrincipalsDate = "2026-11-22";

const irregular: ReadonlySet<string> = new Set(
  `a4b access-grants.s3 account-access acm-pca agent-registry agent.wellarchitected agentless.inspector2 aiops airflow
  airflow-env airflow-serverless alexa-appkit amazonmq ami.inspector2 amplify amplifybackend apidestinations.events
  apigateway apiv2migration.waf apiv2migration.waf-regional application-autoscaling application-insights
  application-signals.cloudwatch application-transformation application.qbusiness applicationinsights appmesh apprunner
  appstream appstream.application-autoscaling aps assets.marketplace audit-manager automation.ssm autoscaling
  autoscaling-plans aws-artifact-account-sync aws-external-anthropic aws-marketplace awsconnector backup-gateway
  backups.rds batch batchoperations.s3 bcm-data-exports bedrock bedrock-agentcore bedrock-mantle billingconductor
  billingreports braket budgets bugbust build.apprunner byol cassandra-streams cassandra.application-autoscaling
  channels.lex channels.lexv2 chatbot chime cks.kms cleanrooms-ml cloud9 cloudfront cloudhsm cloudsearch cloudtrail
  cloudwatch cloudwatch-crossaccount codeartifact codebuild codecatalyst codecatalyst-runner codecommit codeconnections
  codedeploy codeguru-profiler codeguru-reviewer codeguru-security codepipeline codestar codestar-connections
  codestar-notifications cognito-identity cognito-identity-us-gov cognito-idp cognito-sync comprehend
  comprehend.application-autoscaling compute-optimizer config config-conforms config-multiaccountsetup connect
  connect-campaigns contact-lens context.cloudtrail continuousexport.discovery contract.iq contributorinsights.dynamodb
  controltower cost-optimization-hub.bcm costalerts credentials.iot custom-resource.application-autoscaling custom.rds
  custom.rds-preview customer-profiles databrew dataexchange datapipeline datasync datazone datazonecontrol dax deadline
  delivery.logs detective devops-guru diagnostic-tools directconnect directoryservice.rds directquery.opensearchservice
  discovery discovery-datasync dlm dms dms-data-migrations dms-fleet-advisor dmsintegration.migrationhub dnssec-route53
  docdb-elastic drs drt.shield ds dsql dynamodb dynamodb.application-autoscaling ec2 ec2-images
  ec2.application-autoscaling ec2.application-status-checks ec2.capacitymanager ec2fastlaunch ec2fleet ec2scheduled
  ec2sqlha ecr ecs ecs-compute ecs-tasks ecs.application-autoscaling edgelambda eks eks-connector eks-fargate
  eks-fargate-pods eks-nodegroup elasticache elasticache.application-autoscaling elasticbeanstalk elasticfilesystem
  elasticloadbalancing elasticmapreduce elasticmapreduce.application-autoscaling elastictranscoder email.cognito-idp
  emr-containers emr-serverless entityresolution es event-processor.health events events.managedservices events.rds
  events.workmail evidently export.rds finops-agent finspace firehose fis fms forecast frauddetector freertos fsx
  gamelift glacier globalaccelerator glue grafana greengrass groundstation guardduty health healthlake
  hooks.cloudformation iam identitystore imagebuilder importexport indexing.s3vectors inspector inspector2
  internetmonitor iot iotanalytics iotdeviceadvisor iotevents iotfleetwise iotmanagedintegrations iotroborunner
  iotsitewise iottwinmaker iotwireless ipam ivs jellyfish job.sagemaker justintimeaccess.ssm kafka
  kafka.application-autoscaling kafkaconnect kendra kinesis kinesisanalytics kinesisreplication.dynamodb kms
  lakeformation lambda lambda.alarms.cloudwatch lambda.application-autoscaling launchwizard lex lexv2
  license-management.marketplace license-manager license-manager.master-account license-manager.member-account lightsail
  logdelivery.elasticloadbalancing logdelivery.elb logger.cloudfront logging.s3 logs lookoutequipment lookoutmetrics
  lookoutvision m2 machinelearning macie maintenance.elasticbeanstalk maintenance.s3tables
  malware-protection-plan.guardduty malware-protection.guardduty managedblockchain managedservices
  managedupdates.elasticbeanstalk mediaconnect mediaconvert medialive mediapackage mediapipelines.chime mediastore
  mediatailor medical-imaging meetings.chime member.org.stacksets.cloudformation memorydb messaging.chime metadata.s3
  metering-marketplace metrics.wellarchitected mgh mgn migrationhub migrationhub-orchestrator migrationhub-strategy
  ml.opensearchservice mobileanalytics mobilehub monitor.iotsitewise monitoring monitoring.rds monitoring.thinclient
  monitron mpa mq neptune-graph neptune.application-autoscaling network-connectors.lambda network-firewall
  network-security-director network-security-manager network.bedrock-agentcore networkmanager nimble notifications
  notifications.ssm oam observability.aoss observabilityadmin odb omics opensearchservice ops.apigateway
  ops.emr-serverless opsworks opsworks-cm organizations orgsdatasync.servicecatalog osis osis-pipelines outposts
  panorama partnercentral-account-management payment-cryptography permission.iq personalize pinpoint pipes pods.eks
  polly private-marketplace.marketplace private-networks profile proton pullthroughcache.ecr purchaseorders q qbusiness
  qldb quicksight ram rds rds.application-autoscaling redshift redshift-data redshift-serverless refactor-spaces
  rekognition remediation.config replication.cassandra replication.dynamodb replication.ecr replication.lexv2
  replication.s3tables replicator.lambda reporting.trustedadvisor reports.marketplace resale-authorization.marketplace
  researchstudio resilience-hub resource-explorer-2 resource-groups resource-snapshot-job.partnercentral-selling
  resources.cloudformation restore-testing.backup robomaker rolesanywhere route53 route53resolver rum
  runtime-identity.bedrock-agentcore runtime-instances.bedrock-agentcore s3 s3-outposts s3.data-source.lustre.fsx
  s3vectors sagemaker sagemaker-geospatial sagemaker-ground-truth-plus sagemaker.application-autoscaling scaler.lambda
  scheduler scheduler.redshift schema-conversion.dms schemas scraper.aps secretsmanager security-ir securityagent
  securityhub securityhubv2 securitylake serverlessrepo servicecatalog servicecatalog-appregistry servicediscovery
  servicequotas ses shield signer signin smsintegration.migrationhub sms sms-voice snowball sns spot spotfleet
  sqlworkbench sqs ssm ssm-contacts ssm-guiconnect ssm-incidents ssm-quicksetup ssm-sap ssm.integrations ssmmessages sso
  stacksets.cloudformation states storage-lens.s3 storagegateway streams.metrics.cloudwatch sts support supportapp
  supportplans swf sync.proton synthetics tagging tagpolicies.tag tasks.apprunner
  telemetry-enablement.observabilityadmin telemetry-pipelines.observabilityadmin textract thirdparty.config
  thirdparty.inspector2 timestream timestream-influxdb tnb transcribe transcribe.streaming transfer transform-custom
  transitgateway translate triage.security-ir trustedadvisor tts user-subscriptions verified-access vmie
  voiceconnector.chime voiceid vpc-flow-logs vpc-lattice waf waf-regional wafv2 wellarchitected wisdom workdocs worklink
  workmail workspaces workspaces-instances workspaces-web xray`.split(/\s+/),
);

/**
 * Names of products that people take for principals, and the principals. None of them is in the lists above.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 * has the service prefix of each product.
 */
const productNames: ReadonlyMap<string, string> = new Map([
  ["api-gateway", "apigateway"],
  ["cloudwatch-events", "events"],
  ["cloudwatch-logs", "logs"],
  ["cloudwatchevents", "events"],
  ["cloudwatchlogs", "logs"],
  ["data-firehose", "firehose"],
  ["ec2-container-service", "ecs"],
  ["ecs-fargate", "ecs-tasks"],
  ["eks-pods", "pods.eks"],
  ["elasticsearch", "es"],
  ["emr", "elasticmapreduce"],
  ["eventbridge", "events"],
  ["eventbridge-scheduler", "scheduler"],
  ["kinesis-firehose", "firehose"],
  ["kinesisfirehose", "firehose"],
  ["lambda-edge", "edgelambda"],
  ["parameterstore", "ssm"],
  ["sfn", "states"],
  ["step-functions", "states"],
  ["stepfunctions", "states"],
  ["systems-manager", "ssm"],
  ["systemsmanager", "ssm"],
]);

/** Principals outside `amazonaws.com`. Source: https://docs.aws.amazon.com/lambda/latest/dg/services-alexa.html */
const otherDomains: ReadonlySet<string> = new Set([
  "alexa-appkit.amazon.com",
  "alexa-connectedhome.amazon.com",
]);

/** Suffixes of all partitions. */
const suffixes = [
  ".amazonaws.com",
  ".amazonaws.com.cn",
  ".amazonaws.eu",
  ".c2s.ic.gov",
  ".sc2s.sgov.gov",
  ".cloud.adc-e.uk",
  ".csp.hci.ic.gov",
];

/** Longer texts are no names. */
const maxLength = 200;

const wellFormed = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const region = /\.[a-z]{2,5}(?:-[a-z]+)+-[0-9]{1,2}$/;

/**
 * The one principal that begins with the name of its Region.
 * https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/backups-exporting.html
 */
const ofRegion = /^([a-z0-9-]+)\.elasticache-snapshot$/;

export type ServicePrincipalVerdict =
  | { readonly kind: "known" }
  /** Cannot be the name of a service. `meant`: the name that was probably meant. */
  | { readonly kind: "malformed"; readonly meant: string | null }
  /** Within two edits of a name that exists. */
  | { readonly kind: "misspelt"; readonly meant: string }
  | { readonly kind: "unknown" };

const prefixSets = memo((prefixes: readonly string[]) => new Set(prefixes));

/** The list has hundreds of prefixes, and never changes. */
function isPrefix(name: string, prefixes: readonly string[]): boolean {
  return prefixSets(prefixes).has(name);
}

/** @param prefixes Service prefixes of the reference data. */
export function readServicePrincipal(
  text: string,
  prefixes: readonly string[],
): ServicePrincipalVerdict {
  const trimmed = text.length > maxLength ? text : text.trim();
  if (trimmed !== text) {
    const verdict = readServicePrincipal(trimmed, prefixes);
    if (verdict.kind === "known") return { kind: "malformed", meant: trimmed };
    return { kind: "malformed", meant: "meant" in verdict ? verdict.meant : null };
  }
  const lower = text.toLowerCase();
  if (otherDomains.has(lower)) return { kind: "known" };
  const suffix = suffixes.filter((one) => lower.endsWith(one)).at(-1);
  const label = suffix === undefined ? "" : lower.slice(0, -suffix.length);
  if (suffix === undefined || !wellFormed.test(label)) {
    return { kind: "malformed", meant: wellFormedName(lower, prefixes) };
  }
  const [, before] = ofRegion.exec(label) ?? [];
  if (before !== undefined) return { kind: regionFault(before) ? "unknown" : "known" };
  const service = label.replace(region, "");
  if (irregular.has(service) || isPrefix(service, prefixes)) {
    return inRegion(label.slice(service.length + 1), service, suffix);
  }
  const misspelt = misspeltRegion(label, suffix, prefixes);
  if (misspelt !== null) return { kind: "misspelt", meant: misspelt };
  const product = productNames.get(service);
  if (product !== undefined) return { kind: "misspelt", meant: `${product}${suffix}` };
  const turned = service.split(".").reverse().join(".");
  if (irregular.has(turned)) return { kind: "misspelt", meant: `${turned}${suffix}` };
  const own = prefixByOtherName.get(service);
  if (own !== undefined && irregular.has(own))
    return { kind: "misspelt", meant: `${own}${suffix}` };
  const near = nearest(service, prefixes);
  return near === null ? { kind: "unknown" } : { kind: "misspelt", meant: `${near}${suffix}` };
}

/** Domains that people write in place of `amazonaws.com`. */
const otherDomain =
  /\.(?:aws\.amazon|amazon|aws|awsamazon|[a-z]{7,11})(?:\.(?:com?|cm|con|net|org))?$/;

/** The name in the right domain. */
function wellFormedName(lower: string, prefixes: readonly string[]): string | null {
  const written = lower.length > maxLength ? "" : (otherDomain.exec(lower)?.[0] ?? "");
  const [, domain = ""] = written.split(".");
  const isNear =
    domain.length < 7 || domain === "awsamazon" || editDistance(domain, "amazonaws") <= 2;
  const bare = isNear ? lower.slice(0, lower.length - written.length) : lower;
  return irregular.has(bare) || isPrefix(bare, prefixes) ? `${bare}.amazonaws.com` : null;
}

/**
 * A name with a Region exists only for the Regions that there are.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
 */
function inRegion(name: string, service: string, suffix: string): ServicePrincipalVerdict {
  const fault = name === "" ? null : regionFault(name);
  if (!fault) return { kind: "known" };
  const [near] = fault.near;
  if (near === undefined) return { kind: "unknown" };
  return { kind: "misspelt", meant: `${service}.${fault.meant ?? near}${suffix}` };
}

/** The principal of a service in a Region whose name lacks a hyphen or the number: `logs.eu-west1`. */
function misspeltRegion(label: string, suffix: string, prefixes: readonly string[]): string | null {
  const dot = label.lastIndexOf(".");
  const service = label.slice(0, Math.max(0, dot));
  if (!irregular.has(service) && !isPrefix(service, prefixes)) return null;
  const { meant = null, near = [] } = regionFault(label.slice(dot + 1)) ?? {};
  // Several Regions may be as near: of `logs.eu-west` the first is written.
  const written = meant ?? near[0];
  return written === undefined ? null : `${service}.${written}${suffix}`;
}

/** Two edits make another short name, so those get one. */
function nearest(service: string, prefixes: readonly string[]): string | null {
  const most = service.length > 5 ? 2 : 1;
  let found: string | null = null;
  let fewest = most + 1;
  for (const names of [irregular, prefixes]) {
    for (const name of names) {
      if (Math.abs(name.length - service.length) > most || name.length < 3) continue;
      const edits = editDistance(name, service);
      if (edits >= fewest) continue;
      fewest = edits;
      found = name;
    }
  }
  return found ?? swapped(service);
}

/** A name of which two neighbouring letters have changed places. */
function swapped(service: string): string | null {
  for (let at = 1; at < service.length; at++) {
    const [one = "", other = ""] = [service[at - 1], service[at]];
    const name = `${service.slice(0, at - 1)}${other}${one}${service.slice(at + 1)}`;
    if (irregular.has(name)) return name;
  }
  return null;
}
