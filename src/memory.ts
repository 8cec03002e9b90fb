import { totalmem } from "node:os";

/** @returns Memory available to this process, in bytes: the container's limit, else the machine's memory. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  // Zero, or more than the machine has, means no limit.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
