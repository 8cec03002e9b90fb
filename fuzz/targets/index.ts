const file = (name: string): string => new URL(`${name}.ts`, import.meta.url).pathname;

/** What is fuzzed, and each one's share of the time. */
export const targets: readonly {
  readonly name: string;
  /** File that exports `open`. */
  readonly module: string;
  readonly share: number;
}[] = [
  { name: "documents", module: file("documents"), share: 50 },
  { name: "access", module: file("access"), share: 10 },
  { name: "fix", module: file("fix"), share: 10 },
  { name: "rpc", module: file("rpc"), share: 15 },
  { name: "http", module: file("http"), share: 10 },
  { name: "floods", module: file("floods"), share: 10 },
  { name: "jwt", module: file("jwt"), share: 5 },
  { name: "events", module: file("events"), share: 10 },
];
