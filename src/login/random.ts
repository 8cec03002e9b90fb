import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** @returns 128 random bits, 22 characters of base64url. */
export function randomId(): string {
  return randomBytes(16).toString("base64url");
}

/** Form of `randomId`. */
export const randomIdForm = /^[\w-]{22}$/;

/** @returns SHA-256 in 43 characters of base64url. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Whether two texts are the same, in a time that does not tell how much of them is. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
