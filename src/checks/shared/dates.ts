/** Keys that tell the time of the request, or of the credentials, which are never newer. */
const timeKeys: ReadonlySet<string> = new Set([
  "aws:currenttime",
  "aws:epochtime",
  "aws:tokenissuetime",
]);

/** @returns Whether the folded key tells a time. */
export function isTimeKey(keyLower: string): boolean {
  return timeKeys.has(keyLower);
}

/** @returns seconds since 1970 of a date value of a policy; null for one that is none. A time without a zone is in UTC. */
export function epochSeconds(text: string): number | null {
  if (/^\d{5,}$/.test(text)) return Number(text);
  const year = /^\d{4}$/.test(text);
  // `Date.parse` takes a time without a zone for one of the machine's zone.
  const hasNoZone = /T[\d:.]+$/i.test(text);
  const time = Date.parse(year ? `${text}-01-01` : hasNoZone ? `${text}Z` : text);
  return Number.isNaN(time) ? null : time / 1000;
}

/** @returns seconds since 1970 at the beginning of a day, YYYY-MM-DD. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
