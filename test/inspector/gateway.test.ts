/** The same page in the gateway: a tenant comes in by its key and sees its own conversation, live. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeyring } from "../../src/keys/keyring.ts";
import {
  gatewayTo,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "../gateway-world.ts";
import { buildPage } from "./built-page.ts";
import { chromiumRuns, launchChromium } from "./chromium.ts";
import { exampleMessages } from "./lived-archive.ts";

describe.runIf(await chromiumRuns())("the inspector in the gateway, in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-gateway-page-"));
  let [browser, provider, gateway] = [] as unknown as [Browser, Provider, TestGateway];

  beforeAll(async () => {
    await buildPage();
    browser = await launchChromium();
    provider = await startProvider(speaking(() => ({ text: "Understood.", calls: [] })));
    const keys = join(folder, "keys");
    const line = (tenant: string) =>
      `${tenant} ${createHash("sha256").update(`key-${tenant}`).digest("hex")}`;
    writeFileSync(keys, `${line("ann")}\n${line("ben")}\n`);
    const archive = join(folder, "archive.sqlite");
    gateway = await gatewayTo(provider.url, { archive, window: 20_000, keys: createKeyring(keys) });
  });
  afterAll(async () => {
    await browser.close();
    await gateway.stop();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const talk = (tenant: string, conversation: string) =>
    post(
      `${gateway.url}/v1/chat/completions`,
      { model: "m", messages: exampleMessages() },
      { "x-pith-key": `key-${tenant}`, "x-pith-conversation": conversation },
    );

  test("a key opens it, a conversation appears as it passes, and nobody else's does", async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      // The form itself is answered with 401.
      if (message.type() === "error" && !message.text().includes("401")) faults.push(message.text());
    });
    await page.goto(`${gateway.url}/inspect`);
    await page.getByLabel("Your key for this gateway").fill("key-ann");
    await page.getByRole("button", { name: "Open the inspector" }).click();
    await page.getByRole("main").waitFor();
    expect(page.url()).toMatch(/\/inspect\/(#.*)?$/);
    expect((await talk("ben", "secret plan")).status).toBe(200);
    expect((await talk("ann", "open plan")).status).toBe(200);
    const row = page.locator("tbody tr").filter({ hasText: "ann/open plan" });
    await row.waitFor({ timeout: 20_000 });
    expect(await page.locator("tbody tr").count()).toBe(1);
    await row.locator("a").first().click();
    await page.getByRole("heading", { level: 1, name: "ann/open plan" }).waitFor();
    expect(await page.content()).not.toContain("secret plan");
    expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  }, 60_000);
});
