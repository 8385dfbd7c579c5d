import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type WholeSite, wholeSite } from './whole-application.ts';

const EMAIL = 'ann@x.example';
const BY = { userId: 1, requestId: 'test' };

let site: WholeSite;
beforeAll(async () => {
  site = await wholeSite();
});
afterAll(() => site.close());

/** What the two ways to credits bring: the visit of the documentation, and a coupon. */
async function collected(browser: Awaited<ReturnType<WholeSite['signedIn']>>) {
  const visit = await browser.post('/onboarding/docs-visit', {}, { accept: 'application/json' });
  const coupon = await browser.post('/billing/coupon', { code: 'WELCOME' });
  return [JSON.parse(visit.text).granted, coupon.status];
}

it('given an account that is deleted and made anew with its address, then rewards and coupons come once', async () => {
  const coupon = { code: 'WELCOME', kind: 'credits', value: 500, maxUses: null, expiresAt: null } as const;
  await site.server.accounts.staffBilling.createCoupon(BY, coupon);
  await site.user(EMAIL);
  const first = await site.signedIn(EMAIL);
  expect(await collected(first)).toEqual([100, 303]);
  expect(await collected(first)).toEqual([0, 422]);
  for (let time = 0; time < 2; time++) {
    const last = await site.signedIn(EMAIL);
    expect((await last.post('/account/delete', { current_password: PASSWORD })).location).toBe('/');
    await site.user(EMAIL);
    expect(await collected(await site.signedIn(EMAIL))).toEqual([0, 422]);
  }
  await site.user('bob@x.example');
  expect(await collected(await site.signedIn('bob@x.example'))).toEqual([100, 303]);
});
