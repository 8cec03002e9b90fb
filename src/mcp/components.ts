import type { Components } from "./component.ts";
import { prompts } from "./prompts.ts";
import { resources, resourceTemplates } from "./resources.ts";

/** Everything that is not a tool, in the order lists show it. */
export const components: Components = { resources, resourceTemplates, prompts };
