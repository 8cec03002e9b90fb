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

/** @returns seconds since 1970 of a date value of a policy; null for one that is none. */
export function epochSeconds(text: string): number | null {
  if (/^\d{5,}$/.test(text)) return Number(text);
  const year = /^\d{4}$/.test(text);
  const time = Date.parse(year ? `${text}-01-01` : text);
  return Number.isNaN(time) ? null : time / 1000;
}

/** @returns seconds since 1970 at the beginning of a day, YYYY-MM-DD. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
