import { authPrefix } from "../spec/auth.ts";
import { nearestName } from "./nearest.ts";

const prefix = "VALIDATOR_MCP_";

/**
 * Variables that Kubernetes puts into the pods of a namespace for every Service whose name begins with
 * `validator-mcp`, in the forms `{SVC}_SERVICE_HOST`, `{SVC}_SERVICE_PORT[_NAME]`, `{SVC}_PORT` and
 * `{SVC}_PORT_<n>_<PROTOCOL>[_PROTO|_PORT|_ADDR]`.
 * Source: https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables
 */
const linkName =
  /^VALIDATOR_MCP_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const linkValue = /^(tcp|udp|sctp):\/\//i;

function isServiceLink(name: string, value: string): boolean {
  return linkName.test(name) || (/_PORT$/.test(name) && linkValue.test(value));
}

/** The `VALIDATOR_MCP_*` variables of an environment that are set, by what they are. */
export interface SortedVariables {
  /** Names of variables that Kubernetes made; their values must not be read. */
  readonly serviceLinks: ReadonlySet<string>;
  /** One message for each variable that the server does not know; without its value. */
  readonly unknown: readonly string[];
}

/**
 * @param known Names of the variables that are settings. Those that begin with `VALIDATOR_MCP_AUTH_` are
 * left out: the auth provider names the ones it does not read.
 */
export function sortVariables(
  environment: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): SortedVariables {
  const serviceLinks = new Set<string>();
  const unknown: string[] = [];
  const endings = [...known].map((name) => name.slice(prefix.length));
  for (const name of Object.keys(environment).toSorted()) {
    const value = environment[name]?.trim();
    if (!name.startsWith(prefix) || !value) continue;
    if (isServiceLink(name, value)) serviceLinks.add(name);
    else if (!known.has(name) && !name.startsWith(authPrefix)) {
      // Compared without the prefix, which would make any two names similar.
      const nearest = nearestName(name.slice(prefix.length), endings);
      const hint = nearest === undefined ? "" : `; did you mean ${prefix}${nearest}?`;
      unknown.push(`${name} is not a setting${hint}`);
    }
  }
  return { serviceLinks, unknown };
}
