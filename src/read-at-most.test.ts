import { expect, test } from "vitest";
import { readAtMost } from "./read-at-most.ts";

const ended: string[] = [];
async function* chunks(...sizes: readonly number[]) {
  try {
    for (const size of sizes) yield new Uint8Array(size).fill(size);
  } finally {
    ended.push("ended");
  }
}

test("a body up to the limit is whole, in whatever chunks it comes", async () => {
  const { bytes, isWhole } = await readAtMost(chunks(1, 0, 20_000, 7), 20_008);
  expect([bytes.length, bytes[0], bytes[1], bytes.at(-1), isWhole]).toEqual([
    20_008,
    1,
    20_000 % 256,
    7,
    true,
  ]);
});

test("of a longer one the chunks that fit are read, and the stream is ended", async () => {
  ended.length = 0;
  const { bytes, isWhole } = await readAtMost(chunks(4, 4, 4), 10);
  expect([bytes.length, isWhole, ended]).toEqual([8, false, ["ended"]]);
});

test("the bytes do not share memory with the chunks", async () => {
  const chunk = Uint8Array.of(1, 2, 3);
  const one = async function* () {
    yield chunk;
    chunk.fill(9);
  };
  expect([...(await readAtMost(one(), 10)).bytes]).toEqual([1, 2, 3]);
});

test("no body has no bytes", async () => {
  expect(await readAtMost(null, 10)).toEqual({ bytes: new Uint8Array(), isWhole: true });
});
