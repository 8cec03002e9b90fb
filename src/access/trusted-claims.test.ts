import { describe, expect, test } from "vitest";
import { tokenText } from "../../test/support/token-text.ts";
import { readDocument } from "./document.ts";
import { Variables } from "./read-pattern.ts";
import { type SharedProvider, sharedProvider } from "./shared-providers.ts";
import { TrustedValues } from "./trusted.ts";

type Condition = Readonly<Record<string, object>>;

const hub = "token.actions.githubusercontent.com";
const oldHub = "vstoken.actions.githubusercontent.com";
const gitLab = "gitlab.com";
const vercel = "oidc.vercel.com";

function read(Condition: Condition): TrustedValues {
  const Statement = { Effect: "Allow", Principal: "*", Action: "*", Condition };
  const document = readDocument({ Version: "2012-10-17", Statement }, "trust");
  return new TrustedValues(document, new Variables(), []);
}

function shared(issuer: string): SharedProvider {
  const provider = sharedProvider(issuer);
  if (!provider) throw new Error("The provider is not shared.");
  return provider;
}

/** The claims of the provider that are tested, each with its trusted values. */
function claims(issuer: string, conditions: Condition, takesUnknown = true) {
  const found = [...read(conditions).claims(issuer, shared(issuer), takesUnknown)];
  return Object.fromEntries(
    found.map(([key, patterns]) => [
      key.replace(`${issuer}:`, ""),
      patterns.map(({ tokens }) => tokenText(tokens)),
    ]),
  );
}

describe("claims of a shared provider", () => {
  type Values = Readonly<Record<string, string | readonly string[]>>;
  const keyed = (issuer: string, values: Values) =>
    Object.fromEntries(
      Object.entries(values).map(([claim, value]) => [`${issuer}:${claim}`, value]),
    );

  test.each<readonly [issuer: string, values: Values, expected: Values]>([
    [
      hub,
      { sub: "repo:octo/app:ref:refs/heads/main" },
      { sub: ["repo:octo/app:ref:refs/heads/main"] },
    ],
    [hub, { sub: ["repo:octo/*", "repo:octo@1/*"] }, { sub: ["repo:octo/*", "repo:octo@1/*"] }],
    [
      hub,
      { sub: ["repo:octo*", "repo:*/app:*", "repo:oct?/*", "repo:/*", "*", "repo:*"] },
      { sub: [] },
    ],
    [hub, { sub: ["repo:octo", "repo:", "rep"] }, { sub: ["repo:octo"] }],
    [
      hub,
      { sub: ["repository_owner:octo:*", "repository_owner:octo"] },
      { sub: ["repository_owner:octo:*", "repository_owner:octo"] },
    ],
    [hub, { sub: ["repository_owner:octo*", "repository_owner:*"] }, { sub: [] }],
    [
      hub,
      { sub: ["repository:octo/*", "enterprise_id:1:*"] },
      { sub: ["repository:octo/*", "enterprise_id:1:*"] },
    ],
    [hub, { sub: ["environment:prod", "job_workflow_ref:octo/app/*", "prod"] }, { sub: [] }],
    [hub, { sub: ["octo/*", "octo/app:ref:x"] }, { sub: ["octo/*", "octo/app:ref:x"] }],
    [hub, { sub: "repo:${aws:username}/*" }, { sub: [] }],
    [hub, { sub: "repo:octo/${aws:username}" }, { sub: ["repo:octo/{0}"] }],
    [
      hub,
      { sub: ["repo:${aws:ResourceAccount}/*", "repo:${aws:ResourceAccount}*"] },
      { sub: ["repo:{0}/*"] },
    ],
    [hub, { repository_owner: ["octo", "octo-*"] }, { repository_owner: ["octo"] }],
    [hub, { repository_owner: "octo/*" }, { repository_owner: [] }],
    [
      hub,
      { repository: ["octo/app", "octo/*", "octo*", "octo"] },
      { repository: ["octo/app", "octo/*", "octo"] },
    ],
    [
      hub,
      { repository_id: "1", aud: "sts.amazonaws.com", job_workflow_ref: "octo/app/a" },
      { repository_id: ["1"] },
    ],
    [
      gitLab,
      { sub: ["project_path:octo/*", "project_path:octo*", "custom"] },
      { sub: ["project_path:octo/*", "custom"] },
    ],
    [
      gitLab,
      { namespace_path: ["octo/*", "octo*"], project_path: "octo/*" },
      { namespace_path: ["octo/*"], project_path: ["octo/*"] },
    ],
    [
      vercel,
      {
        aud: [
          "https://vercel.com/octo",
          "https://vercel.com/octo*",
          "https://vercel.com/",
          "https://vercel.com/*",
        ],
      },
      { aud: ["https://vercel.com/octo"] },
    ],
    [vercel, { sub: ["owner:octo:*", "owner:octo*"] }, { sub: ["owner:octo:*"] }],
    [
      "app.terraform.io",
      { sub: ["organization:octo:*", "organization:octo*"] },
      { sub: ["organization:octo:*"] },
    ],
    [
      "agent.buildkite.com",
      { sub: ["organization:octo:*", "organization:*", "pipeline:web:*", "pipe*"] },
      { sub: ["organization:octo:*", "pipeline:web:*"] },
    ],
    ["accounts.google.com", { aud: ["a", "a*"], sub: "1", email: "b" }, { aud: ["a"], sub: ["1"] }],
    [hub, {}, {}],
  ])("%s %j: %j", (issuer, values, expected) => {
    expect(claims(issuer, { StringLike: keyed(issuer, values) })).toEqual(expected);
  });

  test("of another provider are not its own", () => {
    expect(claims(hub, { StringEquals: keyed(gitLab, { sub: "a" }) })).toEqual({});
  });

  test("are read in any letter case where the operator says so", () => {
    const values = keyed(hub, { sub: ["REPO:Octo/App", "Environment:a"] });
    const [octo] = claims(hub, { StringEqualsIgnoreCase: values }).sub ?? [];
    expect(octo).toBe("<r><e><p><o>:<o><c><t><o>/<a><p><p>");
    expect(claims(hub, { StringEquals: values })).toEqual({ sub: [] });
  });

  test.each<readonly [issuer: string, claim: string, value: string, isFixed: boolean]>([
    [hub, "sub", "${Subject}", true],
    [hub, "sub", "${Subject}*", false],
    [hub, "sub", "${Subject}:*", true],
    [hub, "sub", "repo:${Repository}:*", true],
    [hub, "sub", "repo:${Owner}/*", true],
    [hub, "sub", "repo:${Owner}*", false],
    [hub, "sub", "repo:${Owner}?", false],
    [hub, "sub", "repo:${Repository}:${aws:username}", true],
    [hub, "sub", "repo:octo-${Suffix}/*", true],
    [hub, "sub", "repo:octo${Rest}:*", true],
    [hub, "sub", "repo:*${Owner}/a", false],
    [hub, "sub", "*${Owner}/a", false],
    [hub, "sub", "re${Rest}/a*", true],
    [hub, "sub", "environment:${Name}:*", false],
    [hub, "sub", "environment:${Name}", false],
    [hub, "repository", "${Owner}/*", true],
    [hub, "repository_owner", "${Owner}", true],
    [hub, "repository_owner", "${Owner}-*", false],
    [gitLab, "sub", "project${Rest}:*", true],
    [gitLab, "sub", "path:${Group}/*", false],
    [vercel, "aud", "https://vercel.com/${Team}", true],
    [vercel, "aud", "https://vercel.com/${Team}*", false],
    [vercel, "aud", "https://vercel.com/${Team}-*", false],
    [vercel, "aud", "${Audience}", true],
    [vercel, "aud", "https://example.com/${Team}", false],
  ])("a placeholder in %s:%s %s", (issuer, claim, value, isFixed) => {
    const found = claims(issuer, { StringLike: { [`${issuer}:${claim}`]: value } });
    expect(found[claim]).toHaveLength(isFixed ? 1 : 0);
  });
});

