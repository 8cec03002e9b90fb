/** Names end so, before the hash that CDK puts behind them. */
const ending = /boundary[-_]?(?:policy)?(?:[0-9A-F]{8})?$/i;

/**
 * Whether the name of a managed policy says that it is a permissions boundary. Roles of other templates and those
 * that it forces to have it refer to it by ARN, as in the bootstrap template of CDK.
 */
export function isBoundaryName(name: string): boolean {
  return ending.test(name);
}
