import { existsSync, mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startLoginFront } from "../support/login/front.ts";
import type { LoginIssuer } from "../support/login/issuer.ts";
import { encode, Visitor } from "../support/login/visitor.ts";
import { browse } from "../support/oidc.ts";
import type { Target } from "../support/target.ts";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** Where screenshots are kept for a look by eye; unset: nowhere. */
const screenshots = process.env.LOGIN_SCREENSHOTS_DIR;

let browser: Browser;
let issuer: LoginIssuer;
let front: Target;
let base: string;
let client: Server;
let redirect: string;
let visitor: Visitor;
const answers: URL[] = [];
let context: BrowserContext;

beforeAll(async () => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `No Chromium at ${executablePath}; apt-get install chromium, or set CHROMIUM_PATH.`,
    );
  }
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  // Another site than the front, as every provider is.
  ({ base, issuer, front } = await startLoginFront({ host: "localhost" }));
  client = createServer((request, response) => {
    const url = new URL(request.url ?? "/", redirect);
    // A browser asks for an icon too.
    if (url.pathname === "/callback") answers.push(url);
    response.end("Back in the app.");
  });
  await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
  redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
  visitor = new Visitor({ url: base, base, signIn: () => new URL(base) });
  visitor.redirect = redirect;
  await visitor.register();
  if (screenshots) mkdirSync(screenshots, { recursive: true });
}, 60_000);
afterEach(async () => {
  await context.close();
  answers.length = 0;
});
afterAll(async () => {
  await browser.close();
  client.close();
  await front.stop();
  await issuer[Symbol.asyncDispose]();
});

async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  context = await browser.newContext(options);
  return context.newPage();
}

const authorize = (changes = {}) => `${base}/oauth/authorize?${visitor.authorizeQuery(changes)}`;

async function picture(page: Page, name: string): Promise<void> {
  if (screenshots)
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

describe("a person logs in", () => {
  test("with script switched off, for the first and for the second time", async () => {
    const page = await open({ javaScriptEnabled: false });
    for (const round of [1, 2]) {
      await page.goto(authorize());
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${redirect}?**`);
      const code = answers.at(-1)?.searchParams.get("code") ?? "";
      const tokens = await visitor.token(code, { resource: `${base}/mcp` });
      expect(tokens, `round ${round}`).toMatchObject({
        status: 200,
        body: { token_type: "Bearer" },
      });
    }
    expect(await context.cookies()).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining("vmcp-login") }),
    );
  });

  test("with the keyboard alone", async () => {
    const page = await open();
    await page.goto(authorize());
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Allow");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${redirect}?**`);
    expect(answers.at(-1)?.searchParams.has("code")).toBe(true);
  });

  test("in two tabs at once", async () => {
    const one = await open();
    const other = await context.newPage();
    await one.goto(authorize({ state: "one" }));
    await other.goto(authorize({ state: "other" }));
    await one.getByRole("button", { name: "Allow" }).click();
    await one.waitForURL(`${redirect}?**`);
    await other.getByRole("button", { name: "Allow" }).click();
    await other.waitForURL(`${redirect}?**`);
    expect(answers.map((answer) => answer.searchParams.get("state"))).toEqual(
      expect.arrayContaining(["one", "other"]),
    );
  });

  test("or presses Cancel", async () => {
    const page = await open();
    await page.goto(authorize());
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(`${redirect}?**`);
    expect(answers.at(-1)?.searchParams.get("error")).toBe("access_denied");
  });

  test("or goes back and starts again", async () => {
    const page = await open();
    await page.goto(authorize());
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${redirect}?**`);
    await page.goBack();
    await page.reload();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${redirect}?**`);
    expect(answers.at(-1)?.searchParams.has("code")).toBe(true);
  });
});

