import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editorRedirects, maxRedirectLength } from "../../spec/login.ts";
import {
  hasReservedQuery,
  isLoopbackRedirect,
  isPrivateScheme,
  isRegistered,
  parseRedirectRules,
  redirectLabel,
  withAnswer,
} from "./redirects.ts";

function allowed(redirect: string, entries = ["loopback", "editors"]): boolean {
  const parsed = parseRedirectRules(entries);
  if ("place" in parsed) throw new Error(`place ${parsed.place}`);
  return parsed.rules.allows(redirect);
}
const placeOf = (...entries: string[]) => {
  const parsed = parseRedirectRules(entries);
  return "place" in parsed ? parsed.place : undefined;
};

describe("a redirect to this computer", () => {
  test.each([
    "http://127.0.0.1",
    "http://127.0.0.1/",
    "http://127.0.0.1?a=1",
    "http://127.0.0.1:1/callback?a=~%20[]",
    "https://127.0.0.1:65535/callback",
    "http://[::1]:4711/callback",
    "http://localhost:0/",
  ])("%s", (redirect) => {
    expect(isLoopbackRedirect(redirect)).toBe(true);
    expect(allowed(redirect, ["loopback"])).toBe(true);
    expect(allowed(redirect, ["editors"])).toBe(false);
    expect(isPrivateScheme(redirect)).toBe(false);
    expect(redirectLabel(redirect)).toBe("loopback");
  });

  test.each([
    "http://127.0.0.1:65536/",
    "http://127.0.0.1:123456/",
    "http://127.0.0.1:/",
    "http://127.0.0.1:a/",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1x/",
    "http://127a0.0.1/",
    "http://127.0a0.1/",
    "http://127.0.0a1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0.0.0.0/",
    "http://[::ffff:127.0.0.1]/",
    "http://localhost.evil.example/",
    "http://localhost@evil.example/",
    "http://user@localhost/",
    "HTTP://localhost/",
    "xhttp://localhost/",
    "ftp://localhost/",
    "httpss://localhost/",
    "http:localhost/",
    "http:/localhost/",
    "http:///callback",
    "http://evil.example/",
  ])("%s is not one", (redirect) => {
    expect(isLoopbackRedirect(redirect)).toBe(false);
    expect(allowed(redirect)).toBe(false);
  });
});

describe("the form of a redirect", () => {
  test.each([...' "<>\\^`{|}\t\n\r\0\u007fé#'])("%j is in none", (character) => {
    expect(allowed(`http://127.0.0.1/a${character}b`)).toBe(false);
    expect(placeOf(`https://app.example/a${character}b`)).toBe(1);
  });
  test.each([..."!$%&'()*+,-./09:;=?@AZ[]_az~"])("%j may be in it", (character) => {
    expect(allowed(`http://127.0.0.1/a${character}b`)).toBe(true);
  });
  test("has a bound", () => {
    const longest = "http://127.0.0.1/".padEnd(maxRedirectLength, "a");
    expect(allowed(longest)).toBe(true);
    expect(allowed(`${longest}a`)).toBe(false);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://app.example/x",
    "about:blank",
    "filesystem:https://app.example/x",
    "view-source:https://app.example/",
    "intent://x",
    "mailto:a@b.example",
    "ms-settings:x",
    "ms-:x",
    "ws://app.example/",
    "wss://app.example/",
    "http://app.example/",
    "https://user@app.example/",
    "https://user:password@app.example/cb",
    "com.example.app://user@host/cb",
    "https://",
    "https:///cb",
    "https:app.example/cb",
    "https://app.example:99999/cb",
    "HTTPS://app.example/cb",
    "Com.example:/cb",
    "1app:/cb",
    "app:",
    "app",
    "",
    "*",
    "https://*.example/cb",
    "https://app.example/*/cb",
    "https://app.example/a?b/*",
    "https://app.example/**",
    "https://app.example/a*/*",
    "http://app.example/*",
    "app://host/*",
  ])("%j is not an entry", (entry) => {
    expect(placeOf("loopback", entry)).toBe(2);
  });
  test.each([
    "https://app.example/cb",
    "https://app.example/cb?a=@",
    "https://app.example:8443/@cb",
    "com.example.app:/cb",
    "app+1.x-y:cb",
    "xms-app:/cb",
    "dataset:/cb",
    "wsx:/cb",
    "xws:/cb",
    "app://host/path@x",
    "http://localhost:3000/cb",
  ])("%s is an entry, and allows itself only", (entry) => {
    expect(allowed(entry, [entry])).toBe(true);
    expect(allowed(`${entry}x`, [entry])).toBe(false);
    expect(allowed(entry, ["editors"])).toBe(false);
  });

  test("editors are those of the list", () => {
    for (const each of editorRedirects) {
      expect(allowed(each)).toBe(true);
      expect(allowed(each, ["loopback"])).toBe(false);
      expect(allowed(`${each}/`)).toBe(false);
    }
  });
});

