import { expect, test } from "vitest";
import { maxTokenLength } from "../../spec/auth.ts";
import { bearerToken } from "./bearer.ts";

const longest = "a".repeat(maxTokenLength);

test.each([
  ["the usual form", "Bearer abc.def-_~+/==", "abc.def-_~+/=="],
  ["a scheme in lower case", "bearer abc", "abc"],
  ["a scheme in mixed case", "bEARER abc", "abc"],
  ["extra spaces around the parts", "  Bearer    abc  ", "abc"],
  ["a token that looks like the scheme", "Bearer Bearer", "Bearer"],
  ["the longest token", `Bearer ${longest}`, longest],
])("accepts %s", (_, authorization, token) => {
  expect(bearerToken(new Headers({ authorization }))).toEqual({ token });
});

const missing = { kind: "missing" };
const badRequest = (description: string) => ({ kind: "invalid_request", description });
const badToken = (description: string) => ({ kind: "invalid_token", description });
const noToken = badRequest("The Authorization header has no token.");
const notOne = badRequest("The Authorization header is not `Bearer <token>`.");
const several = badRequest("More than one credential in the Authorization header.");
const malformed = badToken("The access token is malformed.");

test.each([
  ["no header", [], missing],
  ["an empty header", [""], missing],
  ["another scheme", ["Basic YTpi"], missing],
  ["another scheme with several parameters", ['Digest username="a", realm="b"'], missing],
  ["a scheme that only starts alike", ["Bearerabc"], missing],
  ["DPoP, which is not supported", ["DPoP abc"], missing],
  ["the scheme alone", ["Bearer"], noToken],
  ["the scheme and spaces", ["Bearer    "], noToken],
  ["two tokens", ["Bearer abc def"], notOne],
  ["a tab for a blank", ["Bearer\tabc"], notOne],
  ["a no-break space, which is not a blank of HTTP", ["Bearer abc\u00a0"], notOne],
  ["a no-break space in front", ["\u00a0Bearer abc"], notOne],
  ["two headers", ["Bearer abc", "Bearer def"], several],
  ["the same header twice", ["Bearer abc", "Bearer abc"], several],
  ["two schemes", ["Basic YTpi", "bearer abc"], several],
  ["two schemes in one header", ["Basic YTpi , Bearer abc"], several],
  ["a second credential without a blank between", ["Basic YTpi,Bearer abc"], several],
  ["a scheme that only ends alike", ["XBearer abc"], missing],
  ["a comma in the token", ["Bearer abc,def"], several],
  ["a token of other characters", ["Bearer abc!"], malformed],
  ["a padding that is not at the end", ["Bearer a=b"], malformed],
  ["a token past the longest", [`Bearer ${longest}a`], badToken("The access token is too long.")],
])("refuses %s", (_, values, refusal) => {
  const headers = new Headers();
  for (const value of values) headers.append("authorization", value);
  expect(bearerToken(headers)).toEqual({ refusal });
});

test("a refusal quotes nothing of the header", () => {
  const result = bearerToken(new Headers({ authorization: "Bearer s3cr3t!" }));
  expect(JSON.stringify(result)).not.toContain("s3cr3t");
});
