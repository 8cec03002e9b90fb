/** Who calls. */
export type RequestPrincipal =
  | { readonly type: "AWS"; readonly arn: string; readonly session?: string | undefined }
  | { readonly type: "Service"; readonly name: string }
  | { readonly type: "Federated"; readonly name: string }
  | { readonly type: "CanonicalUser"; readonly name: string }
  | { readonly type: "Anonymous" };

/** One request, as the questions model it. */
export interface AccessRequest {
  readonly principal: RequestPrincipal;
  /** `service:Name`. */
  readonly action: string;
  /** An ARN, or `*` for an action that works on no resource. */
  readonly resource: string;
  /** Condition key to values, never empty; an absent key is absent. */
  readonly context: Readonly<Record<string, readonly string[]>>;
  /** Placeholder of a template to text. */
  readonly placeholders?: Readonly<Record<string, string>> | undefined;
}
