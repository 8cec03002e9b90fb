import type { Health, Ready } from "../../spec/health.ts";
import type { Runtime } from "../runtime.ts";

function identity({ version, digest, configSource }: Runtime) {
  return { version, config_digest: digest, config_source: configSource };
}

/** The payload of `GET /health`; `uptime_s` in seconds with one decimal. */
export function health(runtime: Runtime): Health {
  const uptime = (performance.now() - runtime.startedAt) / 1000;
  return {
    status: "ok",
    uptime_s: Math.max(0, Math.round(uptime * 10) / 10),
    ...identity(runtime),
  };
}

/** Config and registry exist whenever a runtime does; the reference data may still be on its way. */
export function ready(runtime: Runtime): Ready {
  const warm = runtime.isWarm();
  return {
    status: warm ? "ready" : "not_ready",
    checks: { config_resolved: true, registry_built: true, aws_data_ready: warm },
    ...identity(runtime),
  };
}
