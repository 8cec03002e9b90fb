import { totalmem } from "node:os";

/** @returns bytes this process may use: the container's limit where there is one, else the machine's memory. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  // 0, or more than there is: no limit.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