describe("an entry with a last segment of any name", () => {
  const entries = ["https://app.example/oauth/*"];
  test.each(["a", "Ab_1", "a.b", "a-~", "...", ".a", "a..", "09zAZ"])("%s", (segment) => {
    expect(allowed(`https://app.example/oauth/${segment}`, entries)).toBe(true);
  });
  test.each(["", ".", "..", "a/b", "a?b", "a%2fb", "a:b", "a@", "/a", "a/"])(
    "not %j",
    (segment) => {
      expect(allowed(`https://app.example/oauth/${segment}`, entries)).toBe(false);
    },
  );
  test("of no other path or host", () => {
    expect(allowed("https://app.example/oauthx/a", entries)).toBe(false);
    expect(allowed("https://app.example/oauth", entries)).toBe(false);
    expect(allowed("https://x.example/https://app.example/oauth/a", entries)).toBe(false);
  });
});

describe("a registered redirect", () => {
  const registered = ["http://127.0.0.1:4711/callback?a=1", "https://app.example/cb"];
  test.each([
    "http://127.0.0.1:4711/callback?a=1",
    "http://127.0.0.1/callback?a=1",
    "http://localhost:9/callback?a=1",
    "http://[::1]:9/callback?a=1",
    "https://app.example/cb",
  ])("%s", (redirect) => expect(isRegistered(redirect, registered)).toBe(true));
  test.each([
    "https://127.0.0.1:4711/callback?a=1",
    "http://127.0.0.1:4711/callback",
    "http://127.0.0.1:4711/callback?a=2",
    "http://127.0.0.1:4711/Callback?a=1",
    "http://127.0.0.1:4711/callback/?a=1",
    "https://app.example:443/cb",
    "https://app.example/cb?",
    "https://localhost/cb",
  ])("not %s", (redirect) => expect(isRegistered(redirect, registered)).toBe(false));
  test("an empty path is the root", () => {
    expect(isRegistered("http://localhost:1", ["http://127.0.0.1:33418/"])).toBe(true);
    expect(isRegistered("http://localhost:1?a", ["http://127.0.0.1:33418/?a"])).toBe(true);
    expect(isRegistered("http://localhost:1?a", ["http://127.0.0.1:33418/"])).toBe(false);
    expect(isRegistered("http://localhost/cb", ["https://app.example/cb"])).toBe(false);
  });
});

test("the query of a redirect has none of our members", () => {
  for (const name of ["code", "state", "iss", "error"]) {
    expect(hasReservedQuery(`http://127.0.0.1/?a=1&${name}=x`)).toBe(true);
    expect(hasReservedQuery(`http://127.0.0.1/${name}`)).toBe(false);
  }
  expect(hasReservedQuery("http://127.0.0.1/?c%6fde")).toBe(true);
  expect(hasReservedQuery("http://127.0.0.1/?codes=1&error_description=x")).toBe(false);
  expect(hasReservedQuery("?code=1")).toBe(true);
});

test("an answer is added to the redirect's own query", () => {
  const answer = { code: "a b", iss: "https://x.example" };
  const added = "code=a+b&iss=https%3A%2F%2Fx.example";
  expect(withAnswer("http://127.0.0.1:1/cb", answer)).toBe(`http://127.0.0.1:1/cb?${added}`);
  expect(withAnswer("http://127.0.0.1:1/cb?x=%20", answer)).toBe(
    `http://127.0.0.1:1/cb?x=%20&${added}`,
  );
  expect(withAnswer("app:cb", answer)).toBe(`app:cb?${added}`);
});

test("the log names where a redirect goes, never the whole of it", () => {
  expect(redirectLabel("https://app.example:8443/cb?a")).toBe("app.example:8443");
  expect(redirectLabel("com.example.app:/cb")).toBe("com.example.app");
  expect(isPrivateScheme("httpsx://a")).toBe(true);
  expect(isPrivateScheme("app+http://a")).toBe(true);
});

/** Written from the contract, without regular expressions. */
function isSameByContract(one: string, other: string): boolean {
  if (one === other) return true;
  const split = (text: string) => {
    const [scheme = "", rest = ""] = text.split("://");
    const end = [...rest].findIndex((each) => each === "/" || each === "?");
    const authority = end < 0 ? rest : rest.slice(0, end);
    const tail = end < 0 ? "/" : rest.slice(end);
    const host = ["127.0.0.1", "[::1]", "localhost"].find(
      (name) => authority === name || authority.startsWith(`${name}:`),
    );
    return { scheme, host, tail: tail.startsWith("?") ? `/${tail}` : tail };
  };
  const [left, right] = [split(one), split(other)];
  const bothHere = left.host !== undefined && right.host !== undefined;
  return bothHere && left.scheme === right.scheme && left.tail === right.tail;
}

test("matching agrees with a second implementation", () => {
  const redirect = fc
    .tuple(
      fc.constantFrom("http", "https"),
      fc.constantFrom("127.0.0.1", "[::1]", "localhost", "app.example", "127.0.0.1.evil.example"),
      fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined }),
      fc.constantFrom("", "/", "/cb", "/cb/", "/cb?a", "?a", "/?a", "/@localhost"),
    )
    .map(
      ([scheme, host, port, tail]) =>
        `${scheme}://${host}${port === undefined ? "" : `:${port}`}${tail}`,
    );
  fc.assert(
    fc.property(redirect, fc.array(redirect, { maxLength: 3 }), (asked, registered) => {
      expect(isRegistered(asked, registered)).toBe(
        registered.some((each) => isSameByContract(asked, each)),
      );
    }),
    { numRuns: 2_000 },
  );
});
