/** AWS service reference data as checks use it. Every look-up ignores letter case. */
export interface Service {
  /** Lower case, e.g. `s3`. */
  readonly prefix: string;
  /** In code-point order of their names. */
  readonly actions: readonly Action[];
  action(name: string): Action | undefined;
  readonly resourceTypes: readonly ResourceType[];
  resourceType(name: string): ResourceType | undefined;
  readonly conditionKeys: readonly ConditionKey[];
  /** The key of the service whose name matches, placeholders included. */
  conditionKey(name: string): ConditionKey | undefined;
}

export type AccessLevel =
  | "permissions-management"
  | "tagging"
  | "write"
  | "list"
  | "read"
  | "Unknown";

export interface Action {
  /** Lower-case prefix. */
  readonly service: string;
  /** AWS's spelling. */
  readonly name: string;
  /** `service:Name`. */
  readonly qualified: string;
  readonly accessLevel: AccessLevel;
  /** Names of resource types; empty: the action supports only the resource `*`. */
  readonly resourceTypes: readonly string[];
  /** Action-level condition keys, as the data spells them. */
  readonly conditionKeys: readonly string[];
  readonly description: string | null;
  /**
   * @returns Whether the key matches a key of the action or of one of its resource types,
   * placeholders included.
   */
  supportsKey(key: string): boolean;
}

export interface ResourceType {
  readonly name: string;
  readonly arnFormats: readonly string[];
  readonly conditionKeys: readonly string[];
}

export interface ConditionKey {
  /** As the data spells it, placeholders included. */
  readonly name: string;
  /** `String`, `ArrayOfString`, `ARN`, `Bool`, ... as the data spells them. */
  readonly types: readonly string[];
  readonly description: string | null;
}

/** Services already in memory. Checks get only this view of the data. */
export interface ServiceLookup {
  /** @returns undefined if the service is unknown or not loaded. */
  get(prefix: string): Service | undefined;
  /** All known prefixes, sorted, loaded or not. */
  readonly prefixes: readonly string[];
  /**
   * The prefixes of all services that have an action of this very name, letter case included. Absent
   * where not all services are available.
   */
  readonly withAction?: (name: string) => readonly string[];
  /** Day of the data, `YYYY-MM-DD`. */
  readonly date: string;
}

type ServiceDataSource = "embedded" | "directory" | "remote";

/** A source of services. One per process. */
export interface ServiceData extends ServiceLookup {
  readonly source: ServiceDataSource;
  /** SHA-256 over the data, hex. */
  readonly hash: string;
  /**
   * Loads services into memory. Unknown prefixes are ignored.
   * @param prefixes Any letter case, at most a few hundred.
   */
  load(prefixes: Iterable<string>, signal?: AbortSignal): Promise<void>;
  /** Loads the service list and the common services; resolves when the server is ready. */
  warmUp(signal?: AbortSignal): Promise<void>;
}

/** Result of looking up a policy's action in the reference data. */
export type ActionMatch =
  /** `*`, `**`, `*:*`: all actions. */
  | { readonly kind: "any" }
  /** Not `service:Name`. */
  | { readonly kind: "malformed" }
  | { readonly kind: "unknown_service"; readonly service: string }
  | { readonly kind: "unknown_action"; readonly service: Service; readonly name: string }
  | { readonly kind: "action"; readonly service: Service; readonly action: Action }
  /** A pattern; `actions` sorted by code point, empty if nothing matches. */
  | { readonly kind: "pattern"; readonly service: Service; readonly actions: readonly Action[] };

/** What a source knows of one service, before it is compiled for look-ups. */
export interface ServiceFacts {
  /** Lower case. */
  readonly prefix: string;
  readonly actions: readonly ActionFacts[];
  readonly resourceTypes: readonly ResourceType[];
  readonly conditionKeys: readonly Omit<ConditionKey, "description">[];
  /** Called once at most, when the first description is asked for. */
  descriptions(): Descriptions;
}

export interface ActionFacts {
  readonly name: string;
  readonly accessLevel: AccessLevel;
  readonly resourceTypes: readonly string[];
  readonly conditionKeys: readonly string[];
}

/** In the order of `actions` and `conditionKeys` of the facts; absent or empty: none is known. */
export interface Descriptions {
  readonly actions: readonly (string | null)[];
  readonly conditionKeys: readonly (string | null)[];
}

/** Where a source of service data says what went wrong; a pino logger fits. */
export interface ServiceLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}
