import ipaddr from "ipaddr.js";
import type { ConditionType } from "./condition-operator.ts";

/** Year 3000. Larger numbers are typing errors, not times. */
const latestEpochSecond = 32_503_680_000;

const numeric = /^-?\d+(?:\.\d+)?$/;
const bool = /^(?:true|false)$/i;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const date =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(?:Z|[+-](\d{2}):(\d{2})))?)?$/;
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const ipv6 = /^[0-9A-Fa-f:.]{2,45}$/;
const prefixLength = /^\d{1,3}$/;

/** @returns Whether the text contains a policy variable. */
export function holdsVariable(text: string): boolean {
  const start = text.indexOf("${");
  return start >= 0 && text.indexOf("}", start) >= 0;
}

/** @returns Whether the text is a value of the type; booleans and numbers are given as text. */
export function isValueOf(type: ConditionType, text: string): boolean {
  switch (type) {
    case "String":
      return true;
    case "Numeric":
      return numeric.test(text);
    case "Bool":
      return isBoolean(text) || holdsVariable(text);
    case "Date":
      return isDate(text);
    case "IPAddress":
      return isIpOrCidr(text);
    case "ARN":
      return text === "*" || holdsVariable(text) || isArn(text);
    case "Binary":
      return text.length % 4 === 0 && base64.test(text);
  }
}

/** Description of the values of each type, for messages. */
export const valueFormats: Readonly<Record<ConditionType, string>> = {
  String: "any text",
  Numeric: "a decimal number such as `10` or `-2.5`",
  Bool: "`true` or `false`",
  Date: "an ISO 8601 date such as `2025-01-31T00:00:00Z`, or seconds since 1970",
  IPAddress: "an IP address or CIDR block such as `203.0.113.0/24` or `2001:db8::/32`",
  ARN: "an ARN, `arn:partition:service:region:account:resource`",
  Binary: "base64 text with padding such as `QmluYXJ5`",
};

/** @returns whether the text is `true` or `false`, in any letter case. */
export function isBoolean(text: string): boolean {
  return bool.test(text);
}

/** @returns whether the text is an IPv4 or IPv6 address or CIDR block; host bits may be set. */
export function isIpOrCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const address = slash < 0 ? text : text.slice(0, slash);
  // The library also reads octal, hexadecimal and shortened IPv4 and zone ids; IAM does not.
  const bits = ipv4.test(address)
    ? ipaddr.IPv4.isValidFourPartDecimal(address) && 32
    : ipv6.test(address) && ipaddr.IPv6.isValid(address) && 128;
  if (bits === false) return false;
  if (slash < 0) return true;
  const length = text.slice(slash + 1);
  return prefixLength.test(length) && Number(length) <= bits;
}

/** `arn:` and at least five more parts, the first four of which may be empty, the last one not. */
function isArn(text: string): boolean {
  if (!text.startsWith("arn:")) return false;
  let at = 3;
  for (let colons = 1; colons < 5; colons++) {
    at = text.indexOf(":", at + 1);
    if (at < 0) return false;
  }
  return at + 1 < text.length;
}

function isDate(text: string): boolean {
  if (/^\d+$/.test(text)) return text.length <= 20 && Number(text) <= latestEpochSecond;
  const parts = date.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  return (
    isCalendarDay(year ?? 0, month ?? 0, day ?? 1) &&
    (hour ?? 0) <= 23 &&
    (minute ?? 0) <= 59 &&
    (second ?? 0) <= 59 &&
    (offsetMinute ?? 0) <= 59 &&
    (offsetHour ?? 0) * 60 + (offsetMinute ?? 0) <= 14 * 60
  );
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
