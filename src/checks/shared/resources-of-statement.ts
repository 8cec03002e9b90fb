import type { PolicyType } from "../../../spec/policy.ts";
import { startsWithVariable } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import {
  type ArnFormat,
  allFormatsOf,
  arnFormatsOfTypes,
  formatsOfType,
  overlaps,
  type PolicyArn,
  policyArn,
} from "../../services/arn-overlap.ts";
import type { Action, Service } from "../../services/model.ts";
import { arnFault, maxArnLength } from "./arn-rule.ts";
import {
  coversTypeWideArn,
  hasTypeWideArns,
  hasUnlistedArns,
  mayBeUnlisted,
} from "./unlisted-arns.ts";

/** More templates for a service than anybody writes; beyond, comparing them all is not worth it. */
const mostOpenServices = 100;

/** So many resources are compared again sooner than the answer is looked up. */
const few = 4;

/** The resources of one statement, sorted by service so that each action meets its own only. */
export class ResourcesOfStatement {
  /** Number of resources that are well-formed; the others are for resource_validation. */
  readonly checkable: number;
  /** Some resource may be any ARN at all. */
  readonly anything: boolean;
  readonly #byService = new Map<string, PolicyArn[]>();
  /** ARNs whose service is a variable. */
  readonly #open: PolicyArn[] = [];
  readonly #shortForm: boolean;
  #withUnlisted: Map<Service, boolean> | undefined;
  /** By the list of types of an action: the actions of a service share most lists. */
  readonly #byTypes = new Map<readonly string[], boolean>();
  readonly #answers = new Map<ArnFormat, boolean>();

  /** @param variables `${...}` may stand in any part. */
  constructor(resources: readonly Entry[], variables: boolean, type: PolicyType) {
    let checkable = 0;
    let anything = false;
    let shortForm = false;
    for (const text of textsOf(resources)) {
      if (variables && startsWithVariable(text)) anything = true;
      else if (type === "RESOURCE_POLICY" && text.startsWith("execute-api:/")) shortForm = true;
      else if (text.length > maxArnLength || arnFault(text, variables)) continue;
      else this.#add(text);
      checkable++;
    }
    this.checkable = checkable;
    this.anything = anything || this.#open.length > mostOpenServices;
    this.#shortForm = shortForm;
  }

  #add(text: string): void {
    const arn = policyArn(text);
    if (!arn) return;
    if (hasWildcard(arn.service)) {
      this.#open.push(arn);
      return;
    }
    const group = this.#byService.get(arn.service);
    if (group) group.push(arn);
    else this.#byService.set(arn.service, [arn]);
  }

  /** @returns whether some resource can be of a type the action works on. */
  fits(service: Service, action: Action): boolean {
    const { prefix } = service;
    const { resourceTypes, qualified } = action;
    // The answer for nearly all actions; what follows finds resources that the reference does not list for them.
    if (resourceTypes.length > 0 && this.#fitsSome(resourceTypes, service)) return true;
    if (this.#shortForm && prefix === "execute-api") return true;
    if (hasUnlistedArns(prefix) && this.#some((arn) => mayBeUnlisted(qualified, arn))) return true;
    if (resourceTypes.length === 0) {
      return hasTypeWideArns(prefix) && this.#some((arn) => coversTypeWideArn(qualified, arn));
    }
    return this.#isDocumented(service, action);
  }

  #fitsSome(types: readonly string[], service: Service): boolean {
    let fits = this.#byTypes.get(types);
    if (fits === undefined) {
      const formats = arnFormatsOfTypes(service, types);
      fits = formats === null || this.#fitsAny(formats);
      this.#byTypes.set(types, fits);
    }
    return fits;
  }

  #some(holds: (arn: PolicyArn) => boolean): boolean {
    return [...this.#byService.values(), this.#open].some((arns) => arns.some(holds));
  }

  /**
   * ARNs that AWS documents and the reference does not list for the action: those of AWS itself that are of
   * no type of the reference, such as the transforms that `cloudformation:CreateChangeSet` uses; the new
   * snapshot of `ec2:CopySnapshot`, which has an account; and what the second version of Elastic Load
   * Balancing tags, whose actions have the same names as those of the first.
   * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/control-access-with-iam.html
   * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html
   * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awselasticloadbalancingv2.html
   */
  #isDocumented(service: Service, { qualified }: Action): boolean {
    const { prefix, resourceTypes } = service;
    if (this.#hasUnlisted(service)) return true;
    if (
      prefix === "elasticloadbalancing" &&
      /^elasticloadbalancing:(?:Add|Remove)Tags$/.test(qualified)
    ) {
      return resourceTypes.some(({ name }) => this.fitsType(service, name));
    }
    if (qualified !== "ec2:CopySnapshot") return false;
    return (this.#byService.get(prefix) ?? []).some(({ resource }) =>
      resource.startsWith("snapshot/"),
    );
  }

  /** Whether some ARN has `aws` as its account and is of no resource type of the service. */
  #hasUnlisted(service: Service): boolean {
    this.#withUnlisted ??= new Map();
    let answer = this.#withUnlisted.get(service);
    if (answer === undefined) {
      const ofAws = this.#byService.get(service.prefix)?.filter(({ account }) => account === "aws");
      const formats = ofAws?.length ? allFormatsOf(service) : [];
      answer = ofAws?.some((arn) => !formats.some((format) => overlaps(format, arn))) ?? false;
      this.#withUnlisted.set(service, answer);
    }
    return answer;
  }

  /** @returns whether some resource can be of the type. */
  fitsType(service: Service, name: string): boolean {
    const formats = formatsOfType(service, name);
    return formats.length === 0 || this.#fitsAny(formats);
  }

  #fitsAny(formats: readonly ArnFormat[]): boolean {
    for (const format of formats) if (this.#fitsFormat(format)) return true;
    return false;
  }

  #fitsFormat(format: ArnFormat): boolean {
    if (this.checkable <= few) return this.#overlapsSome(format);
    let answer = this.#answers.get(format);
    if (answer === undefined) {
      answer = this.#overlapsSome(format);
      this.#answers.set(format, answer);
    }
    return answer;
  }

  #overlapsSome(format: ArnFormat): boolean {
    // AWS Backup's recovery points have ARNs of the services they come from.
    if (hasWildcard(format.service)) return this.#some((arn) => overlaps(format, arn));
    return (
      hasOverlap(format, this.#byService.get(format.service)) || hasOverlap(format, this.#open)
    );
  }
}

const known = new FactSlot<Statement, ResourcesOfStatement>();

/** The entries of `Resource`, read once. @param variables The same for all of a policy. */
export function resourcesOf(
  statement: Statement,
  variables: boolean,
  type: PolicyType,
): ResourcesOfStatement {
  let resources = known.get(statement);
  if (!resources) {
    resources = new ResourcesOfStatement(statement.resources, variables, type);
    known.set(statement, resources);
  }
  return resources;
}

/** Each once; most statements have one. */
function textsOf(resources: readonly Entry[]): Iterable<string> {
  const [first] = resources;
  if (first && resources.length === 1) return [first.text];
  return new Set(resources.map(({ text }) => text));
}

function hasOverlap(format: ArnFormat, arns: readonly PolicyArn[] = []): boolean {
  for (const arn of arns) if (overlaps(format, arn)) return true;
  return false;
}
