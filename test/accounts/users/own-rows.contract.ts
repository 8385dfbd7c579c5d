import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MAX_EVENTS, MAX_EVENTS_OF_USER } from '../../../src/accounts/users/sql-security-log.ts';
import { MAX_SESSIONS } from '../../../src/accounts/users/user-sessions.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal, START } from './users-world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Nothing of one user's own rows is without a bound. */
export function ownRowsContract(given: () => UsersUnderTest): void {
  describe('own rows', () => {
    const iso = (time: number) => new Date(time).toISOString();
    const insertEvents = async (userId: number, count: number) => {
      const { database, clock } = given().world;
      const event = { at: iso(clock.time), severity: 'info', type: 'signed_in', user_id: userId, ip: '192.0.2.7' };
      for (let left = count; left > 0; left -= 1000) {
        const rows = Array.from({ length: Math.min(1000, left) }, () => event);
        await database.insertInto('security_events').values(rows).execute();
      }
    };
    const countOf = async (table: 'sessions' | 'security_events' | 'registrations', userId: number) => {
      const { count } = await given()
        .world.database.selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return Number(count);
    };

    it('given a million security events of all, then the oldest go, also those of nobody, and critical ones stay', async () => {
      const { world } = given();
      await world.signedUp();
      const { database, store, clock } = world;
      const event = { at: iso(clock.time), type: 'csrf_refused', ip: '192.0.2.7' };
      const rows = ['info', 'warning', 'critical'].map((severity) => ({ ...event, severity }));
      const inserted = await database.insertInto('security_events').values(rows).returning('id').execute();
      const newest = Number(inserted.at(-1)!.id);
      // As after a million: SQLite goes on from the largest id, PostgreSQL from its sequence.
      const id = MAX_EVENTS + newest;
      await database
        .insertInto('security_events')
        .values({ ...event, severity: 'info', id })
        .execute();
      if (store.dialect.isShared) {
        await sql`select setval(pg_get_serial_sequence('security_events', 'id'), ${sql.lit(id)})`.execute(database);
      }

      begun(await world.signIn());

      const old = await database.selectFrom('security_events').select('severity').where('id', '<=', newest).execute();
      expect(old).toEqual([{ severity: 'critical' }]);
    });

    it('given more than 100 sessions of a user, then the oldest have ended', async () => {
      const { world } = given();
      const { token, user } = await world.signedUp();
      const tokens = [token];
      for (let n = 1; n <= MAX_SESSIONS + 2; n++) {
        world.clock.time += MINUTE;
        tokens.push(begun(await world.signIn(EMAIL, PASSWORD, clientOf(n))).token);
      }
      const alive = await Promise.all(tokens.map(async (one) => (await world.users.session(one)) !== undefined));
      expect(alive.lastIndexOf(false)).toBe(2);
      expect(await countOf('sessions', user.id)).toBe(MAX_SESSIONS);
      const first = await world.users.sessionsOf(user);
      const second = await world.users.sessionsOf(user, first.sessions.at(-1)!.id);
      expect([first.sessions.length, first.hasMore, second.sessions.length, second.hasMore]).toEqual([
        ...[50, true, 50, false],
      ]);
      const ids = [...first.sessions, ...second.sessions].map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    });

    it('given a session that signs in again, then the session before has ended', async () => {
      const { world } = given();
      const { token, ...session } = await world.signedUp();
      const again = begun(
        await world.users.signIn({ email: EMAIL, password: PASSWORD, remember: false }, CLIENT, { session }),
      );
      expect(await world.users.session(token)).toBeUndefined();
      expect(await world.users.session(again.token)).toBeDefined();
      expect(await countOf('sessions', session.user.id)).toBe(1);
      // A wrong password ends nothing.
      await world.users.signIn({ email: EMAIL, password: 'a wrong password', remember: false }, CLIENT, again);
      expect(await world.users.session(again.token)).toBeDefined();
    });

    it('given more than 10,000 security events of a user, then the oldest go, and what staff did stays', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      await world.users.staff.setActive({ ...user, id: user.id + 1 }, user.id, false, CLIENT);
      await world.users.staff.setActive({ ...user, id: user.id + 1 }, user.id, true, CLIENT);
      await insertEvents(user.id, MAX_EVENTS_OF_USER);
      await world.security.note({ type: 'key_created', userId: user.id, client: CLIENT });
      expect(await countOf('security_events', user.id)).toBe(MAX_EVENTS_OF_USER + 2);
      const kept = await world.security.list({ userId: user.id, severity: 'critical' });
      expect(kept.events.map(({ type }) => type)).toEqual(['account_reactivated', 'account_suspended']);
      await world.security.note({ type: 'key_created', userId: user.id, client: CLIENT });
      expect(await countOf('security_events', user.id)).toBe(MAX_EVENTS_OF_USER + 2);
      let listed = 0;
      for await (const event of world.security.ofUser(user.id)) listed += event.userId === user.id ? 1 : 0;
      expect(listed).toBe(MAX_EVENTS_OF_USER + 2);
    });

    it('given events of info and warning that are older than 400 days, then they go, and critical ones stay', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      await world.users.staff.setActive({ ...user, id: user.id + 1 }, user.id, false, CLIENT);
      await world.prune(START + 401 * DAY);
      const { events } = await world.security.list({});
      expect(events.map(({ type }) => type)).toEqual(['account_suspended']);
    });

    it('given many registrations with one address, then those without a link that works go, the oldest first', async () => {
      const { world } = given();
      const register = (n: number) =>
        world.users.register({ email: EMAIL, password: PASSWORD, name: `Ann ${n}`, plan: 'free' }, clientOf(n));
      await register(0);
      const first = await world.token();
      for (let n = 1; n < 30; n++) await register(n);
      const { users } = await world.users.staff.list(1, EMAIL);
      expect(await countOf('registrations', users[0]!.id)).toBe(21);
      // The link of the first one still works.
      expect(await world.users.verifyEmail(first, PASSWORD, CLIENT)).toBe(true);
    });

    it('given resets and changes of address again and again, then there is one row of each', async () => {
      const { world } = given();
      const session = await world.signedUp();
      for (let n = 0; n < 15; n++) {
        await world.users.forgotPassword(EMAIL, clientOf(n));
        const profile = { name: 'Ann', timezone: 'UTC', email: `new${n}@example.com`, currentPassword: PASSWORD };
        await world.users.changeProfile(session, profile, clientOf(n));
        await world.resume();
      }
      const rows = async (table: 'password_resets' | 'email_changes' | 'background_jobs') =>
        (await world.database.selectFrom(table).selectAll().execute()).length;
      expect([await rows('password_resets'), await rows('email_changes'), await rows('background_jobs')]).toEqual([
        1, 1, 0,
      ]);
    });

    it('given nothing to end, then ending the other sessions notes nothing', async () => {
      const { world } = given();
      const session = await world.signedUp();
      const before = await countOf('security_events', session.user.id);
      for (let n = 0; n < 5; n++) await world.users.revokeOthers(session, CLIENT);
      expect(await countOf('security_events', session.user.id)).toBe(before);
    });

    it('given many refused forms of an address, then one a minute is noted', async () => {
      const { world } = given();
      const refused = async (n: number) => world.security.note({ type: 'csrf_refused', client: clientOf(n) });
      for (let n = 0; n < 10; n++) await refused(1);
      await refused(2);
      const counted = async () => (await world.security.list({ type: 'csrf_refused' })).events.length;
      expect(await counted()).toBe(2);
      world.clock.time += MINUTE + 1;
      await refused(1);
      expect(await counted()).toBe(3);
    });

    it('given a download that runs, then another one is refused; given 10 in an hour, then one more', async () => {
      const { world, another } = given();
      const { user } = await world.signedUp();
      const other = world.another(await another());
      const running = await world.users.beginExport(user);
      const refused = await refusal(other.users.beginExport(user));
      expect([refused.status, refused.retryAfter! > 0]).toEqual([429, true]);
      await running.end();
      for (let n = 1; n < 10; n++) await (await world.users.beginExport(user)).end();
      expect((await refusal(world.users.beginExport(user))).status).toBe(429);
      world.clock.time += 60 * MINUTE + 1;
      await (await world.users.beginExport(user)).end();
      await other.close();
    });
  });
}
