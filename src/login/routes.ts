import { type Context, Hono } from "hono";
import { documentMaxAgeS, notAllowed, preflight, publicDocument } from "../auth/public-document.ts";
import { json } from "./answers.ts";
import { authorizeRoute } from "./authorize.ts";
import { callbackRoute } from "./callback.ts";
import { consentRoute } from "./consent.ts";
import type { Front, Route } from "./front.ts";
import { authorizationServerMetadata, metadataPaths } from "./metadata.ts";
import { defectPage } from "./pages.ts";
import { LoginRefusal } from "./refusal.ts";
import { registerRoute } from "./register.ts";
import { revokeRoute } from "./revoke.ts";
import { tokenRoute } from "./token.ts";

/** What the platform tells the app of a request. */
interface PlatformBindings {
  readonly lambdaContext?: { getRemainingTimeInMillis(): number };
}
type Bindings = { Bindings: PlatformBindings };

export interface LoginRoutes {
  /** The routes, for mounting at the root. */
  readonly app: Hono<Bindings>;
  /** Paths that browsers navigate to, before which the Host of a request is checked. */
  readonly browserPaths: readonly string[];
}

const browserPaths = ["/oauth/authorize", "/oauth/consent", "/oauth/callback"] as const;

/** @param defect logs an unexpected error and returns the id of its line. */
export function mountRoutes(front: Front, defect: (error: unknown) => string): LoginRoutes {
  const app = new Hono<Bindings>();
  const { events, upstream } = front;

  /** Runs a route; refusals are logged and answered here, whatever they were thrown by. */
  const run = async (
    c: Context<Bindings>,
    route: Route,
    onDefect: (id: string) => Response | Promise<Response>,
  ): Promise<Response> => {
    const remainingMs = c.env?.lambdaContext?.getRemainingTimeInMillis();
    try {
      return await route(c.req.raw, { remainingMs });
    } catch (error) {
      if (!(error instanceof LoginRefusal)) return onDefect(defect(error));
      events.refused(error.reason, error.detail);
      return error.answer;
    }
  };

  const metadata = authorizationServerMetadata(front);
  for (const path of metadataPaths(front.settings.base)) {
    app.all(path, (c) => publicDocument(c.req.raw.method, metadata, documentMaxAgeS));
  }
  const pages = {
    "/oauth/authorize": { methods: ["GET", "HEAD"], route: authorizeRoute(front) },
    "/oauth/consent": { methods: ["POST"], route: consentRoute(front) },
    "/oauth/callback": { methods: ["GET", "HEAD"], route: callbackRoute(front) },
  };
  for (const [path, { methods, route }] of Object.entries(pages)) {
    app.all(path, async (c) =>
      methods.includes(c.req.raw.method)
        ? run(c, route, defectPage)
        : notAllowed(methods.join(", ")),
    );
  }
  const endpoints: Record<string, Route> = {
    "/oauth/register": registerRoute(front),
    "/oauth/token": tokenRoute(front),
    ...(upstream.revoke && { "/oauth/revoke": revokeRoute(front, upstream.revoke) }),
  };
  for (const [path, route] of Object.entries(endpoints)) {
    app.all(path, async (c) => {
      const { method } = c.req.raw;
      if (method === "OPTIONS") return preflight("POST");
      return method === "POST" ? run(c, route, defectJson) : notAllowed("POST, OPTIONS");
    });
  }
  return { app, browserPaths };
}

function defectJson(id: string): Response {
  return json(500, {
    error: "server_error",
    error_description: `Internal error; see ${id} in the log.`,
  });
}
