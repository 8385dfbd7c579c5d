import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

/** What an answer comes to: a status, or where a 303 leads. */
type Outcome = number | string;
/** Nobody, the owner, another user, somebody of the staff. */
interface Row {
  readonly nobody: Outcome;
  readonly owner: Outcome;
  readonly other: Outcome;
  readonly staff: Outcome;
}

const all = (outcome: Outcome): Row => ({ nobody: outcome, owner: outcome, other: outcome, staff: outcome });
/** For whoever is signed in, each with his own. */
const own = (outcome: Outcome): Row => ({ ...all(outcome), nobody: '/login' });
/** The owner's alone. */
const ownersOnly = (outcome: Outcome): Row => ({ ...all(404), nobody: '/login', owner: outcome });
const staffOnly = (outcome: Outcome): Row => ({ ...all(404), nobody: '/login', staff: outcome });

const GETS: readonly (readonly [string, Row])[] = [
  ['/login', { ...all('/dashboard'), nobody: 200 }],
  ['/register', all(200)],
  ['/register?plan=growth', all(200)],
  ['/forgot-password', all(200)],
  ['/reset-password', all('/forgot-password')],
  ['/reset-password?token=wrong', all(410)],
  ['/verify-email', all(200)],
  ['/verify-email?token=wrong', all(410)],
  ['/undo-email-change', all(410)],
  ['/undo-email-change?token=wrong', all(410)],
  // GitHub is not configured.
  ['/oauth/github/start', all(404)],
  ['/oauth/github/callback?code=x&state=y', all(404)],
  ['/dashboard', own(200)],
  ['/account', own(200)],
  ['/account/export', own(200)],
  ['/account/books', own(200)],
  ['/api-keys', own(200)],
  ['/device', own(200)],
  ['/device?user_code=BCDF-GHJK', own(422)],
  ['/links', own(200)],
  ['/bets', own(200)],
  ['/bets/999999', { ...all(404), nobody: '/login' }],
  ['/billing', own(200)],
  ['/billing/portal', own('/billing')],
  ['/usage', own(200)],
  ['/usage?page=2&q=odds&status=2xx&days=30&key_id=1', own(200)],
  ['/analytics', own(200)],
  ['/playground', own(200)],
  ['/alerts', own(200)],
  ['/alerts/new', own(200)],
  ['/alerts/new?format=discord&about=final&sport=nfl', own(200)],
  ['/alerts/new?about=nothing', own(200)],
  ['/alerts/end', all(410)],
  ['/alerts/end?token=wrong', all(410)],
  ['/api-keys/KEY/reveal', ownersOnly(200)],
  ['/api-keys/999999/reveal', { ...all(404), nobody: '/login' }],
  ['/billing/invoices/INVOICE/receipt', ownersOnly(200)],
  ['/billing/invoices/999999/receipt', { ...all(404), nobody: '/login' }],
  ['/admin', staffOnly(200)],
  ['/admin/users', staffOnly(200)],
  ['/admin/users/USER', staffOnly(200)],
  ['/admin/coupons', staffOnly(200)],
  ['/admin/plans', staffOnly(200)],
  ['/admin/settings', staffOnly(200)],
  ['/admin/customers', staffOnly(200)],
  ['/admin/customers/ACCOUNT', staffOnly(200)],
  ['/admin/security', staffOnly(200)],
  ['/admin/data', staffOnly(200)],
  ['/admin/data?tab=duplicates', staffOnly(200)],
  ['/admin/data?tab=acts&before=x', staffOnly(200)],
  ['/admin/data?tab=acts&try=undo&act=999999', staffOnly(200)],
  ['/admin/data?by_source=b&by_reason=none&all_of=b', staffOnly(200)],
];

