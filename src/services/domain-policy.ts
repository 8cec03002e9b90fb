/** What the policy of a search domain grants, the usual calls first. */
const ofDomains = ["es:ESHttp", "es:ESCrossCluster"];

/**
 * Whether the policy of a resource can grant the action. The policy of a search domain grants the calls to the domain alone:
 * "In resource-based policies, the `es:*` action is equivalent to `es:ESHttp*`", and the configuration API needs an
 * identity policy. Cross-cluster search is granted there as well.
 * @param qualified `service:Name`, in the letter case of the reference.
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html#ac-types-resource
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/cross-cluster-search.html
 */
export function isGrantedByResource(qualified: string): boolean {
  return !qualified.startsWith("es:") || rankOf(qualified) < ofDomains.length;
}

/** @returns the actions that the policy of a resource can grant, the usual ones first, before the others. */
export function usualFirst<One extends { readonly qualified: string }>(
  actions: readonly One[],
): readonly One[] {
  if (actions.every(({ qualified }) => !qualified.startsWith("es:"))) return actions;
  return actions.toSorted((a, b) => rankOf(a.qualified) - rankOf(b.qualified));
}

function rankOf(qualified: string): number {
  const rank = ofDomains.findIndex((start) => qualified.startsWith(start));
  return rank < 0 ? ofDomains.length : rank;
}
