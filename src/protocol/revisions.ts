/** The protocol revision without a handshake: every request says itself what it needs. */
export const modernRevision = "2026-07-28";

/** Revisions with a handshake, newest first; each is driven by the contract tests. */
export const olderRevisions: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];
