import { describe, expect, it } from 'vitest';
import type { GithubProfile } from '../../../src/accounts/users/user-service.ts';
import type { UsersUnderTest } from './users.contract.ts';
import { begun, CLIENT, clientOf, EMAIL, PASSWORD, refusal } from './users-world.ts';

const PERSON: GithubProfile = { id: '4711', name: 'Ann of GitHub', verifiedEmail: 'Ann@Example.com' };

export function githubContract(given: () => UsersUnderTest): void {
  describe('GitHub', () => {
    const byGithub = (person: Partial<GithubProfile> = {}) =>
      given().world.users.signInByGithub({ ...PERSON, ...person }, CLIENT);

    it('given somebody who is unknown, then a verified user without a password, who is known by the id from then on', async () => {
      const { world } = given();
      const { session, maxAgeSeconds } = begun(await byGithub());
      expect(session.user).toMatchObject({
        email: EMAIL,
        name: PERSON.name,
        isVerified: true,
        hasPassword: false,
        githubId: '4711',
      });
      expect(maxAgeSeconds).toBeNull();
      const again = begun(await byGithub({ verifiedEmail: null }));
      expect(again.session.user.id).toBe(session.user.id);
      expect((await world.signIn(EMAIL, '')).outcome).toBe('wrong');
      expect(await world.mailed()).toEqual([]);
    });

    it('given no verified address, then nobody is made', async () => {
      const { world } = given();
      expect(await byGithub({ verifiedEmail: null })).toEqual({ outcome: 'wrong' });
      expect((await world.users.staff.list(1, '')).users).toHaveLength(0);
    });

    it('given a verified user of the address, then he is linked, and keeps his password', async () => {
      const { world } = given();
      const { user } = await world.signedUp();
      expect(begun(await byGithub()).session.user).toMatchObject({ id: user.id, githubId: '4711', hasPassword: true });
      expect((await world.signIn()).outcome).toBe('signed_in');
    });

    it('given a registration that somebody else has made before, then its password and its link are worth nothing', async () => {
      const { world } = given();
      await world.users.register({ email: EMAIL, password: PASSWORD, name: 'Mallory', plan: '' }, clientOf(1));
      const link = await world.token();
      const { session } = begun(await byGithub());
      expect(session.user).toMatchObject({ name: PERSON.name, hasPassword: false });
      expect(await world.users.verifyEmail(link, PASSWORD, CLIENT)).toBe(false);
      expect((await world.signIn()).outcome).toBe('wrong');
      expect((await world.users.staff.list(1, '')).users).toHaveLength(1);
    });

    it('given two first sign-ins at once in two processes, then one user', async () => {
      const { world, another } = given();
      const other = world.another(await another());
      const both = await Promise.all([byGithub(), other.users.signInByGithub(PERSON, CLIENT)]);
      expect(new Set(both.map((one) => begun(one).session.user.id)).size).toBe(1);
      await other.close();
    });

    it('given a session, then it is linked to one user only, and not unlinked where nothing else signs him in', async () => {
      const { world } = given();
      const ann = await world.signedUp();
      const bob = await world.signedUp('bob@example.com');
      await world.users.linkGithub(ann, '4711', CLIENT);
      await world.users.linkGithub(ann, '4711', CLIENT);
      expect((await refusal(world.users.linkGithub(bob, '4711', CLIENT))).status).toBe(409);
      expect(begun(await byGithub({ verifiedEmail: 'bob@example.com' })).session.user.id).toBe(ann.user.id);
      await world.users.unlinkGithub(ann, CLIENT);
      expect(await world.users.staff.find(ann.user.id)).toMatchObject({ githubId: null });
      await world.users.linkGithub(bob, '4711', CLIENT);
      const { session } = begun(await byGithub({ id: '4712', verifiedEmail: 'carol@example.com' }));
      expect((await refusal(world.users.unlinkGithub(session, CLIENT))).status).toBe(422);
      const set = { currentPassword: '', password: PASSWORD };
      await world.users.changePassword(session, set, CLIENT);
      await world.users.unlinkGithub(session, CLIENT);
      expect((await world.signIn('carol@example.com')).outcome).toBe('signed_in');
    });
  });
}
