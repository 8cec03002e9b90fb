import type { AuthContext } from "../../auth/context.ts";
import type { LoginEvents } from "../events.ts";
import type { LoginSettings } from "../settings.ts";
import type { Calls } from "./calls.ts";

/** Options of every provider. */
export interface UpstreamOptions {
  readonly context: AuthContext;
  readonly settings: LoginSettings;
  /** Our client at the provider. */
  readonly client: { readonly id: string; readonly secret: string };
  /** `<base>/oauth/callback`. */
  readonly callback: string;
  readonly calls: Calls;
  readonly events: LoginEvents;
}
