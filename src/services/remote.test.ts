import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartupError } from "../errors.ts";
import { commonServices } from "./common-services.ts";
import { ServicesUnavailable } from "./load-services.ts";
import { type RemoteOptions, remoteServices } from "./remote.ts";

type Answer = (response: ServerResponse) => void;

/** What the server answers, by path; anything else is 404. */
let answers: Map<string, Answer>;
let requests: string[];
let base = "";
let cacheDirectory = "";
let warnings: string[];
let stop: () => Promise<void>;

const json =
  (value: unknown): Answer =>
  (response) =>
    void response.end(JSON.stringify(value));
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();
const definition = (name: string) => json({ Name: name, Actions: [{ Name: "Get" }] });
const listOf = (...names: string[]) =>
  json(names.map((service) => ({ service, url: `/v1/${service}.json` })));

beforeEach(async () => {
  answers = new Map([["/", listOf("s3", "iam", "rare")]]);
  for (const name of ["s3", "iam", "rare"]) answers.set(`/v1/${name}.json`, definition(name));
  requests = [];
  warnings = [];
  cacheDirectory = await mkdtemp(join(tmpdir(), "cache-"));
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const answer = answers.get(request.url ?? "") ?? status(404);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  base = `http://127.0.0.1:${address.port}`;
  stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(async () => {
  await stop();
  await rm(cacheDirectory, { recursive: true, force: true });
});

const log = {
  warn: (fields: object, message: string) =>
    void warnings.push(`${message} ${JSON.stringify(fields)}`),
  info: () => {},
};

/** Cached unless said otherwise, and in a hurry. */
function open(options: Partial<RemoteOptions> = {}) {
  return remoteServices({ url: `${base}/`, log, cacheDirectory, retryDelayMs: 1, ...options });
}

/** As another process would see it: memory empty, cache directory as it is. */
async function agedCache(days: number): Promise<void> {
  const [folder = ""] = await readdir(join(cacheDirectory, "reference-data"));
  const path = join(cacheDirectory, "reference-data", folder);
  const then = Date.now() / 1000 - days * 86_400;
  for (const file of await readdir(path)) await utimes(join(path, file), then, then);
}

describe("a remote list of services", () => {
  test("is loaded with the common services at warm-up; others come when they are named", async () => {
    const services = open();
    await services.warmUp();
    expect(services.prefixes).toEqual(["iam", "rare", "s3"]);
    expect(services.date).toBe(new Date().toISOString().slice(0, 10));
    expect(services.get("S3")?.action("get")?.qualified).toBe("s3:Get");
    expect(services.get("rare")).toBeUndefined();
    const before = services.hash;
    await services.load(["RARE"]);
    expect(services.get("rare")).toBeDefined();
    expect(services.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(services.hash).not.toBe(before);
    expect(warnings).toEqual([]);
  });

  test("a name that is not in it never causes a request", async () => {
    const services = open();
    await services.warmUp();
    const before = requests.length;
    await services.load(["nosuch", "../s3", "__proto__", "s3/../../x", ""]);
    expect(requests.length).toBe(before);
    expect(services.get("nosuch")).toBeUndefined();
  });

  test("loads of one service at the same time are one request", async () => {
    const services = open();
    await services.warmUp();
    await Promise.all(Array.from({ length: 20 }, () => services.load(["rare", "Rare"])));
    expect(requests.filter((path) => path === "/v1/rare.json")).toHaveLength(1);
  });

  test("has at most ten requests under way", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `svc${index}`);
    answers.set("/", listOf(...names));
    let underWay = 0;
    let most = 0;
    // No answer before ten requests have come, and an eleventh has had the time to.
    const { promise: ten, resolve } = Promise.withResolvers<void>();
    for (const name of names) {
      answers.set(`/v1/${name}.json`, (response) => {
        most = Math.max(most, ++underWay);
        if (underWay === 10) setTimeout(resolve, 50);
        void ten.then(() => {
          underWay--;
          definition(name)(response);
        });
      });
    }
    const services = open();
    await services.load(names);
    expect(names.filter((name) => !services.get(name))).toEqual([]);
    expect(most).toBe(10);
  });

  test("entries that lead to another host, scheme or port are left out", async () => {
    answers.set(
      "/",
      json([
        { service: "s3", url: `${base}/v1/s3.json` },
        { service: "iam", url: "http://169.254.169.254/latest/meta-data" },
        { service: "ec2", url: base.replace(/:\d+$/, ":1/x") },
        { service: "kms", url: "file:///etc/passwd" },
        { service: "sns", url: base.replace("http://", "http://user:secret@") },
        { service: "../sqs", url: "/v1/sqs.json" },
      ]),
    );
    const services = open();
    await services.warmUp();
    expect(services.prefixes).toEqual(["s3"]);
    expect(warnings).toEqual([
      'services whose data is at another address are left out {"services":4}',
    ]);
  });

  test.each([
    ["http://example.com/list", "must be HTTPS (plain HTTP on loopback only)"],
    ["ftp://example.com/list", "must be HTTPS"],
    ["https://user:hunter2@example.com/", "without credentials"],
    ["services.json", "absolute URL"],
  ])("at %s is refused at the start, without showing a secret", (url, reason) => {
    const start = () => remoteServices({ url, log });
    expect(start).toThrow(StartupError);
    expect(start).toThrow(reason);
    expect(start).not.toThrow("hunter2");
  });

  test.each(["https://example.com/", "http://localhost:1/", "http://[::1]/", "http://127.1.2.3/"])(
    "at %s is fine",
    (url) => {
      expect(remoteServices({ url, log }).source).toBe("remote");
    },
  );
});

describe("when the list does not load", () => {
  test("the warm-up is repeated until it succeeds; until then the server is not ready", async () => {
    answers.set("/", status(503));
    const services = open();
    let ready = false;
    const warm = services.warmUp().then(() => {
      ready = true;
    });
    await expect.poll(() => warnings.length).toBeGreaterThan(1);
    expect(ready).toBe(false);
    expect(warnings[0]).toMatch(/not ready .*status 503/);
    answers.set("/", listOf("s3"));
    await warm;
    expect(services.get("s3")).toBeDefined();
  });

  test("the warm-up ends when the server does", async () => {
    answers.set("/", status(500));
    const ending = new AbortController();
    const warm = open().warmUp(ending.signal);
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    ending.abort(new Error("the server stops"));
    await expect(warm).rejects.toThrow("the server stops");
  });

  test.each<[string, Answer]>([
    ["not JSON", (response) => void response.end("<html>")],
    ["empty", json([])],
    ["an object", json({ services: [] })],
    ["all elsewhere", json([{ service: "s3", url: "https://example.com/s3.json" }])],
  ])("a list that is %s is none", async (_, answer) => {
    answers.set("/", answer);
    await expect(open().load(["s3"])).rejects.toThrow();
    answers.set("/", listOf("s3"));
    const services = open();
    await services.load(["s3"]);
    expect(services.get("s3")).toBeDefined();
  });
});

describe("when one service does not load", () => {
  const maxBytes = 100_000;
  const failures: [string, Answer, requests: number][] = [
    ["gone", status(404), 1],
    ["broken for the moment", status(500), 3],
    ["busy", status(429), 3],
    ["redirected", status(302, { location: "/v1/s3.json" }), 1],
    ["not JSON", (response) => void response.end("<html>"), 1],
    ["another service's", definition("s3"), 1],
    ["of another shape", json({ Name: "rare", Actions: [{}] }), 1],
    [
      "truncated",
      (response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"Name": "ra');
        response.destroy();
      },
      3,
    ],
    ["cut off", (response) => void response.destroy(), 3],
    ["never answered", () => {}, 3],
    ["never finished", (response) => void response.writeHead(200).write("{"), 3],
    ["too large", (response) => void response.end(" ".repeat(maxBytes + 1)), 1],
    [
      "too large once it is unpacked",
      (response) =>
        void response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(maxBytes + 1, " "))),
      1,
    ],
  ];

  test.each(failures)(
    "%s: refused rather than called unknown, with a warning, and had once it is well",
    async (...row) => {
      const [name, answer, expected] = row;
      answers.set("/v1/rare.json", answer);
      const services = open({ maxBytes, timeoutMs: name.startsWith("never") ? 200 : 30_000 });
      await services.warmUp();
      await expect(services.load(["rare", "s3"])).rejects.toThrow(
        /data of rare could not be fetched/,
      );
      expect(services.get("rare")).toBeUndefined();
      expect(services.get("s3")).toBeDefined();
      expect(requests.filter((path) => path === "/v1/rare.json")).toHaveLength(expected);
      expect(warnings).toEqual([expect.stringMatching(/did not load .*"service":"rare"/)]);

      answers.set("/v1/rare.json", definition("rare"));
      await services.load(["rare"]);
      expect(services.get("rare")).toBeDefined();
    },
  );

  test("a document of just the most bytes allowed is fine", async () => {
    const text = JSON.stringify({ Name: "rare" });
    answers.set("/v1/rare.json", (response) => void response.end(text.padEnd(maxBytes)));
    const services = open({ maxBytes });
    await services.load(["rare"]);
    expect(services.get("rare")).toBeDefined();
  });

  test("one bad moment is made good by a further attempt, without a word", async () => {
    let first = true;
    answers.set("/v1/rare.json", (response) => {
      if (first) response.destroy();
      else definition("rare")(response);
      first = false;
    });
    const services = open();
    await services.load(["rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(warnings).toEqual([]);
  });

  test("of the common ones at warm-up, the server is ready all the same", async () => {
    answers.set("/", listOf(...commonServices));
    const services = open();
    await services.warmUp();
    expect(services.get("s3")).toBeDefined();
    expect(services.get("ec2")).toBeUndefined();
    expect(warnings).toHaveLength(commonServices.length - 2);
  });

  test("a caller who gives up stops waiting and does not spoil it for others", async () => {
    let finish = () => {};
    answers.set("/v1/rare.json", (response) => {
      finish = () => definition("rare")(response);
    });
    const services = open();
    await services.warmUp();
    const leaving = new AbortController();
    const first = services.load(["rare"], leaving.signal);
    const second = services.load(["rare"]);
    await expect.poll(() => requests.at(-1)).toBe("/v1/rare.json");
    leaving.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    finish();
    await second;
    expect(services.get("rare")).toBeDefined();
  });
});

describe("the disk cache", () => {
  test("saves a later process every request for seven days", async () => {
    const before = open();
    await before.warmUp();
    await before.load(["rare"]);
    await agedCache(6.9);
    requests = [];
    const services = open();
    await services.warmUp();
    await services.load(["rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(services.hash).toBe(before.hash);
    expect(services.date).toBe(new Date(Date.now() - 6.9 * 86_400_000).toISOString().slice(0, 10));
    expect(requests).toEqual([]);
  });

  test("past its time is fetched anew", async () => {
    await open().load(["rare"]);
    await agedCache(7.1);
    requests = [];
    answers.set("/v1/rare.json", json({ Name: "rare", Actions: [{ Name: "New" }] }));
    const services = open();
    await services.load(["rare"]);
    expect(requests).toEqual(["/", "/v1/rare.json"]);
    expect(services.get("rare")?.action("new")).toBeDefined();
  });

  test("past its time is used when the fetch fails, list and service alike, with a warning", async () => {
    await open().load(["rare"]);
    await agedCache(30);
    await stop();
    const services = open();
    await services.warmUp();
    await services.load(["rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(warnings.filter((line) => line.startsWith("using an older copy"))).toEqual([
      expect.stringContaining('"document":"_services"'),
      expect.stringContaining('"document":"rare"'),
    ]);
  });

  test("past its time is used after one attempt when the server does not answer, and the next ones without any", async () => {
    await open().load(["s3", "rare"]);
    await agedCache(30);
    requests = [];
    answers.clear();
    answers.set("/", () => {});
    const services = open({ timeoutMs: 1_000 });
    await services.load(["s3", "rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(requests).toEqual(["/"]);
    expect(warnings.filter((line) => line.startsWith("using an older copy"))).toHaveLength(3);
  });

  test("past its time is fetched anew beside one that is gone", async () => {
    await open().load(["s3", "rare"]);
    await agedCache(30);
    requests = [];
    answers.set("/v1/s3.json", status(404));
    const services = open({ maxConnections: 1 });
    await services.load(["s3"]);
    await services.load(["rare"]);
    expect(requests).toEqual(["/", "/v1/s3.json", "/v1/rare.json"]);
    expect(warnings).toEqual([expect.stringMatching(/older copy .*"document":"s3"/)]);
  });

  test("from the future is of unknown age, so it is fetched anew", async () => {
    await open().load(["rare"]);
    await agedCache(-3);
    requests = [];
    await open().load(["rare"]);
    expect(requests).toEqual(["/", "/v1/rare.json"]);
  });

  test("that was damaged is fetched anew", async () => {
    await open().load(["rare"]);
    const [folder = ""] = await readdir(join(cacheDirectory, "reference-data"));
    const file = join(cacheDirectory, "reference-data", folder, "rare.json");
    await writeFile(file, '{"Name": "ra');
    const services = open();
    await services.load(["rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ Name: "rare" });
  });

  test("keeps nothing that is not what was asked for", async () => {
    answers.set("/v1/rare.json", definition("s3"));
    await expect(open().load(["rare"])).rejects.toThrow(ServicesUnavailable);
    const [folder = ""] = await readdir(join(cacheDirectory, "reference-data"));
    expect(await readdir(join(cacheDirectory, "reference-data", folder))).toEqual([
      "_services.json",
    ]);
  });

  test("keeps lists of different addresses apart", async () => {
    answers.set("/other", listOf("iam"));
    await open().load(["s3"]);
    const other = open({ url: `${base}/other` });
    await other.warmUp();
    expect(other.prefixes).toEqual(["iam"]);
  });

  test("that cannot be written is said once and done without", async () => {
    const file = join(cacheDirectory, "file");
    await writeFile(file, "");
    const services = open({ cacheDirectory: file });
    await services.load(["s3", "iam", "rare"]);
    expect(services.get("rare")).toBeDefined();
    expect(warnings).toEqual([expect.stringContaining("cache directory is not writable")]);
  });

  test("can be done without altogether", async () => {
    const services = open({ cacheDirectory: null });
    await services.load(["s3"]);
    expect(services.get("s3")).toBeDefined();
    expect(await readdir(cacheDirectory)).toEqual([]);
  });
});
