import { afterEach, expect, test, vi } from "vitest";
import { epochSeconds } from "./dates.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test.for<readonly [text: string, utc: string]>([
  ["2026-07-01T12:00:00", "2026-07-01T12:00:00Z"],
  ["2026-07-01T12:00", "2026-07-01T12:00:00Z"],
  ["2026-07-01T12:00:00.500", "2026-07-01T12:00:00.500Z"],
  ["2026-07-01", "2026-07-01T00:00:00Z"],
  ["2026-07", "2026-07-01T00:00:00Z"],
  ["2026", "2026-01-01T00:00:00Z"],
  ["2026-07-01T12:00:00+02:00", "2026-07-01T10:00:00Z"],
])("%s is the same time wherever the server runs", ([text, utc]) => {
  vi.stubEnv("TZ", "America/New_York");
  expect(epochSeconds(text)).toBe(Date.parse(utc) / 1000);
});
