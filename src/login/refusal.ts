import type { RefusedReason } from "../../spec/login.ts";

/** What the log may say of a refusal beside its reason. */
export interface RefusalDetail {
  readonly client?: string | undefined;
  readonly redirect?: string | undefined;
  /** The provider's own word for an error, `[a-z_]{1,40}`. */
  readonly providerError?: string | undefined;
  /** Something the operator has to fix: logged as an error. */
  readonly isOurs?: boolean;
}

/** Ends a request of the front with an answer. Thrown anywhere below a route, caught once where routes are mounted. */
export class LoginRefusal extends Error {
  override name = "LoginRefusal";
  readonly reason: RefusedReason;
  readonly answer: Response;
  readonly detail: RefusalDetail;
  constructor(reason: RefusedReason, answer: Response, detail: RefusalDetail = {}) {
    super(reason);
    this.reason = reason;
    this.answer = answer;
    this.detail = detail;
  }
}
