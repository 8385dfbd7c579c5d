import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { KeyRegistry } from '../../../src/accounts/keys/key-registry.ts';
import { type OpenedUsers, openUsers, type UsersParts } from '../../../src/accounts/users/open-users.ts';
import type {
  Client,
  GithubSignInOutcome,
  NewSession,
  Session,
  SignInOutcome,
} from '../../../src/accounts/users/user-service.ts';
import type { UserDatabase } from '../../../src/accounts/users/user-tables.ts';
import { RefusedError } from '../../../src/domain/primitives/domain-errors.ts';
import type { Mail } from '../../../src/platform/mail/mail.ts';
import type { SqlDialect } from '../../../src/platform/sql/dialects.ts';
import type { QueryRunner } from '../../../src/platform/sql/query-runner.ts';

export const START = Date.parse('2026-03-01T12:00:00Z');
export const BASE_URL = 'https://sports.example';
export const EMAIL = 'ann@example.com';
export const PASSWORD = 'a fine password of Ann';
export const CLIENT: Client = { ip: '192.0.2.1', userAgent: 'Browser 1' };
/** The n-th of other addresses. */
export const clientOf = (n: number): Client => ({ ip: `198.51.100.${n}`, userAgent: 'Browser 2' });

/** So cheap that tests are quick. */
export const CHEAP = { memoryKib: 8, passes: 1, maxConcurrent: 40, maxQueued: 1000 };

/** A registry on one of the databases, as a process has it. */
export interface UserStore {
  readonly database: Kysely<any>;
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
  readonly keys: KeyRegistry;
}

/** What tests of people need, with a clock that stands and mails that are kept. */
export interface UsersWorld extends OpenedUsers {
  readonly clock: { time: number };
  readonly mails: Mail[];
  readonly store: UserStore;
  readonly database: Kysely<UserDatabase>;
  /** Accounts whose webhooks and billing were ended, in their order. */
  readonly ended: string[];
  /** Webhooks by account. */
  readonly webhooks: Map<number, { readonly id: number; readonly url: string }[]>;
  /** Links by account. */
  readonly links: Map<number, { readonly id: number; readonly path: string; readonly createdAt: string }[]>;
  readonly warnings: unknown[];
  /** Mails that have come since the last time, when all errands are done. */
  mailed(): Promise<readonly Mail[]>;
  /** The token of the only mail since the last time. */
  token(): Promise<string>;
  /** A verified user with a session. */
  signedUp(email?: string, plan?: string): Promise<Session & { readonly token: string }>;
  signIn(email?: string, password?: string, client?: Client, remember?: boolean): Promise<SignInOutcome>;
  /** Another process on the same registry, with the same clock and mails. */
  another(store: UserStore, more?: Partial<UsersParts>): OpenedUsers;
}

/** Lists and removes what accounts have. */
const thingsOf = <Thing extends { readonly id: number }>(byAccount: Map<number, Thing[]>) => ({
  list: async (accountId: number) => byAccount.get(accountId) ?? [],
  async remove(id: number, accountId: number) {
    const all = byAccount.get(accountId) ?? [];
    byAccount.set(
      accountId,
      all.filter((one) => one.id !== id),
    );
    return all.some((one) => one.id === id);
  },
});

let worlds = 0;

export function createUsersWorld(store: UserStore, more: Partial<UsersParts> = {}): UsersWorld {
  const clock = { time: START };
  const mails: Mail[] = [];
  const ended: string[] = [];
  const webhooks: UsersWorld['webhooks'] = new Map();
  const links: UsersWorld['links'] = new Map();
  const warnings: unknown[] = [];
  const world = ++worlds;
  let bytes = 0;
  const parts: UsersParts = {
    ...store,
    gate: { isOpen: true, assertOpen() {} },
    pepper: 'pepper',
    now: () => clock.time,
    randomBytes: (size) => createHash('shake256', { outputLength: size }).update(`${world} ${++bytes}`).digest(),
    baseUrl: () => BASE_URL,
    webhooks: thingsOf(webhooks),
    links: thingsOf(links),
    endBets: async (accountId) => void ended.push(`bets ${accountId}`),
    endMyBooks: async (accountId) => void ended.push(`my books ${accountId}`),
    endSealKeys: async (accountId) => void ended.push(`seal keys ${accountId}`),
    outbox: { add: async (mail) => void mails.push(mail) },
    endWebhooks: async (accountId) => void ended.push(`webhooks ${accountId}`),
    endBilling: async (accountId) => void ended.push(`billing ${accountId}`),
    // Done where `mailed` asks for it.
    later: () => {},
    logger: { warn: (fields) => void warnings.push(fields['err'] ?? fields) },
    hashing: CHEAP,
    ...more,
  };
  const opened = openUsers(parts);
  const { users } = opened;

  async function mailed(): Promise<readonly Mail[]> {
    await opened.resume();
    return mails.splice(0);
  }

  async function token(): Promise<string> {
    const [mail, ...others] = await mailed();
    if (!mail || others.length > 0) throw new Error(`not one mail, but ${mail ? others.length + 1 : 0}`);
    return tokenOf(mail);
  }

  const signIn: UsersWorld['signIn'] = (email = EMAIL, password = PASSWORD, client = CLIENT, remember = false) =>
    users.signIn({ email, password, remember }, client);

  return {
    ...opened,
    clock,
    mails,
    store,
    ended,
    webhooks,
    links,
    warnings,
    mailed,
    token,
    signIn,
    database: store.database as Kysely<UserDatabase>,
    async signedUp(email = EMAIL, plan = 'free') {
      await users.register({ email, password: PASSWORD, name: 'Ann', plan }, CLIENT);
      if (!(await users.verifyEmail(await token(), PASSWORD, CLIENT))) throw new Error('the link does not work');
      const { session, token: cookie } = begun(await signIn(email));
      return { ...session, token: cookie };
    },
    another: (other, own) => openUsers({ ...parts, ...other, ...own }),
  };
}

/** The token of a mail's link. */
export function tokenOf({ text }: Mail): string {
  const found = /\?token=([\w-]+)$/m.exec(text);
  if (!found) throw new Error(`no link in ${text}`);
  return found[1]!;
}

/** What a sign-in has begun. */
export function begun(signIn: GithubSignInOutcome): NewSession & { readonly leadsTo?: string } {
  if (signIn.outcome !== 'signed_in') throw new Error(`not signed in, but ${signIn.outcome}`);
  return signIn;
}

/** How something was refused. */
export async function refusal(work: Promise<unknown>): Promise<RefusedError> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RefusedError)) throw error;
  return error;
}
