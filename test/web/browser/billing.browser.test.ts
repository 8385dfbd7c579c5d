import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/domain/primitives/domain-errors.ts';
import { invoice, OVERVIEW } from '../account/billing/fake-billing.ts';
import { type ServedBilling, serveBilling } from '../account/billing/serve-billing.ts';
import { complaints, fitsItsWidth, launchBrowser, MANNERS, type Manner } from './browsing.ts';

/**
 * A DOUBLE of Stripe's script: it has the few functions that the page's own script calls, notes what they are given,
 * and answers what the test has put into `window.next`. No part of Stripe.
 */
const STRIPE_DOUBLE = `'use strict';
window.told = [];
window.next = { setupIntent: { payment_method: 'pm_typed' } };
window.Stripe = (key) => ({
  elements: (given) => {
    window.told.push(['elements', key, given]);
    return { create: (kind) => {
      const heard = {};
      return {
        on: (name, run) => { heard[name] = run; },
        mount: (place) => {
          document.querySelector(place).textContent = 'double of the form: ' + kind;
          setTimeout(() => heard.ready());
        },
        focus: () => window.told.push(['focus']),
      };
    } };
  },
  confirmSetup: async ({ redirect, confirmParams }) => {
    window.told.push(['confirmSetup', redirect, confirmParams]);
    return window.next;
  },
});`;

let browser: Browser;
let served: ServedBilling | undefined;
let context: BrowserContext | undefined;
const faults: string[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  await context?.close();
  await served?.close();
  faults.length = 0;
});
afterAll(() => browser.close());

async function open(entry: 'development' | 'stripe', { look, width }: Manner = MANNERS[1]!): Promise<Page> {
  served = await serveBilling(entry);
  const state = served.state;
  state.setup = { client_secret: 'seti_1_secret_1', publishable_key: 'pk_test_1' };
  state.overview = { ...OVERVIEW, card: { label: 'Visa ending in 4242' }, waitingPercent: 20 };
  state.invoices = [invoice(), invoice({ id: 4, number: 'LL-2026-000004', status: 'declined' })];
  context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: look, reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'session', value: 'ada', url: served.url }]);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STRIPE_DOUBLE }),
  );
  await page.goto(`${served.url}/billing`);
  return page;
}
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: unknown[] }).told);

describe('the page of billing', () => {
  describe.each(['development', 'stripe'] as const)('with %s', (entry) => {
    it.each(MANNERS)('is for everybody, in $look at $width px', async (manner) => {
      const page = await open(entry, manner);

      expect(await complaints(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(faults).toEqual([]);
    });
  });
});

describe('the card form of Stripe (a double of its script)', () => {
  it('is drawn once it is asked for, and what it makes is put on file', async () => {
    const page = await open('stripe');
    await page.getByRole('button', { name: 'Replace the card' }).click();
    await page.getByRole('button', { name: 'Save the card' }).click();
    await page.getByText('The card is on file.').waitFor();

    expect(served!.state.asked).toMatchObject([
      ['setupIntent', { accountId: 1 }],
      ['setPaymentMethod', { accountId: 1 }, 'pm_typed'],
    ]);
    expect(page.url()).toBe(`${served!.url}/billing`);
    expect(faults).toEqual([]);
  });

  it('gets what the server says, and the keyboard', async () => {
    const page = await open('stripe');
    await page.getByRole('button', { name: 'Replace the card' }).click();
    await page.getByRole('button', { name: 'Save the card' }).waitFor();

    expect(await told(page)).toEqual([['elements', 'pk_test_1', { clientSecret: 'seti_1_secret_1' }], ['focus']]);
  });

  it('says what is wrong with a card, posts nothing, and takes another one', async () => {
    const page = await open('stripe');
    await page.evaluate(() => {
      (window as unknown as { next: unknown }).next = { error: { message: 'Your card was declined.' } };
    });
    await page.getByRole('button', { name: 'Replace the card' }).click();
    await page.getByRole('button', { name: 'Save the card' }).click();
    await page.getByRole('status').getByText('Your card was declined.').waitFor();
    expect(served!.state.asked.map(([what]) => what)).toEqual(['setupIntent']);

    await page.evaluate(() => {
      (window as unknown as { next: unknown }).next = { setupIntent: { payment_method: { id: 'pm_other' } } };
    });
    await page.getByRole('button', { name: 'Save the card' }).click();
    await page.getByText('The card is on file.').waitFor();
    expect(served!.state.asked.at(-1)).toMatchObject(['setPaymentMethod', {}, 'pm_other']);
  });

  it('says what the server refuses, and can be asked for again', async () => {
    const page = await open('stripe');
    served!.state.refusal = new RefusedError(409, 'Come again in a minute.');
    await page.getByRole('button', { name: 'Replace the card' }).click();
    await page.getByText('Come again in a minute.').waitFor();

    await page.getByRole('button', { name: 'Replace the card' }).click();
    await page.getByRole('button', { name: 'Save the card' }).waitFor();
  });

  it('says so where Stripe`s script does not come', async () => {
    const page = await open('stripe');
    await page.route('https://js.stripe.com/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Replace the card' }).click();

    await page.getByText('The card form of Stripe could not be loaded.').waitFor();
  });
});
