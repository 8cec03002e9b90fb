import type { Statement } from "./model.ts";

/** The service of all actions of a statement, in lower case; null where there are several, or patterns of them. */
export function onlyService({ actions }: Statement): string | null {
  const services = new Set(actions.map(({ text }) => text.split(":", 1)[0]?.toLowerCase()));
  const [only] = services;
  return services.size === 1 && only !== undefined ? only : null;
}
