import type { Outputs } from "../outputs.ts";
import { openHttp } from "../targets/http.ts";

/** A server that cannot read large bodies. */
export const open = (outputs: Outputs) =>
  openHttp(outputs, {
    adjust: (runtime) => ({
      ...runtime,
      pool: { ...runtime.pool, readEnvelope: () => Promise.reject(new TypeError("no reader")) },
    }),
  });
