import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/accounts/users/user-service.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { begun, CHEAP, CLIENT, clientOf, EMAIL, PASSWORD, refusal, tokenOf } from './users-world.ts';

const WRONG = 'a wrong password';
const MINUTE = 60_000;

/** Who tries passwords, and who knows them, is held back; others are not locked out. */
export function signInLimitsContract(given: () => UsersUnderTest): void {
  describe('limits of sign-in', () => {
    const signIn = (
      password: string,
      ip: string,
      known?: { readonly name: string; readonly userIds: readonly number[] },
    ) => given().world.users.signIn({ email: EMAIL, password, remember: false }, { ip, userAgent: '' }, { known });
    /** Locks the address: 100 wrong ones from many networks. */
    const lockOut = async () => {
      for (let n = 0; n < 100; n++) await signIn(WRONG, `198.51.${Math.floor(n / 4)}.1`);
    };

    it('given 30 right passwords of an address in 15 minutes, then the next is 429, of another address is not', async () => {
      const { world } = given();
      await world.signedUp();
      for (let n = 1; n < 30; n++) begun(await world.signIn());
      const refused = await refusal(world.signIn());
      expect([refused.status, refused.retryAfter! > 0]).toEqual([429, true]);
      begun(await world.signIn(EMAIL, PASSWORD, clientOf(2)));
      world.clock.time += 15 * MINUTE + 1;
      begun(await world.signIn());
    });

    it('given 30 right passwords that confirm, then the next is 429', async () => {
      const { world } = given();
      const session = await world.signedUp();
      const change = (n: number) =>
        world.users.changeProfile(
          session,
          { name: 'Ann', timezone: 'UTC', email: `new${n}@example.com`, currentPassword: PASSWORD },
          CLIENT,
        );
      for (let n = 1; n < 30; n++) await change(n);
      expect((await refusal(change(30))).status).toBe(429);
    });

    it('given an address that asks for many hashes at once, then few of them wait, whatever it asks for', async () => {
      const { world } = given();
      const session = await world.signedUp();
      const { users } = world.another(world.store, { hashing: { ...CHEAP, memoryKib: 32_768, maxConcurrent: 1 } });
      let people = 0;
      const acts: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
        'sign in': (client) => users.signIn({ email: EMAIL, password: PASSWORD, remember: false }, client),
        register: (client) =>
          users.register({ email: `new${++people}@example.com`, password: PASSWORD, name: '', plan: '' }, client),
        confirm: (client) =>
          users.changeProfile(
            session,
            { name: 'Ann', timezone: 'UTC', email: `other${++people}@example.com`, currentPassword: PASSWORD },
            client,
          ),
      };
      for (const [what, act] of Object.entries(acts)) {
        const refusedOf = async (clients: readonly Client[]) => {
          const all = await Promise.allSettled(clients.map(act));
          return new Set(all.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : [])));
        };
        const one = await refusedOf(Array.from({ length: 12 }, () => CLIENT));
        const others = await refusedOf(Array.from({ length: 12 }, (_, n) => clientOf(n)));
        expect([what, ...one]).toEqual([what, 429]);
        expect([what, ...others]).toEqual([what]);
      }
    });

    it('given an address that is locked by others, then a browser that its user has used signs in', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      const known = { name: 'the browser of Ann', userIds: [user.id] };
      await lockOut();
      expect((await refusal(signIn(PASSWORD, '203.0.113.1'))).status).toBe(429);
      // The browser of somebody else is not known.
      const others = { name: 'another', userIds: [user.id + 1] };
      expect((await refusal(signIn(PASSWORD, '203.0.113.1', others))).status).toBe(429);
      begun(await signIn(PASSWORD, '203.0.113.1', known));
    });

    it('given 5 wrong ones from a known browser, then it is refused, and nobody else is', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      const known = { name: 'the browser of Ann', userIds: [user.id] };
      for (let n = 0; n < 5; n++) expect(await signIn(WRONG, '203.0.113.1', known)).toEqual({ outcome: 'wrong' });
      expect((await refusal(signIn(PASSWORD, '203.0.113.2', known))).status).toBe(429);
      begun(await signIn(PASSWORD, '203.0.113.1'));
      world.clock.time += 15 * MINUTE + 1;
      begun(await signIn(PASSWORD, '203.0.113.1', known));
    });

    it('given an address that is locked by others, then a reset by mail opens it', async () => {
      const { world } = given();
      await world.signedUp();
      await lockOut();
      await world.users.forgotPassword(EMAIL, CLIENT);
      const [mail] = await world.mailed();
      const password = 'another fine password';
      expect(await world.users.resetPassword(tokenOf(mail!), password, CLIENT)).toBe(true);
      begun(await world.signIn(EMAIL, password));
    });

    it('given an IPv6 network of 64 bits, then it is one address; 56 and 48 bits have 20 and 100 times its limits', async () => {
      const { world } = given();
      const register = (ip: string, n: number) =>
        world.users.resendVerification(`u${n}@example.com`, { ip, userAgent: '' });
      const of = (subnet: number, n: number) => `2001:db8:0:${subnet.toString(16)}::${(n + 1).toString(16)}`;
      for (let n = 0; n < 20; n++) await register(of(0, n), n);
      expect((await refusal(register(of(0, 99), 99))).status).toBe(429);
      // 20 networks of 64 bits, all of one network of 56.
      for (let subnet = 1; subnet < 20; subnet++) for (let n = 0; n < 20; n++) await register(of(subnet, n), n);
      expect((await refusal(register(of(20, 0), 0))).status).toBe(429);
      // Another one of the same 48.
      await register(of(0x100, 0), 0);
    });
  });
}
