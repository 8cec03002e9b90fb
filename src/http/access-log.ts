import type { Context, Env, MiddlewareHandler } from "hono";
import { type AnsweredRequest, requestFields } from "./request-fields.ts";

/**
 * Writes a line for each request when its answer begins. hono's own logger writes text, with the query.
 * @param answered What the line says of a request.
 * @param now Monotonic clock, in ms.
 */
export function accessLog<E extends Env>(
  log: { info(fields: object, message: string): void },
  answered: (context: Context<E>) => AnsweredRequest,
  now: () => number = () => performance.now(),
): MiddlewareHandler<E> {
  return async (context, next) => {
    const start = now();
    await next();
    const duration_ms = Math.round((now() - start) * 10) / 10;
    log.info({ ...requestFields(answered(context)), duration_ms }, "request");
  };
}