describe("a subject of a provider whose form is not known", () => {
  test.each([
    ["repo:octo/*", true, ["repo:octo/*"], []],
    ["a?", true, ["a?"], []],
    ["exact", false, ["exact"], ["exact"]],
    ["*", false, [], []],
    ["??*", false, [], []],
    ["${Subject}", false, ["{0}"], ["{0}"]],
    ["${Subject}*", true, ["{0}*"], []],
  ])("%s", (value, isUnknown, taken, fixed) => {
    const conditions = { StringLike: { [`${oldHub}:sub`]: value } };
    expect(read(conditions).hasUnknownSubject(oldHub, shared(oldHub))).toBe(isUnknown);
    expect(claims(oldHub, conditions)).toEqual({ sub: taken });
    expect(claims(oldHub, conditions, false)).toEqual({ sub: fixed });
  });

  test("is one of several", () => {
    const conditions = { StringLike: { [`${oldHub}:sub`]: ["exact", "a*"] } };
    expect(read(conditions).hasUnknownSubject(oldHub, shared(oldHub))).toBe(true);
  });

  test("is the subject alone, and of those providers alone", () => {
    const conditions = { StringLike: { [`${hub}:sub`]: "repo:octo*", [`${oldHub}:aud`]: "a*" } };
    expect(read(conditions).hasUnknownSubject(hub, shared(hub))).toBe(false);
    expect(claims(hub, conditions)).toEqual({ sub: [] });
    expect(claims(oldHub, conditions)).toEqual({});
  });
});
