import { asciiLower } from "../../ascii.ts";
import { isTagKey } from "../../policy/global-condition-keys.ts";
import { identityProviderKey } from "../../policy/identity-provider-key.ts";
import type { Service } from "../../services/model.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { allKeys, hasKey, type KeyNames, listedKeys } from "./listed-keys.ts";

/** The action that takes the claims of any identity provider as condition keys. */
const webIdentity = "sts:AssumeRoleWithWebIdentity";

interface Numbered {
  readonly place: number;
  readonly action: CountingAction;
}

/** Services above which it pays to look first whether any of them knows a key at all. */
const manyServices = 8;

/**
 * Which actions of one statement know which condition keys. Global keys are the caller's matter.
 * Actions are asked service by service and answers are kept, so that many keys times many actions
 * stay far from their product.
 */
export class StatementKeys {
  readonly #byService = new Map<Service, Numbered[]>();
  readonly #firstWithout = new Map<string, Numbered | null>();
  readonly #someHas = new Map<string, boolean>();
  #withoutWebIdentity: Numbered | null | undefined;
  #hasWebIdentity: boolean | undefined;
  #all: KeyNames | undefined;

  constructor(actions: readonly CountingAction[]) {
    let last: Service | undefined;
    let group: Numbered[] = [];
    for (const [place, action] of actions.entries()) {
      const { service } = action;
      // Neighbours in a list are mostly of one service.
      if (service !== last) {
        last = service;
        group = this.#byService.get(service) ?? [];
        this.#byService.set(service, group);
      }
      group.push({ place, action });
    }
  }

  /** @returns the first action, in document order, that does not know the key itself. */
  firstWithout(key: string): CountingAction | null {
    return this.#first(key)?.action ?? null;
  }

  /** @returns whether the key is valid for at least one action. */
  someHas(key: string): boolean {
    const probe = probeOf(key);
    let answer = this.#someHas.get(probe);
    if (answer === undefined) {
      answer = this.#someLists(probe) || (this.#takesClaims() && identityProviderKey(key) !== null);
      this.#someHas.set(probe, answer);
    }
    return answer;
  }

  #someLists(key: string): boolean {
    if (this.#byService.size > manyServices) {
      this.#all ??= allKeys(this.#byService.keys());
      if (!hasKey(this.#all, key)) return false;
    }
    return [...this.#byService].some(
      ([service, group]) =>
        ownKey(service, key) ||
        (hasKey(listedKeys(service), key) && group.some(({ action }) => supports(action, key))),
    );
  }

  #first(key: string): Numbered | null {
    const probe = probeOf(key);
    const known = this.#firstWithout.get(probe);
    if (known !== undefined) return known;
    let first: Numbered | null = null;
    // Services stand in order of their first action, so later ones cannot undercut an early find.
    for (const [service, group] of this.#byService) {
      if (first && group[0] && group[0].place > first.place) break;
      const found = ownKey(service, probe) ? null : this.#firstIn(service, group, probe);
      if (found && (!first || found.place < first.place)) first = found;
    }
    this.#firstWithout.set(probe, first);
    return first;
  }

  #firstIn(service: Service, group: readonly Numbered[], key: string): Numbered | null {
    const claim = service.prefix === "sts" && identityProviderKey(key) !== null;
    if (!hasKey(listedKeys(service), key)) {
      return claim ? this.#firstWithoutWebIdentity(group) : (group[0] ?? null);
    }
    return (
      group.find(({ action }) => !supports(action, key) && !(claim && isWebIdentity(action))) ??
      null
    );
  }

  #firstWithoutWebIdentity(group: readonly Numbered[]): Numbered | null {
    if (this.#withoutWebIdentity === undefined) {
      this.#withoutWebIdentity = group.find(({ action }) => !isWebIdentity(action)) ?? null;
    }
    return this.#withoutWebIdentity;
  }

  #takesClaims(): boolean {
    this.#hasWebIdentity ??= [...this.#byService].some(
      ([{ prefix }, group]) =>
        prefix === "sts" && group.some(({ action }) => isWebIdentity(action)),
    );
    return this.#hasWebIdentity;
  }
}

const tag = /^(aws:(?:RequestTag|ResourceTag)\/)(.*)$/is;

/** Whatever the tag key is, if it can be one: an action takes all tags or none. */
function probeOf(key: string): string {
  const lower = asciiLower(key);
  if (!lower.startsWith("aws:")) return lower;
  const [, prefix, tagKey] = tag.exec(key) ?? [];
  return prefix !== undefined && tagKey !== undefined && isTagKey(tagKey)
    ? `${asciiLower(prefix)}x`
    : lower;
}

/** @returns whether the action takes no tags of the kind that the key tests. */
export function lacksTag(action: CountingAction, key: string): boolean {
  return !supports(action, probeOf(key));
}

/** Any key of a service is accepted for any of its actions, but for tags, which go by action. */
function ownKey(service: Service, key: string): boolean {
  if (service.prefix === "iot" && iotKey.test(key)) return true;
  if (unlistedKeys[service.prefix] === key.toLowerCase()) return true;
  return !tag.test(key) && service.conditionKey(key) !== undefined;
}

/**
 * Keys of policies for devices, which the reference lacks.
 * Sources: https://docs.aws.amazon.com/iot/latest/developerguide/thing-policy-variables.html,
 * https://docs.aws.amazon.com/iot/latest/developerguide/cert-policy-variables.html and
 * https://docs.aws.amazon.com/iot/latest/developerguide/connect-policy.html
 */
const iotKey =
  /^iot:(?:connection\.thing\.(?:thingname|thingtypename|isattached|attributes\[[^\]]+\])|certificate\.(?:subject|issuer|serialnumber|availablekeys)\b.*|clientid|connectattributes|lastwilltopic)$/;

/**
 * Keys that the guides of services tell to test and that the reference lacks, by the prefix of the actions. That of a
 * channel of CloudTrail Lake has the prefix of another service.
 * https://docs.aws.amazon.com/lake-formation/latest/dg/cross-account-share-prerequisistes.html
 * https://docs.aws.amazon.com/awscloudtrail/latest/userguide/security_iam_resource-based-policy-examples.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-user-pool-authorizer-permissions.html
 * https://docs.aws.amazon.com/sagemaker/latest/dg/multi-container-direct.html
 */
const unlistedKeys: Readonly<Record<string, string>> = {
  glue: "glue:evaluatedbylakeformationtags",
  "cloudtrail-data": "cloudtrail:externalid",
  apigateway: "apigateway:cognitouserpoolproviderarn",
  sagemaker: "sagemaker:targetcontainerhostname",
};

function supports({ actions }: CountingAction, key: string): boolean {
  return actions.some((action) => action.supportsKey(key));
}

function isWebIdentity({ actions }: CountingAction): boolean {
  return actions.some(({ qualified }) => qualified === webIdentity);
}
