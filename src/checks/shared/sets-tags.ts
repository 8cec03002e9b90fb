import type { Action } from "../../services/model.ts";

/** Taking a tag off opens nothing that asks for the tag. */
const removesTags = /^(?:delete|remove|untag)/i;

/** @returns whether an action gives a resource tags. */
export function setsTags({ name, accessLevel }: Action): boolean {
  return accessLevel === "tagging" && !removesTags.test(name);
}
