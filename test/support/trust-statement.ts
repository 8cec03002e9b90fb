/** One Allow of a role trust policy, in the order in which such a statement is read: who, then what. */
export function trust(Principal: unknown, Action: unknown, Condition?: object) {
  return { Effect: "Allow", Principal, Action, ...(Condition ? { Condition } : {}) };
}

/** The same for an identity provider of web identities, with claims that must be equal. */
export function web(Federated: unknown, keys: Record<string, string> = {}) {
  return trust({ Federated }, "sts:AssumeRoleWithWebIdentity", { StringEquals: keys });
}
