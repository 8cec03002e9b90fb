/** Why `/mcp` rejected a request before a tool was called. */
export const refusalReasons = [
  "missing",
  "invalid_request",
  "invalid_token",
  "insufficient_scope",
  "origin",
  "host",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
