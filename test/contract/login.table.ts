import type { OAuthError } from "../../spec/login.ts";
import type { Parameters, Reply, Visitor } from "../support/login/visitor.ts";

/** Fronts that the rows are about; each is started once. */
export type FrontName = "github" | "documents" | "no refresh" | "path" | "strict" | "azure" | "off";

/** What a row may do: ask the front, as a client and as the person's browser. */
export interface Visit {
  readonly visitor: Visitor;
  readonly base: string;
  /** Seals a value under a key and base of one's own, at a time in the past. */
  seal(
    purpose: "consent" | "login" | "code" | "refresh",
    changes?: object,
    options?: SealOptions,
  ): Promise<string>;
  /** Signs an access token as the front does. */
  sign(changes?: object, header?: object, options?: SealOptions): Promise<string>;
  /** Changes how GitHub behaves during this row. */
  readonly github: {
    fail(answer: () => Response): void;
    user(user: { id: number; login: string }): void;
    useApp(): void;
  };
}

export interface SealOptions {
  readonly key?: string;
  readonly base?: string;
  /** Seconds by which the value is older. */
  readonly ageS?: number;
}

/** What the answer is; whole headers follow from the kind. */
export type Expected =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: object;
      readonly extra?: Record<string, string>;
    }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly error: OAuthError;
      readonly extra?: Record<string, string>;
    }
  | { readonly kind: "document"; readonly body: object }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly says: RegExp;
      readonly cookies?: RegExp | undefined;
      readonly extra?: Record<string, string>;
    }
  | {
      readonly kind: "redirect";
      readonly error?: OAuthError;
      readonly state?: string | null;
      readonly to?: RegExp;
      readonly cookies?: RegExp;
    }
  | { readonly kind: "preflight"; readonly methods: "GET" | "POST" }
  | { readonly kind: "method"; readonly allow: string }
  | { readonly kind: "absent" }
  | { readonly kind: "mcp"; readonly status: number };

export interface Row {
  /** Clause of the contract, and the input. */
  readonly name: string;
  readonly front?: FrontName;
  ask(visit: Visit): Promise<Reply>;
  readonly answer: Expected;
  /** Where it cannot be asked; default: everywhere. */
  readonly not?: readonly ("in process" | "events" | "container")[];
}

export const P = {
  consent: /<h1>Allow “<bdi>Trial<\/bdi>” to use the IAM policy validator\?<\/h1>/,
  unknownClient: /This app is not known here/,
  redirect: /has not registered or that this server does not allow/,
  noRequest: /This is not a login request/,
  document: /description at .* could not be used/,
  consentStale: /was not opened in this browser, or is older than ten minutes/,
  loginStale: /begun in another browser, or more than ten minutes ago/,
  provider:
    /does not come from this server&#39;s identity provider|does not come from this server's identity provider/,
  back: /Go back to the app/,
} as const;

export const page = (status: number, says: RegExp, cookies?: RegExp): Expected => ({
  kind: "page",
  status,
  says,
  cookies,
});
export const error = (
  status: number,
  code: OAuthError,
  extra?: Record<string, string>,
): Expected => ({
  kind: "error",
  status,
  error: code,
  ...(extra && { extra }),
});
/** An error that the client is told by its redirect. */
export const told = (code: OAuthError, state: string | null = "client-state"): Expected => ({
  kind: "redirect",
  error: code,
  state,
});
export const ok = (body: object): Expected => ({ kind: "json", status: 200, body });

/** Rows that differ in one parameter. */
export function each<Value>(
  values: Readonly<Record<string, Value>>,
  row: (value: Value, name: string) => Omit<Row, "name">,
  clause: string,
): Row[] {
  return Object.entries(values).map(([name, value]) => ({
    name: `${clause}: ${name}`,
    ...row(value, name),
  }));
}

export type { Parameters };
