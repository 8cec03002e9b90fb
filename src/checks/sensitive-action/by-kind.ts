import type { Action, Service } from "../../services/model.ts";
import { typesTogether } from "../shared/grants/types-together.ts";
import { sampleArns } from "../shared/sample-arn.ts";

/** Whether a call works on instances and on a document, as `ssm:SendCommand` does. */
export function needsDocument(action: Action): boolean {
  const kinds = typesTogether(action) ?? [];
  return kinds.length > 1 && kinds.some((types) => types.includes("document"));
}

/** Sample ARNs of the action: instances in any Region and account, which a tag limits, and what else the call needs. */
export function formsByKind(
  action: Action,
  service: Service,
): { readonly tagged: readonly string[]; readonly rest: readonly string[] } {
  const wanted = (typesTogether(action) ?? []).flat();
  const forms = sampleArns(action, service, Number.POSITIVE_INFINITY).filter((arn) =>
    wanted.some((type) => arn.includes(`:${type}/`)),
  );
  const isInstance = (arn: string) => /:(?:managed-)?instance\//.test(arn);
  return {
    tagged: forms.filter(isInstance).map((arn) => {
      const [, , owner = "", , , resource = ""] = arn.split(":");
      return `arn:aws:${owner}:*:*:${resource.split("/")[0]}/*`;
    }),
    rest: forms.filter((arn) => !isInstance(arn)),
  };
}
