import { describe, expect, it } from 'vitest';
import { createSuspensionCheck } from '../../../src/accounts/users/user-queries.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { BASE_URL, begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const STAFF = 'staff@example.com';
const NEW_PASSWORD = 'another fine password';

export function staffContract(given: () => UsersUnderTest): void {
  async function twoUsers() {
    const { world } = given();
    const by = await world.signedUp(STAFF);
    await world.users.operators.setStaff(STAFF, true);
    const session = await world.signedUp();
    const { user } = (await world.users.session(by.token))!;
    return { world, by: user, staff: world.users.staff, session, id: session.user.id };
  }

  describe('staff', () => {
    it('given users, then they are listed 50 a page, the newest first, and found by e-mail and name as text', async () => {
      const { world, staff } = await twoUsers();
      for (let n = 0; n < 55; n++) {
        const form = { email: `u${n}@list.example`, password: PASSWORD, name: n === 7 ? 'ÄNNE 50%_x' : '', plan: '' };
        await world.users.register(form, clientOf(n % 10));
      }
      const [first, second] = [await staff.list(1, ''), await staff.list(2, '')];
      expect([first.hasMore, first.users.length]).toEqual([true, 50]);
      expect([second.hasMore, second.users.length]).toEqual([false, 7]);
      // By the id of the last one shown it is the same page.
      expect(await staff.list(2, '', first.users.at(-1)!.id)).toEqual(second);
      expect(first.users[0]!.email).toBe('u54@list.example');
      const found = async (q: string) => (await staff.list(1, q)).users.map(({ email }) => email);
      expect(await found('U54@')).toEqual(['u54@list.example']);
      expect(await found(' änne 50%_X ')).toEqual(['u7@list.example']);
      expect(await found('_54')).toEqual([]);
      expect(await found('u54@list\0.example')).toEqual(['u54@list.example']);
      expect((await staff.list(2, 'list.example')).users).toHaveLength(5);
    });

    it('given a user who is suspended, then his sessions end and nobody signs in; active again, the sessions stay ended', async () => {
      const { world, by, staff, session, id } = await twoUsers();
      await staff.setActive(by, id, false, CLIENT);
      expect(await world.users.session(session.token)).toBeUndefined();
      expect(await world.signIn()).toEqual({ outcome: 'suspended' });
      expect(await world.signIn(EMAIL, 'wrong password')).toEqual({ outcome: 'wrong' });
      const account = () =>
        world.database.selectFrom('accounts').selectAll().where('id', '=', session.user.accountId).executeTakeFirst();
      expect((await account())!.suspended_at).not.toBeNull();
      expect(await createSuspensionCheck(world.store)(session.user.accountId)).toBe(true);
      expect(await staff.find(id)).toMatchObject({ isActive: false });
      await staff.setActive(by, id, true, CLIENT);
      expect((await account())!.suspended_at).toBeNull();
      expect(await createSuspensionCheck(world.store)(session.user.accountId)).toBe(false);
      expect(await world.users.session(session.token)).toBeUndefined();
      expect((await world.signIn()).outcome).toBe('signed_in');
    });

    it('given oneself, then nobody suspends, deletes or lowers himself', async () => {
      const { by, staff, world } = await twoUsers();
      const own = [
        () => staff.setActive(by, by.id, false, CLIENT),
        () => staff.delete(by, by.id, CLIENT),
        () => staff.setStaff(by, by.id, false, CLIENT),
        () => staff.setRole(by, by.id, 'support', CLIENT),
      ];
      for (const one of own) expect((await refusal(one())).status).toBe(422);
      expect(await world.users.staff.find(by.id)).toEqual(by);
    });

    it('given a user who is unknown, then each act is 404', async () => {
      const { by, staff } = await twoUsers();
      const acts = [
        () => staff.setActive(by, 999, false, CLIENT),
        () => staff.delete(by, 999, CLIENT),
        () => staff.setStaff(by, 999, true, CLIENT),
        () => staff.setRole(by, 999, 'admin', CLIENT),
        () => staff.setRateLimit(by, 999, 5, CLIENT),
        () => staff.revokeSessions(by, 999, CLIENT),
        () => staff.mailPasswordReset(by, 999, CLIENT),
        () => staff.resendVerification(by, 999, CLIENT),
      ];
      for (const one of acts) expect((await refusal(one())).status).toBe(404);
    });

    it('given a role, a rate limit and a suspension, then they are kept, and what matters stands in the security log once', async () => {
      const { world, by, staff, session, id } = await twoUsers();
      await staff.setStaff(by, id, true, CLIENT);
      expect(await staff.find(id)).toMatchObject({ isStaff: true, role: 'support' });
      await staff.setRole(by, id, 'admin', CLIENT);
      expect(await staff.find(id)).toMatchObject({ role: 'admin' });
      expect((await refusal(staff.setRateLimit(by, id, 0, CLIENT))).fields).toHaveProperty('requests_per_minute');
      await staff.setRateLimit(by, id, 7, CLIENT);
      expect(await staff.rateLimitOf(id)).toBe(7);
      await staff.setRateLimit(by, id, null, CLIENT);
      expect(await staff.rateLimitOf(id)).toBeNull();
      await staff.revokeSessions(by, id, CLIENT);
      expect(await world.users.session(session.token)).toBeUndefined();
      await staff.setActive(by, id, false, CLIENT);
      await staff.setActive(by, id, false, CLIENT);
      const { events } = await world.security.list({ page: 1, userId: id, severity: 'critical' });
      expect(events.map(({ type, path, byUserId }) => [type, path, byUserId])).toEqual([
        ['account_suspended', null, by.id],
        ['admin_action', `/admin/users/${id}/revoke-sessions`, by.id],
        ['admin_action', `/admin/users/${id}/rate-limit`, by.id],
        ['admin_action', `/admin/users/${id}/rate-limit`, by.id],
        ['staff_changed', null, by.id],
        ['staff_changed', null, by.id],
      ]);
    });

    it('given links that staff has mailed, then they work, whatever was mailed before', async () => {
      const { world, by, staff, id } = await twoUsers();
      for (let n = 0; n < 3; n++) await world.users.forgotPassword(EMAIL, CLIENT);
      await world.mailed();
      await staff.mailPasswordReset(by, id, CLIENT);
      expect(await world.users.isResetValid(await world.token())).toBe(true);
      await world.users.register({ email: 'new@example.com', password: PASSWORD, name: '', plan: '' }, CLIENT);
      await world.mailed();
      const [unverified] = (await staff.list(1, 'new@example.com')).users;
      await staff.resendVerification(by, unverified!.id, CLIENT);
      expect(await world.users.verifyEmail(await world.token(), PASSWORD, CLIENT)).toBe(true);
    });

    it('given a user whom staff deletes, verified or not, then he is gone', async () => {
      const { world, by, staff, id, session } = await twoUsers();
      await world.users.register({ email: 'new@example.com', password: PASSWORD, name: '', plan: '' }, CLIENT);
      const link = await world.token();
      const [unverified] = (await staff.list(1, 'new@example.com')).users;
      for (const one of [id, unverified!.id]) {
        await staff.delete(by, one, CLIENT);
        expect(await staff.find(one)).toBeUndefined();
      }
      expect(await staff.ofAccount(session.user.accountId)).toBeUndefined();
      expect(await world.users.verifyEmail(link, PASSWORD, CLIENT)).toBe(false);
      expect((await world.signIn()).outcome).toBe('wrong');
    });
  });

  describe('operators', () => {
    it('given an address, then a verified user, with a password or with a link to set one', async () => {
      const { world } = given();
      const { operators } = world.users;
      const made = await operators.create({ email: EMAIL, name: 'Ann', staff: true, password: PASSWORD });
      expect(made).toEqual({
        user: expect.objectContaining({ email: EMAIL, isVerified: true, isStaff: true, role: 'admin', name: 'Ann' }),
      });
      expect((await world.signIn()).outcome).toBe('signed_in');
      const other = await operators.create({ email: 'bob@example.com', staff: false });
      expect(other.resetUrl).toContain(`${BASE_URL}/reset-password?token=`);
      expect(other.user).toMatchObject({ hasPassword: false, isStaff: false });
      const token = tokenOf({ to: '', subject: '', text: other.resetUrl! });
      expect(await world.users.resetPassword(token, NEW_PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn('bob@example.com', NEW_PASSWORD)).outcome).toBe('signed_in');
      expect((await operators.list()).map(({ email }) => email)).toEqual([EMAIL, 'bob@example.com']);
      expect((await refusal(operators.create({ email: EMAIL, staff: false }))).status).toBe(409);
      expect((await refusal(operators.create({ email: 'no', staff: false }))).status).toBe(422);
      const short = operators.create({ email: 'carol@example.com', staff: false, password: 'short' });
      expect((await refusal(short)).fields).toHaveProperty('password');
    });

    it('given a registration before, then the operator’s user is another: its link and password are worth nothing', async () => {
      const { world } = given();
      await world.users.register({ email: EMAIL, password: PASSWORD, name: 'Mallory', plan: '' }, CLIENT);
      const link = await world.token();
      const { user } = await world.users.operators.create({ email: EMAIL, staff: true, password: NEW_PASSWORD });
      expect(user.name).toBeNull();
      expect(await world.users.verifyEmail(link, PASSWORD, CLIENT)).toBe(false);
      expect((await world.signIn()).outcome).toBe('wrong');
      expect(begun(await world.signIn(EMAIL, NEW_PASSWORD)).session.user.isStaff).toBe(true);
    });

    it('given staff that is on or off, and a link to reset, then they count for who is there', async () => {
      const { world } = given();
      const { token } = await world.signedUp();
      const { operators } = world.users;
      expect(await operators.setStaff(' ANN@example.com', true)).toMatchObject({ isStaff: true, role: 'admin' });
      expect((await world.users.session(token))!.user.isStaff).toBe(true);
      expect(await operators.setStaff(EMAIL, false)).toMatchObject({ isStaff: false, role: 'support' });
      expect(await operators.setStaff('nobody@example.com', true)).toBeUndefined();
      expect(await operators.reset('nobody@example.com')).toBeUndefined();
      const { resetUrl } = (await operators.reset(EMAIL))!;
      expect(await world.users.isResetValid(tokenOf({ to: '', subject: '', text: resetUrl }))).toBe(true);
    });
  });

  describe('the security log', () => {
    it('given what users do, then it is noted with who and where from, and found by each of them', async () => {
      const { world, id } = await twoUsers();
      await world.signIn(EMAIL, 'wrong password', clientOf(9));
      await world.security.note({ type: 'key_created', userId: id, client: CLIENT, path: '/api-keys' });
      const types = async (filter: object) =>
        (await world.security.list({ page: 1, ...filter })).events.map(({ type }) => type);
      expect(await types({ userId: id })).toEqual([
        ...['key_created', 'sign_in_failed', 'signed_in', 'email_verified', 'registered'],
      ]);
      expect(await types({ ip: clientOf(9).ip })).toEqual(['sign_in_failed']);
      expect(await types({ severity: 'warning' })).toEqual(['sign_in_failed']);
      expect(await types({ type: 'registered' })).toEqual(['registered', 'registered']);
      const { events } = await world.security.list({ page: 1, type: 'key_created' });
      expect(events).toMatchObject([
        { severity: 'info', userId: id, byUserId: null, path: '/api-keys', ip: CLIENT.ip, userAgent: CLIENT.userAgent },
      ]);
    });

    it('given 90 days, then IPs and user agents are erased, and the events stay', async () => {
      const { world, id } = await twoUsers();
      const of = async () => (await world.security.list({ page: 1, userId: id })).events;
      world.clock.time += 90 * DAY - 1;
      await world.prune(world.clock.time);
      expect((await of()).every(({ ip }) => ip === CLIENT.ip)).toBe(true);
      world.clock.time += 1;
      await world.prune(world.clock.time);
      expect((await of()).map(({ ip, userAgent }) => [ip, userAgent])).toEqual([
        [null, null],
        [null, null],
        [null, null],
      ]);
      for (const table of ['sessions', 'attempts', 'registrations'] as const) {
        expect(await world.database.selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
    });

    it('given 30 days without a proof of the address, then whoever registered is gone, and may begin anew', async () => {
      const { world } = await twoUsers();
      const register = (email: string) =>
        world.users.register({ email, password: PASSWORD, name: 'Cleo', plan: 'free' }, CLIENT);
      const emails = async () =>
        (await world.database.selectFrom('users').select('email').orderBy('id').execute()).map(({ email }) => email);
      const before = await emails();
      await register('cleo@example.com');
      await register('dora@example.com');
      await world.mailed();
      world.clock.time += 20 * DAY;
      await register('dora@example.com');
      await world.mailed();
      world.clock.time += 10 * DAY - 1;
      await world.prune(world.clock.time);
      expect(await emails()).toEqual([...before, 'cleo@example.com', 'dora@example.com']);
      world.clock.time += 1;
      await world.prune(world.clock.time);
      // Dora has tried again since.
      expect(await emails()).toEqual([...before, 'dora@example.com']);
      await register('cleo@example.com');
      expect(await world.users.verifyEmail(await world.token(), PASSWORD, CLIENT)).toBe(true);
      expect((await world.signIn('cleo@example.com')).outcome).toBe('signed_in');
    });

    it('given 30 days without a proof of the address, then those stay who hold a link that counts, and whom staff suspended', async () => {
      const { world, by, staff } = await twoUsers();
      for (const email of ['linked@example.com', 'reset@example.com', 'suspended@example.com', 'gone@example.com']) {
        await world.users.register({ email, password: PASSWORD, name: 'New', plan: 'free' }, CLIENT);
      }
      const [suspended] = (await staff.list(1, 'suspended@example.com')).users;
      await staff.setActive(by, suspended!.id, false, CLIENT);
      await world.mailed();
      world.clock.time += 30 * DAY - 1;
      await world.users.resendVerification('linked@example.com', CLIENT);
      await world.mailed();
      await world.users.forgotPassword('reset@example.com', CLIENT);
      await world.mailed();
      world.clock.time += 1;
      await world.prune(world.clock.time);
      const found = await world.database.selectFrom('users').select('email').where('verified_at', 'is', null).execute();
      expect(found.map(({ email }) => email).sort()).toEqual([
        ...['linked@example.com', 'reset@example.com', 'suspended@example.com'],
      ]);
      world.clock.time += DAY;
      await world.prune(world.clock.time);
      const left = await world.database.selectFrom('users').select('email').where('verified_at', 'is', null).execute();
      expect(left.map(({ email }) => email)).toEqual(['suspended@example.com']);
    });

    it('given throttled sign-ins, then one note a minute is enough', async () => {
      const { world } = await twoUsers();
      for (let n = 0; n < 5; n++) await world.signIn(EMAIL, 'wrong password');
      for (let n = 0; n < 3; n++) await refusal(world.signIn());
      expect((await world.security.list({ page: 1, type: 'sign_in_throttled' })).events).toHaveLength(1);
    });
  });
}