/** Forms that change nothing as they are sent here, or that everybody sends for himself. */
const POSTS: readonly (readonly [string, Record<string, string>, Row])[] = [
  ['/login', { email: 'nobody@x.example', password: 'wrong password' }, all(422)],
  ['/register', { email: 'nobody', password: 'a fine long password' }, all(422)],
  ['/forgot-password', { email: 'nobody@x.example' }, all('/forgot-password')],
  ['/resend-verification', { email: 'nobody@x.example' }, all('/verify-email')],
  ['/reset-password', { token: 'wrong', password: 'a fine long password' }, all(410)],
  ['/device', { user_code: 'BCDF-GHJK', decision: 'approve' }, own(422)],
  ['/reset-password/remove', { token: 'wrong', kind: 'key', id: '1' }, all(410)],
  ['/verify-email', { token: 'wrong', password: 'a fine long password' }, all(410)],
  ['/undo-email-change', { token: 'wrong' }, all(410)],
  ['/oauth/github/start', { current_password: 'wrong' }, own(404)],
  ['/account/profile', { name: '' }, own(422)],
  ['/account/password', { current_password: 'wrong', password: 'another fine password' }, own(422)],
  ['/account/sessions/SESSION/revoke', {}, ownersOnly('/account')],
  ['/account/sessions/revoke-others', {}, own('/account')],
  ['/account/delete', { current_password: 'wrong' }, own(422)],
  ['/account/github/unlink', {}, own('/account')],
  ['/api-keys', { name: '' }, own(422)],
  ['/bets', { csv: '' }, own(422)],
  ['/account/books', { others: '' }, own(422)],
  ['/bets/999999/change', {}, { ...all(404), nobody: '/login' }],
  ['/bets/999999/delete', {}, { ...all(404), nobody: '/login' }],
  ['/links', { path: '' }, own(422)],
  ['/links/999999/revoke', {}, { ...all(404), nobody: '/login' }],
  ['/api-keys/KEY/revoke', {}, ownersOnly('/api-keys')],
  ['/api-keys/999999/revoke', {}, { ...all(404), nobody: '/login' }],
  ['/playground', { operation: 'no_such_tool' }, own(422)],
  ['/alerts', { format: 'discord', url: 'https://discord.com/' }, own(422)],
  ['/alerts/ALERT/test', {}, ownersOnly('/alerts')],
  ['/alerts/999999/test', {}, { ...all(404), nobody: '/login' }],
  ['/alerts/999999/remove', {}, { ...all(404), nobody: '/login' }],
  ['/alerts/end?token=wrong', {}, all(410)],
  ['/onboarding/docs-visit', {}, own('/docs')],
  ['/billing/subscribe', { plan: 'gold' }, own(422)],
  // Nobody here is on growth.
  ['/billing/cancel', {}, own(422)],
  ['/billing/topup', { pack_id: '999' }, own(422)],
  ['/billing/auto-recharge', { enabled: 'on', threshold: '0' }, own(422)],
  ['/billing/coupon', { code: 'NO-SUCH-CODE' }, own(422)],
  ['/billing/payment-method', { payment_method: '' }, own(422)],
  ['/billing/payment-method/remove', {}, own('/billing')],
  ['/billing/setup-intent', {}, own(200)],
  ['/admin/users/USER/revoke-sessions', {}, staffOnly('/admin/users/USER')],
  ['/admin/users/USER/password-reset', {}, staffOnly('/admin/users/USER')],
  ['/admin/users/USER/resend-verification', {}, staffOnly('/admin/users/USER')],
  ['/admin/users/USER/rate-limit', { requests_per_minute: 'x' }, staffOnly(422)],
  ['/admin/users/USER/staff', { staff: 'x' }, staffOnly(422)],
  ['/admin/users/USER/role', { role: 'x' }, staffOnly(422)],
  ['/admin/users/USER/toggle', { active: 'x' }, staffOnly(422)],
  ['/admin/users/999999/delete', {}, staffOnly(404)],
  ['/admin/coupons', { code: 'x' }, staffOnly(422)],
  ['/admin/coupons/999999/toggle', { active: 'true' }, staffOnly(404)],
  ['/admin/coupons/999999/delete', {}, staffOnly(404)],
  ['/admin/plans/free', { name: '' }, staffOnly(422)],
  ['/admin/plans/free/delete', {}, staffOnly(422)],
  ['/admin/settings', { free_daily_cap: 'x' }, staffOnly(422)],
  ['/admin/data/act', { action: 'undo', act: '999999' }, staffOnly(422)],
  ['/admin/data/act', { action: 'merge' }, staffOnly(422)],
  ['/admin/data/dismiss-source', { source: 'No Source' }, staffOnly(422)],
  ['/admin/customers/ACCOUNT/entitlements', {}, staffOnly(422)],
  ['/admin/customers/ACCOUNT/resend-verification', {}, staffOnly('/admin/customers/ACCOUNT')],
];

