import type { Severity } from "../../../spec/severity.ts";
import type { Action, Service } from "../../services/model.ts";
import type { SensitiveCategoryId } from "./catalogue.ts";

/** An action that the reference knows. */
export interface KnownAction {
  readonly action: Action;
  readonly service: Service;
}

/** What is known of a sensitive action whatever the policy says, worked out once. */
export interface Sensitive {
  /** In AWS's spelling; as written where the reference does not know the action. */
  readonly name: string;
  readonly known: KnownAction | null;
  /** Undefined for actions of the operator's own. */
  readonly category: SensitiveCategoryId | undefined;
  /** The severity that the catalogue gives; undefined for actions that it does not have. */
  readonly listed: Severity | undefined;
  /** It is `high` on every resource, whatever its category says. */
  readonly isWideOnly: boolean;
  /** It counts on every resource only. */
  readonly countsOnlyWide: boolean;
}
