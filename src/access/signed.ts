import type { QuestionOptions } from "./answers.ts";
import { accountsIn } from "./asking.ts";
import { isAllowed } from "./confirm.ts";
import type { AccessDocument, AccessType } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import type { AccessRequest } from "./request.ts";
import { settingOf } from "./setting.ts";

/**
 * The request of a caller without a signature, made by a role of an account that the document does not name and that
 * is in no organization.
 * @returns null where the document does not allow that one, or the request is signed.
 */
export function signedLike(
  request: AccessRequest,
  document: AccessDocument,
  type: AccessType,
  options: QuestionOptions,
): AccessRequest | null {
  if (request.principal.type !== "Anonymous") return null;
  const named = accountsIn([document]);
  const account = ["999999999999", "888888888888"].find((one) => !named.has(one));
  if (account === undefined) return null;
  const arn = `arn:aws:iam::${account}:role/example-role`;
  const ofCaller = new Map([
    ["aws:principalarn", arn],
    ["aws:principalaccount", account],
    ["aws:principaltype", "AssumedRole"],
    ["aws:userid", "AROAEXAMPLE:example-session"],
    ["aws:principalisawsservice", "false"],
  ]);
  const { keys, usedKeys } = settingOf([document], type, options);
  const kept = Object.entries(request.context).filter(([key]) => !ofCaller.has(key.toLowerCase()));
  const added = usedKeys.flatMap((key) => {
    const value = ofCaller.get(key);
    return value === undefined ? [] : [[keys.get(key).spelling, [value]] as const];
  });
  const signed: AccessRequest = {
    ...request,
    principal: { type: "AWS", arn, session: "example-session" },
    context: Object.fromEntries([...kept, ...added]),
  };
  return isAllowed(evaluate(document, type, signed, keys)) === "yes" ? signed : null;
}
