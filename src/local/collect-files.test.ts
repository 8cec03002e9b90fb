import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith } from "../../test/support/local.ts";
import {
  BadRequest,
  type CollectOptions,
  collectFiles,
  type FileRequest,
  TooManyFiles,
} from "./collect-files.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function tree(files: Record<string, string>) {
  const { folder, remove } = await folderWith(files);
  cleanups.push(remove);
  return folder;
}

async function collect(
  root: string,
  request: Partial<FileRequest>,
  options: Partial<CollectOptions> = {},
) {
  const found = await collectFiles(
    { paths: [], ...request },
    { root, confined: true, maxFiles: 1000, ...options },
  );
  return found.map(({ label, fault }) => (fault === undefined ? label : `${label}: ${fault}`));
}

describe("a directory", () => {
  test("gives its JSON and YAML files at every depth, sorted", async () => {
    const root = await tree({
      "b.json": "",
      "a.yml": "",
      "c.YAML": "",
      "x/d.yaml": "",
      "readme.md": "",
      "x/y/e.json": "",
    });
    expect(await collect(root, { paths: ["."] })).toEqual([
      "a.yml",
      "b.json",
      "c.YAML",
      "x/d.yaml",
      "x/y/e.json",
    ]);
  });

  test("keeps node_modules and hidden folders to itself, unless they are asked for", async () => {
    const root = await tree({ "node_modules/a.json": "", ".git/b.json": "", "c.json": "" });
    expect(await collect(root, { paths: ["."] })).toEqual(["c.json"]);
    expect(await collect(root, { paths: [".git"] })).toEqual([".git/b.json"]);
  });

  test("does not give the active config", async () => {
    const root = await tree({ "validator-mcp.yaml": "", "a.json": "" });
    const except = join(root, "validator-mcp.yaml");
    expect(await collect(root, { paths: ["."] }, { except: [null, except] })).toEqual(["a.json"]);
  });

  test("without a policy file is a mistake", async () => {
    const root = await tree({ "readme.md": "" });
    await expect(collect(root, { paths: ["."] })).rejects.toThrow(/No \.json/);
  });

  test.skipIf(process.getuid?.() === 0)("that cannot be read is told", async () => {
    const root = await tree({ "a.json": "", "closed/b.json": "" });
    await chmod(join(root, "closed"), 0);
    expect(await collect(root, { paths: ["."] })).toEqual([
      "a.json",
      "closed/: The directory cannot be read (EACCES)",
    ]);
    await chmod(join(root, "closed"), 0o700);
  });
});

describe("several paths", () => {
  test("give each file once, in the order of the paths", async () => {
    const root = await tree({ "x/a.json": "", "b.json": "" });
    expect(await collect(root, { paths: ["b.json", "x/a.json", "x", "./b.json"] })).toEqual([
      "b.json",
      "x/a.json",
    ]);
  });

  test("that do not exist are a mistake, not a file", async () => {
    const root = await tree({ "a.json": "" });
    await expect(collect(root, { paths: ["a.json", "b.json"] })).rejects.toThrow(
      new BadRequest("b.json does not exist."),
    );
  });

  test("may have no file in them if the caller says so, and must exist then, too", async () => {
    const root = await tree({ "empty/notes.txt": "" });
    const options = { root, confined: false, maxFiles: 10, mayBeEmpty: true };
    expect(await collectFiles({ paths: ["empty"] }, options)).toEqual([]);
    await expect(collectFiles({ paths: ["gone"] }, options)).rejects.toThrow(
      new BadRequest("gone does not exist."),
    );
  });

  test("that are empty do not mean the whole root", async () => {
    const root = await tree({ "a.json": "" });
    await expect(collect(root, { paths: [""] })).rejects.toThrow(
      new BadRequest("A path is empty; write . for this directory."),
    );
  });
});

