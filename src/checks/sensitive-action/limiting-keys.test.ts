import { expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import { limitingKeys } from "./limiting-keys.ts";

test("every key is one that the reference lists for an action of its service", async () => {
  const services = embeddedServices();
  await services.load(Object.keys(limitingKeys));
  const unknown = Object.entries(limitingKeys).flatMap(([prefix, keys]) =>
    keys.filter(
      (key) =>
        !services
          .get(prefix)
          ?.actions.some((action) => action.supportsKey(key.replace("…", "team"))),
    ),
  );
  expect(unknown).toEqual([]);
});
