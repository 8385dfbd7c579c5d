import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY, MINUTE } from '../../../src/domain/primitives/time.ts';
import { realTimer } from '../../../src/platform/async/timer.ts';
import type { Mail } from '../../../src/platform/mail/mail.ts';
import { CHEAP, CLIENT, EMAIL, PASSWORD, tokenOf } from '../../accounts/users/users-world.ts';
import { composed, START } from '../../support/composed.ts';
import { temporaryFolder } from '../cli/launching.ts';

/** A server whose minutes pass when the test says so. */
async function served(folder?: string) {
  const minutes: (() => void)[] = [];
  const mails: Mail[] = [];
  const server = await composed({
    ...(folder === undefined ? {} : { folder }),
    environment: {
      setTimer(callback, milliseconds) {
        if (milliseconds !== MINUTE) return realTimer(callback, milliseconds);
        minutes.push(callback);
        return () => void minutes.splice(minutes.indexOf(callback) >>> 0, 1);
      },
    },
    replacements: {
      hashing: CHEAP,
      mailer: { description: '', send: async (mail) => void mails.push(mail) },
    },
  });
  onTestFinished(() => server.close());
  return { ...server, mails, minutes, people: server.server.people };
}

describe('people of a server', () => {
  it('given a registration, then its mail leaves by the outbox, and its link is below the public address', async () => {
    const { people, mails } = await served();
    await people.users.register({ email: EMAIL, password: PASSWORD, name: '', plan: '' }, CLIENT);
    await expect.poll(() => mails.length, { timeout: 10_000 }).toBe(1);
    expect(mails[0]).toMatchObject({ to: EMAIL, text: expect.stringContaining('https://sports.example/verify-email') });
    expect(await people.users.verifyEmail(tokenOf(mails[0]!), PASSWORD, CLIENT)).toBe(true);
  });

  it('given a mail that a killed process owed, then it leaves at the next start, and nobody waits for the minute', async () => {
    const folder = temporaryFolder();
    const killed = await composed({ folder });
    // What a registration or a new password writes down, of which nothing was done yet.
    const job = { kind: 'password_changed' as const, content: JSON.stringify({ email: EMAIL }), user_id: null };
    const jobs = (await killed.registry()).insertInto('background_jobs');
    await jobs.values({ ...job, at: new Date(START).toISOString(), taken_until: null }).execute();
    await killed.close();

    const { mails } = await served(folder);
    await expect.poll(() => mails, { timeout: 10_000 }).toMatchObject([{ to: EMAIL }]);
  });

  it('given a minute, then what is too old is erased, and the next minute follows', async () => {
    const { people, minutes, clock } = await served();
    await people.security.note({ type: 'csrf_refused', client: CLIENT });
    clock.time += 90 * DAY;
    // One for users, one for requests of keys.
    await expect.poll(() => minutes.length, { timeout: 10_000 }).toBe(2);
    for (const minute of minutes.splice(0)) minute();
    const ips = async () => (await people.security.list({ page: 1 })).events.map(({ ip }) => ip);
    await expect.poll(ips, { timeout: 10_000 }).toEqual([null]);
    await expect.poll(() => minutes.length, { timeout: 10_000 }).toBe(2);
  });

  it('given a suspended user, then his keys answer 401, and work again when he is active', async () => {
    const { people, newKey, url, clock } = await served();
    const { operators, staff } = people.users;
    const { user: by } = await operators.create({ email: 'staff@example.com', staff: true, password: PASSWORD });
    const { user } = await operators.create({ email: EMAIL, staff: false, password: PASSWORD });
    const { key } = await newKey({ account: { id: user.accountId! } });
    const status = async () => {
      // Half a second is what a server may go by what it knew.
      clock.time += 500;
      const response = await fetch(`${url}/api/agent/credits`, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await status()).toBe(200);
    await staff.setActive({ ...by, accountId: by.accountId! }, user.id, false, CLIENT);
    expect(await status()).toBe(401);
    await staff.setActive({ ...by, accountId: by.accountId! }, user.id, true, CLIENT);
    expect(await status()).toBe(200);
  });
});
