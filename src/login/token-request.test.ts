import { describe, expect, test } from "vitest";
import { base } from "../../test/support/login/variables.ts";
import { writeClientId } from "./client-id.ts";
import type { Front } from "./front.ts";
import { LoginRefusal } from "./refusal.ts";
import { readTokenClient, readTokenForm } from "./token-request.ts";

const idOf = (name: string) => writeClientId({ name, redirects: ["http://127.0.0.1/"] }) ?? "";
const [one, other] = [idOf("One"), idOf("Other")];
// What is read of the settings; no other part of the front is asked.
const front = { settings: { base, documentHosts: undefined } } as unknown as Front;

async function read(form: Record<string, string>, authorization?: string) {
  const request = new Request(`${base}/oauth/token`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(authorization !== undefined && { authorization }),
    },
    body: new URLSearchParams(form).toString(),
  });
  try {
    return readTokenClient(await readTokenForm(request, front), front).id;
  } catch (error) {
    if (!(error instanceof LoginRefusal)) throw error;
    const challenge = error.answer.headers.get("www-authenticate");
    return { reason: error.reason, status: error.answer.status, challenge };
  }
}
const encode = (credentials: string) => Buffer.from(credentials).toString("base64");
const basic = (credentials: string) => `Basic ${encode(credentials)}`;
const challenge = `Basic realm="${base}"`;
const refused = { reason: "client", status: 401, challenge };

describe("the client of a request", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["in the body", { client_id: one }, undefined],
    ["in the header", {}, basic(`${one}:`)],
    ["in both", { client_id: one }, basic(`${one}:`)],
    ["in the header, encoded", {}, basic(`${one.replaceAll(".", "%2E")}:`)],
    ["after a scheme in small letters", {}, `basic ${encode(`${one}:`)}`],
    ["after several spaces", {}, `Basic   ${encode(`${one}:`)}`],
  ])("%s", async (_what, form, header) => expect(await read(form, header)).toBe(one));

  test.each<[string, Record<string, string>, string]>([
    ["two ids", { client_id: other }, basic(`${one}:`)],
    ["a secret", {}, basic(`${one}:s`)],
    ["a secret of one line end", {}, basic(`${one}:\n`)],
    ["no colon", {}, basic(one)],
    ["no id", { client_id: one }, basic(":")],
    ["an id that is repeated", {}, basic(`${one}&id=${one}:`)],
    ["a broken encoding", {}, basic(`%zz${one}:`)],
    ["a line before the id", {}, basic(`\n${one}:`)],
    ["another scheme", { client_id: one }, `Bearer ${encode(`${one}:`)}`],
    ["a scheme that ends alike", {}, `xBasic ${encode(`${one}:`)}`],
    ["no credentials", { client_id: one }, "Basic"],
    ["more after the credentials", {}, `${basic(`${one}:`)} x`],
    ["characters that base64 does not have", {}, `Basic ${encode(`${one}:`)}*`],
    ["an id that is not known", {}, basic("x:")],
  ])("with %s in the header is not known, with a challenge (T-6)", async (_what, form, header) => {
    expect(await read(form, header)).toEqual(refused);
  });

  test("that is not known in the body is told so without a challenge (T-10)", async () => {
    expect(await read({ client_id: "x" })).toEqual({ ...refused, challenge: null });
  });
  test("has to be named (T-9)", async () => {
    const unnamed = { reason: "request", status: 400, challenge: null };
    expect(await read({})).toEqual(unnamed);
    expect(await read({ client_id: "" })).toEqual(unnamed);
  });
});
