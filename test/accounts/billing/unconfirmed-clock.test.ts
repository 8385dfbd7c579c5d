import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { composed } from '../../support/composed.ts';
import { CHEAP } from '../users/users-world.ts';

const folder = temporaryFolder();
const NOVEMBER = Date.parse('2026-11-20T12:00:00Z');
const request = (accountId: number, n: number) => ({
  accountId,
  userId: 1,
  requestId: `request-${n}`,
  idempotencyKey: `form-${n}`,
});

it('given another boot and a clock in the next month, then nobody pays for it until the clock is right or confirmed', async () => {
  const path = folder.path('data');
  mkdirSync(path);
  let boots = 0;
  const start = (time: number, acceptClock?: number) => {
    const bootClock = { bootId: `boot ${++boots}`, uptime: () => 1000 };
    const more = acceptClock === undefined ? {} : { acceptClock };
    return composed({ folder: path, time, environment: { bootClock }, replacements: { hashing: CHEAP }, ...more });
  };
  const first = await start(NOVEMBER);
  const { user } = await first.server.people.users.operators.create({
    email: 'ann@x.example',
    password: 'a fine long password',
    staff: false,
  });
  const accountId = user.accountId!;
  await first.server.accounts.customerBilling.setPaymentMethod(request(accountId, 1), 'ok');
  await first.server.accounts.customerBilling.subscribe(request(accountId, 2), 'growth');
  const paid = async ({ server }: Awaited<ReturnType<typeof composed>>) => {
    await server.accounts.billing.subscriptions.doDue();
    return (await server.accounts.customerBilling.invoices(accountId)).length;
  };
  expect(await paid(first)).toBe(1);
  await first.close();

  for (let n = 3; n < 5; n++) {
    const wrong = await start(NOVEMBER + 20 * DAY);
    expect(await paid(wrong)).toBe(1);
    const topUp = wrong.server.accounts.customerBilling.topUp(request(accountId, n), 1);
    await expect(topUp).rejects.toThrow('ACCEPT_CLOCK=2026-12-10T12:00:00Z');
    // What costs no money goes on.
    expect(await wrong.server.accounts.customerBilling.rewardDocsVisit(request(accountId, n))).toBe(n === 3 ? 100 : 0);
    wrong.clock.time = NOVEMBER;
    expect(await paid(wrong)).toBe(1);
    wrong.clock.time = NOVEMBER + 20 * DAY;
    await wrong.close();
  }

  const confirmed = await start(NOVEMBER + 20 * DAY, NOVEMBER + 20 * DAY);
  expect(await paid(confirmed)).toBe(2);
  await confirmed.close();
});
