import type { ServicesDiff } from "../../spec/services-diff.ts";
import { byCodePoint } from "../ascii.ts";
import type { Service, ServiceData } from "../services/model.ts";

type Names = ServicesDiff["actions"];

/**
 * What changed from one set of reference data to another: added and removed names by kind.
 * @throws {ServicesUnavailable} when a service of either cannot be read.
 */
export async function diffServices(older: ServiceData, newer: ServiceData): Promise<ServicesDiff> {
  const prefixes = [...new Set([...older.prefixes, ...newer.prefixes])].sort(byCodePoint);
  await older.load(older.prefixes);
  await newer.load(newer.prefixes);
  const services = changes(new Set(older.prefixes), new Set(newer.prefixes));
  const actions: Names = { added: [], removed: [] };
  const resourceTypes: Names = { added: [], removed: [] };
  const conditionKeys: Names = { added: [], removed: [] };
  for (const prefix of prefixes) {
    const [from, to] = [older.get(prefix), newer.get(prefix)];
    collect(actions, from, to, (one) => one.actions.map(({ qualified }) => qualified));
    collect(resourceTypes, from, to, (one) =>
      one.resourceTypes.map(({ name }) => `${one.prefix}:${name}`),
    );
    collect(conditionKeys, from, to, (one) => one.conditionKeys.map(({ name }) => name));
  }
  return {
    older: { date: older.date, hash: older.hash },
    newer: { date: newer.date, hash: newer.hash },
    services,
    actions,
    resource_types: resourceTypes,
    condition_keys: conditionKeys,
  };
}

function collect(
  into: Names,
  from: Service | undefined,
  to: Service | undefined,
  namesOf: (service: Service) => readonly string[],
): void {
  const { added, removed } = changes(
    new Set(from ? namesOf(from) : []),
    new Set(to ? namesOf(to) : []),
  );
  into.added.push(...added);
  into.removed.push(...removed);
}

function changes(from: ReadonlySet<string>, to: ReadonlySet<string>): Names {
  return {
    added: [...to].filter((name) => !from.has(name)).sort(byCodePoint),
    removed: [...from].filter((name) => !to.has(name)).sort(byCodePoint),
  };
}