describe("the pages", () => {
  test.each(["light", "dark"] as const)(
    "are accessible and fit 320 px in %s colours",
    async (colorScheme) => {
      const page = await open({ colorScheme, viewport: { width: 320, height: 640 } });
      const pages = {
        consent: authorize(),
        "consent-everything": authorize({ scope: "openid" }),
        "unknown-client": authorize({ client_id: "x" }),
        redirect: authorize({ redirect_uri: `https://stranger.example/${"long".repeat(60)}` }),
        "stale-login": `${base}/oauth/callback?state=${"A".repeat(22)}&code=x`,
      };
      for (const [name, url] of Object.entries(pages)) {
        await page.goto(url);
        expect(await violations(page), name).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect(width, name).toBeLessThanOrEqual(320);
        await picture(page, `${name}-${colorScheme}-320`);
      }
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.goto(pages.consent);
      await picture(page, `consent-${colorScheme}`);
      const sizes = await page
        .getByRole("button")
        .evaluateAll((buttons) =>
          buttons.map((button) => (button as unknown as { offsetHeight: number }).offsetHeight),
        );
      for (const height of sizes) expect(height).toBeGreaterThanOrEqual(44);
    },
  );

  test("name who asks, where the answer goes and what is opened up", async () => {
    const page = await open();
    await page.goto(authorize());
    expect(await page.title()).toBe("Allow access? IAM policy validator");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Allow “Trial” to use the IAM policy validator?",
    );
    const text = (await page.getByRole("main").textContent()) ?? "";
    expect(text).toContain("it calls itself that; the name is not verified");
    expect(text).toContain(base);
    expect(text).toContain(`To a program on this computer (${new URL(redirect).host})`);
    expect(text).toContain(`You will sign in with ${new URL(issuer.url).host} next.`);
  });

  test("run no script and apply only their own style, whatever a client calls itself", async () => {
    const stranger = new Visitor({ url: base, base, signIn: () => new URL(base) });
    stranger.redirect = redirect;
    const name = "<script>document.title='owned'</script><img src=x onerror=alert(1)>";
    await stranger.register({ client_name: name, redirect_uris: [redirect] });
    const page = await open();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await page.goto(`${base}/oauth/authorize?${stranger.authorizeQuery()}`);
    expect(await page.title()).toBe("Allow access? IAM policy validator");
    expect(await page.locator("script, img").count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("<script>");
    expect(messages).toEqual([]);
  });

  test("A-43: show nothing in a frame of another site", async () => {
    const page = await open();
    await page.route("http://evil.localhost/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<iframe src="${authorize().replaceAll("&", "&amp;")}"></iframe>`,
      }),
    );
    await page.goto("http://evil.localhost/");
    await page.waitForTimeout(500);
    const frames = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) =>
          frame
            .locator("button")
            .count()
            .catch(() => 0),
        ),
    );
    expect(frames).toEqual([0]);
  });
});

describe("what belongs to one browser", () => {
  test("the provider's link sent to somebody else ends there", async () => {
    const attacker = await open({ javaScriptEnabled: false });
    await attacker.goto(authorize());
    const sealed = await attacker.locator('input[name="request"]').inputValue();
    const [nonce] = await context.cookies();
    // The attacker agrees, and keeps the address that the provider is asked at.
    const agreed = await fetch(`${base}/oauth/consent`, {
      method: "POST",
      redirect: "manual",
      headers: {
        origin: base,
        cookie: `${nonce?.name}=${nonce?.value}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: encode({ request: sealed, decision: "allow" }),
    });
    const victim = await browser.newContext();
    const page = await victim.newPage();
    await page.goto(agreed.headers.get("location") ?? "");
    expect(await page.getByRole("main").textContent()).toContain("begun in another browser");
    expect(answers).toEqual([]);
    await victim.close();
  });

  test("B-21: a page of another site cannot use the login up, in a frame or by script", async () => {
    const page = await open();
    let provider = "";
    await page.route(`${base}/oauth/consent`, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      provider = response.headers().location ?? "";
      await route.fulfill({ response, status: 200, headers: response.headers(), body: "" });
    });
    await page.goto(authorize());
    await page.getByRole("button", { name: "Allow" }).click();
    await expect.poll(() => provider).not.toBe("");
    // The person has signed in, and the browser has yet to open the callback.
    const callback = (await browse(new URL(provider), `${base}/oauth/callback`)).href;

    const stranger = await context.newPage();
    await stranger.route("http://evil.localhost/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<iframe src="${callback.replaceAll("&", "&amp;")}"></iframe>`,
      }),
    );
    const sent: Request[] = [];
    context.on("request", (request) => {
      if (request.url() === callback) sent.push(request);
    });
    await stranger.goto("http://evil.localhost/");
    await expect.poll(() => sent).toHaveLength(1);
    await stranger.evaluate(
      `fetch(${JSON.stringify(callback)}, { credentials: "include", mode: "no-cors" }).catch(() => {})`,
    );
    expect(sent).toHaveLength(2);
    for (const request of sent) expect(await request.allHeaders()).not.toHaveProperty("cookie");
    expect(answers).toEqual([]);

    // The person's own browser still has its cookie, and goes on.
    await page.goto(callback);
    expect(answers.at(-1)?.searchParams.has("code")).toBe(true);
  });

  test("without cookies the consent is refused with a page that says so", async () => {
    const page = await open();
    await page.goto(authorize());
    await context.clearCookies();
    await page.getByRole("button", { name: "Allow" }).click();
    expect(await page.getByRole("main").textContent()).toContain("not opened in this browser");
  });

  test("an app with its own scheme gets a page with a link", async () => {
    const cursor = new Visitor({ url: base, base, signIn: () => new URL(base) });
    cursor.redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
    await cursor.register();
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${base}/oauth/authorize?${cursor.authorizeQuery()}`);
    expect(await page.getByRole("main").textContent()).toContain(
      "To the app registered for cursor:",
    );
    await page.getByRole("button", { name: "Allow" }).click();
    const link = page.getByRole("link", { name: "Open the app" });
    expect(await link.getAttribute("href")).toMatch(
      /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/,
    );
    await picture(page, "return");
  });
});