describe("a glob", () => {
  test("gives the policy files it matches, at every depth it says", async () => {
    const root = await tree({ "a.json": "", "x/b.json": "", "x/y/c.json": "", "x/d.txt": "" });
    expect(await collect(root, { glob: "x/*" })).toEqual(["x/b.json"]);
    expect(await collect(root, { glob: "**/*.json" })).toEqual([
      "a.json",
      "x/b.json",
      "x/y/c.json",
    ]);
  });

  test.each(["../*.json", "/etc/*.json", "nothing/*.json", "*.toml"])(
    "%s finds nothing",
    async (glob) => {
      const root = await tree({ "a.json": "" });
      await expect(collect(root, { glob })).rejects.toThrow(BadRequest);
    },
  );
});

describe("what leaves the root", () => {
  test("is refused when it is named", async () => {
    const outside = await tree({ "secret.json": "" });
    const root = await tree({ "link.json": `-> ${join(outside, "secret.json")}` });
    for (const path of [outside, join(outside, "secret.json"), "..", "link.json", "/", "../no"]) {
      await expect(collect(root, { paths: [path] })).rejects.toThrow(/is outside/);
    }
  });

  test("is a fault of its link when a directory or a glob comes upon it", async () => {
    const outside = await tree({ "secret.json": "", "more/x.json": "" });
    const root = await tree({
      "a.json": "",
      "link.json": `-> ${join(outside, "secret.json")}`,
      folder: `-> ${join(outside, "more")}`,
    });
    const expected = ["a.json", "link.json: A symbolic link that leads out of the directory"];
    expect(await collect(root, { paths: ["."] })).toEqual(expected);
    expect(await collect(root, { glob: "**/*.json" })).toEqual(expected);
    await expect(collect(root, { glob: "folder/*.json" })).rejects.toThrow(BadRequest);
  });

  test("may be named where nothing is confined, and links in it still may not lead out", async () => {
    const other = await tree({ "secret.json": "" });
    const outside = await tree({
      "a.json": "",
      "link.json": `-> ${join(other, "secret.json")}`,
      "near.json": "-> a.json",
    });
    const root = await tree({});
    expect(await collect(root, { paths: [outside] }, { confined: false })).toEqual([
      join(outside, "a.json"),
      `${join(outside, "link.json")}: A symbolic link that leads out of the directory`,
      join(outside, "near.json"),
    ]);
    expect(
      await collect(root, { paths: [join(outside, "link.json")] }, { confined: false }),
    ).toEqual([`${join(outside, "link.json")}: A symbolic link that leads out of the directory`]);
  });
});

describe("symbolic links inside the root", () => {
  test("to files are followed, to folders are not entered, so that no cycle ever is", async () => {
    const root = await tree({
      "a.json": "",
      "b.json": "-> a.json",
      "x/loop": "-> ..",
      "x/c.json": "",
    });
    expect(await collect(root, { paths: ["."] })).toEqual(["a.json", "b.json", "x/c.json"]);
  });

  test("to nothing are a fault", async () => {
    const root = await tree({ "a.json": "-> gone.json" });
    const fault = "a.json: The file cannot be opened (its target does not exist)";
    expect(await collect(root, { paths: ["."] })).toEqual([fault]);
    expect(await collect(root, { paths: ["a.json"] })).toEqual([fault]);
  });
});

describe("bounds", () => {
  test("as many files as allowed are given, one more is too many", async () => {
    const root = await tree({ "a.json": "", "b.json": "", "c.json": "" });
    expect(await collect(root, { paths: ["."] }, { maxFiles: 3 })).toHaveLength(3);
    await expect(collect(root, { paths: ["."] }, { maxFiles: 2 })).rejects.toThrow(TooManyFiles);
  });

  test("files of other kinds are refused where reading is confined", async () => {
    const root = await tree({ ".env": "", "policy.txt": "" });
    for (const path of [".env", "policy.txt"]) {
      await expect(collect(root, { paths: [path] })).rejects.toThrow(/not a \.json/);
      expect(await collect(root, { paths: [path] }, { confined: false })).toEqual([path]);
    }
  });

  test("a signal stops the search", async () => {
    const root = await tree({ "a.json": "" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(collect(root, { paths: ["."] }, { signal })).rejects.toThrow("enough");
  });
});