const VISITORS = ['nobody', 'other', 'staff', 'owner'] as const;
const ADDRESSES = { other: 'other@x.example', staff: 'staff@x.example', owner: 'owner@x.example' } as const;

let site: WholeSite;
let ids: Readonly<Record<string, string>>;
const browsers = {} as Record<(typeof VISITORS)[number], TestBrowser>;

beforeAll(async () => {
  site = await wholeSite();
  const owner = await site.user(ADDRESSES.owner);
  const victim = await site.user('victim@x.example');
  await site.user(ADDRESSES.other);
  await site.user(ADDRESSES.staff, { staff: true });
  browsers.nobody = site.browser();
  for (const name of ['other', 'staff', 'owner'] as const) browsers[name] = await site.signedIn(ADDRESSES[name]);
  await site.signedIn(ADDRESSES.owner);
  const key = await browsers.owner.post('/api-keys', { name: 'mine' });
  await browsers.owner.post('/billing/payment-method', { payment_method: 'ok' });
  const bought = await browsers.owner.post('/billing/topup', { pack_id: '1', idempotency_key: 'once' });
  expect([key.location, bought.location]).toEqual([expect.stringMatching(/reveal$/), '/billing']);
  const [invoice] = await site.server.accounts.customerBilling.invoices(owner.accountId!);
  const [session] = await site.people.staff.sessionsOf(owner.id);
  await browsers.owner.post('/alerts', { format: 'email', about: 'final', sport: 'all' });
  const [alert] = await site.server.webhooks.services.list(
    (await site.server.accounts.findOwnerPrincipal(owner.accountId!))!,
  );
  ids = {
    ALERT: String(alert!.id),
    KEY: /\d+/.exec(key.location!)![0],
    INVOICE: String(invoice!.id),
    SESSION: String(session!.id),
    USER: String(victim.id),
    ACCOUNT: String(victim.accountId),
  };
});
afterAll(() => site.close());

const named = (text: string) =>
  text.replaceAll(/\b(?:KEY|ALERT|INVOICE|SESSION|USER|ACCOUNT)\b/g, (name) => ids[name]!);
const outcomeOf = ({ status, location }: Answered): Outcome => (status === 303 ? location! : status);
const told = (outcome: Outcome) => (typeof outcome === 'string' ? named(outcome) : outcome);

describe.each(VISITORS)('as %s', (who) => {
  it.each(GETS)('GET %s', async (path, row) => {
    const address = named(path);
    const expected = row[who] === '/login' ? `/login?next=${encodeURIComponent(address)}` : told(row[who]);
    const answer = await browsers[who].get(address);
    expect(outcomeOf(answer)).toBe(expected);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    if (answer.status !== 303 && String(answer.headers['content-type']).startsWith('text/html')) {
      expect(answer.text.match(/<h1[ >]/g)).toHaveLength(1);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|\*/);
    }
  });
  it.each(POSTS)('POST %s', async (path, fields, row) => {
    expect(outcomeOf(await browsers[who].post(named(path), fields))).toBe(told(row[who]));
  });
  it('what is not there is a page where a browser asks, and JSON elsewhere', async () => {
    const page = await browsers[who].get('/nowhere/at/all');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const json = await browsers[who].get('/nowhere/at/all', { accept: '*/*' });
    expect(json.status).toBe(404);
    expect(JSON.parse(json.text)).toMatchObject({ error: { code: 'not_found' } });
  });
  it.each(['PUT', 'DELETE', 'PATCH'])('%s is not there', async (method) => {
    expect((await browsers[who].go('/login', { method })).status).toBe(405);
  });
});

it('HEAD tells what GET would, and sets nothing off', async () => {
  const browser = await site.signedIn(ADDRESSES.owner);
  expect((await browser.go('/logout', { method: 'HEAD' })).status).toBe(303);
  expect((await browser.go('/dashboard', { method: 'HEAD' })).status).toBe(200);
  const key = await browser.post('/api-keys', { name: 'seen' });
  expect((await browser.go(key.location!, { method: 'HEAD' })).text).toBe('');
  expect((await browser.get(key.location!)).status).toBe(200);
  expect((await browser.get(key.location!)).status).toBe(410);
});
