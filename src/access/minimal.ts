import type { Steps } from "./budget.ts";
import type { AccessRequest } from "./request.ts";

/**
 * The request without the context that it does not need. Yields null after each test.
 * @param holds Whether it still answers.
 */
export function* minimal(
  request: AccessRequest,
  holds: (candidate: AccessRequest) => boolean,
): Steps<AccessRequest> {
  let least = request;
  for (const key of Object.keys(request.context).sort()) {
    const { [key]: values = [], ...rest } = least.context;
    const without = { ...least, context: rest };
    yield null;
    if (holds(without)) {
      least = without;
      continue;
    }
    for (const value of values.length > 1 ? values : []) {
      const fewer = (least.context[key] ?? []).filter((other) => other !== value);
      if (fewer.length === 0) break;
      const candidate = { ...least, context: { ...least.context, [key]: fewer } };
      yield null;
      if (holds(candidate)) least = candidate;
    }
  }
  return yield* withoutPlaceholders(least, holds);
}

function* withoutPlaceholders(
  request: AccessRequest,
  holds: (candidate: AccessRequest) => boolean,
): Steps<AccessRequest> {
  let least = request;
  for (const name of Object.keys(request.placeholders ?? {}).sort()) {
    const { [name]: _, ...rest } = least.placeholders ?? {};
    const { placeholders: _all, ...bare } = least;
    const without = Object.keys(rest).length > 0 ? { ...bare, placeholders: rest } : bare;
    yield null;
    if (holds(without)) least = without;
  }
  return least;
}
