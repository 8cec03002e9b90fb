import { describe, expect, test } from "vitest";
import { createClientDocuments, isDocumentUrl } from "./client-document.ts";

const url = "https://client.example/metadata.json";
const good = {
  client_id: url,
  client_name: "Editor",
  redirect_uris: ["http://127.0.0.1/callback"],
};

function documents(
  answer:
    | Partial<{ status: number; contentType: string; cacheControl: string; body: Buffer }>
    | Error = {},
) {
  const clock = { ms: 1_000_000 };
  const fetched: string[] = [];
  const found = createClientDocuments({ now: () => clock.ms }, async (asked) => {
    fetched.push(asked);
    if (answer instanceof Error) throw answer;
    return {
      status: 200,
      contentType: "application/json",
      cacheControl: undefined,
      body: Buffer.from(JSON.stringify({ ...good, client_id: asked })),
      ...answer,
    };
  });
  return { find: (asked = url) => found.find(asked), fetched, clock };
}

const withBody = (changes: object) => ({
  body: Buffer.from(JSON.stringify({ ...good, ...changes })),
});

describe("a client's metadata document", () => {
  test.each<[string, object]>([
    ["as it should be", {}],
    ["of another JSON type", { contentType: "application/client+json; charset=utf-8" }],
    ["with spaces around its media type", { contentType: " application/json ; charset=utf-8" }],
    [
      "that names the grants it wants",
      withBody({ grant_types: ["authorization_code", "refresh_token"] }),
    ],
    [
      "that prefers a key and offers none",
      withBody({
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      }),
    ],
  ])("%s gives a client", async (_name, answer) => {
    expect(await documents(answer).find()).toEqual({
      name: "Editor",
      redirects: good.redirect_uris,
    });
  });

  test.each<[string, object]>([
    ["another status", { status: 404 }],
    ["a redirect", { status: 302 }],
    ["another media type", { contentType: "text/html" }],
    ["no media type", { contentType: undefined }],
    ["a media type that only ends like JSON", { contentType: "x-application/client+json" }],
    ["a media type that only begins like JSON", { contentType: "application/client+jsonp" }],
    ["another client id", withBody({ client_id: `${url}/` })],
    ["a client id in capitals", withBody({ client_id: url.toUpperCase() })],
    ["no name", withBody({ client_name: "" })],
    ["no redirects", withBody({ redirect_uris: [] })],
    [
      "too many redirects",
      withBody({ redirect_uris: Array.from({ length: 33 }, () => "http://127.0.0.1/") }),
    ],
    ["a secret", withBody({ client_secret: "x" })],
    ["only a key", withBody({ token_endpoint_auth_method: "private_key_jwt" })],
    ["other grants only", withBody({ grant_types: ["client_credentials"] })],
    ["a list", { body: Buffer.from("[]") }],
    ["repeated members", { body: Buffer.from(`{"client_id":"${url}","client_id":"${url}"}`) }],
    ["bytes that are not UTF-8", { body: Buffer.from([0x7b, 0xff, 0x7d]) }],
    [
      "a name that is not UTF-8",
      { body: Buffer.from(JSON.stringify({ ...good, client_name: "caf\u00e9" }), "latin1") },
    ],
  ])("with %s is not used", async (_name, answer) => {
    expect(await documents(answer).find()).toBe("unusable");
  });

  test("is fetched once within an hour, or as long as it says", async () => {
    const plain = documents();
    await plain.find();
    plain.clock.ms += 3_599_000;
    await plain.find();
    expect(plain.fetched).toHaveLength(1);
    plain.clock.ms += 1_000;
    await plain.find();
    expect(plain.fetched).toHaveLength(2);
    const short = documents({ cacheControl: "max-age=1" });
    await short.find();
    short.clock.ms += 299_000;
    await short.find();
    expect(short.fetched).toHaveLength(1);
    const none = documents({ cacheControl: "no-store" });
    await none.find();
    await none.find();
    expect(none.fetched).toHaveLength(2);
  });

  test.each([
    ["max-age=7200", 7_200],
    ["public, max-age=7200", 7_200],
    ['MAX-AGE="7200"', 7_200],
    ["max-age=999999999", 86_400],
    ["x-max-age=7200", 3_600],
    ["public", 3_600],
  ])("with `Cache-Control: %s` is kept for %i seconds", async (cacheControl, seconds) => {
    const { find, fetched, clock } = documents({ cacheControl });
    await find();
    clock.ms += seconds * 1000 - 1;
    await find();
    expect(fetched).toHaveLength(1);
    clock.ms += 1;
    await find();
    expect(fetched).toHaveLength(2);
  });

  test("that is no good is asked for again, but for at most 60 in a minute", async () => {
    const { find, fetched, clock } = documents({ status: 500 });
    for (let count = 0; count < 70; count += 1) await find(`${url}${count}`);
    expect(fetched).toHaveLength(60);
    expect(await find()).toBe("unreachable");
    clock.ms += 60_000;
    expect(await find()).toBe("unusable");
  });

  test("is fetched once for all who ask at the same time", async () => {
    const { find, fetched } = documents();
    await Promise.all([find(), find(), find()]);
    expect(fetched).toHaveLength(1);
  });

  test("is refused while eight others are being fetched", async () => {
    const { find, fetched } = documents();
    const first = Array.from({ length: 8 }, (_, count) => find(`${url}${count}`));
    expect(await find()).toBe("unreachable");
    await Promise.all(first);
    expect(await find()).toMatchObject({ name: "Editor" });
    expect(fetched).toHaveLength(9);
  });
});

describe("addresses that are not public", () => {
  // A name that leads to this machine, by the resolver's own rules (RFC 6761, 6.3).
  test("are refused when connecting", async () => {
    const real = createClientDocuments({ now: () => 0 });
    expect(await real.find("https://localhost/client")).toBe("unusable");
  });
});

test.each([
  ["https://client.example/c", true],
  ["https://client.example:443/c", true],
  ["https://CLIENT.example/c", false],
  ["https://other.example/c", false],
  ["http://client.example/c", false],
  ["https://client.example", false],
  ["https://client.example/", false],
  ["https://client.example:444/c", false],
  ["https://client.example/c?d", false],
  ["https://client.example/c#d", false],
  ["https://u@client.example/c", false],
  ["https://client.example/./c", false],
  ["https://client.example/%2E%2e/c", false],
  ["https://client.example/.well-known/c", true],
  ["https://client.example/c..", true],
  [`https://client.example/${"c".repeat(512 - 23)}`, true],
  [`https://client.example/${"c".repeat(513 - 23)}`, false],
])("%s as client id: %s", (text, expected) => {
  expect(isDocumentUrl(text, (host) => host === "client.example")).toBe(expected);
});

test("another port is refused whatever the host", () => {
  expect(isDocumentUrl("https://client.example:4430/c", () => true)).toBe(false);
});
