import { browse } from "../oidc.ts";
import { Jar, type Reply, sealedOf } from "./visitor.ts";

/**
 * The person in front of a client: opens the address that it names, presses Allow, signs in at the provider.
 * @param base of the front. @returns the client's redirect, with the answer.
 */
export async function allowAndSignIn(address: URL, base: string): Promise<URL> {
  const jar = new Jar();
  const send = async (url: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { cookie: jar.header, ...init.headers },
    });
    const reply = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      body: {},
    };
    jar.read(reply);
    return reply;
  };
  const page = await send(address.href);
  if (page.status !== 200)
    throw new Error(`${page.status} ${page.headers.get("location")} ${page.text}`);
  const allowed = await send(`${base}/oauth/consent`, {
    method: "POST",
    headers: { origin: base, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ request: sealedOf(page), decision: "allow" }).toString(),
  });
  const provider = new URL(allowed.headers.get("location") ?? "");
  const callback = await browse(provider, `${base}/oauth/callback`);
  const back = await send(callback.href);
  return new URL(back.headers.get("location") ?? "");
}
