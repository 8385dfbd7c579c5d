import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { queryRows } from '../../platform/sql/query-runner.ts';
import type { ApiKey, KeyRegistry } from '../keys/key-registry.ts';
import { isKeyActive } from '../keys/key-registry.ts';
import { selectTakebacks } from './email-change.ts';
import { unlinkGithubSteps } from './github-sign-in.ts';
import type { JobQueue } from './job-queue.ts';
import type { UserContext } from './user-context.ts';
import { findUserBy, type PresentRow, selectReset, TAKEBACK_MS } from './user-queries.ts';
import type { RemainingAccess, UserService } from './user-service.ts';

export interface AccessTools {
  readonly keys: Pick<KeyRegistry, 'listMatching' | 'find' | 'revoke'>;
  readonly webhooks: {
    list(accountId: number): Promise<readonly { readonly id: number; readonly url: string }[]>;
    /** False: the account has no such webhook. */
    remove(id: number, accountId: number): Promise<boolean>;
  };
  readonly links: {
    list(
      accountId: number,
    ): Promise<readonly { readonly id: number; readonly path: string; readonly createdAt: string }[]>;
    /** False: the account has no such link. */
    remove(id: number, accountId: number): Promise<boolean>;
  };
}

/** What a new password does not end: it can still sign in or call, get messages, or take the account back. */
export async function readRemainingAccess(
  context: UserContext,
  { keys, webhooks, links }: AccessTools,
  user: PresentRow,
): Promise<RemainingAccess> {
  const { id, account_id: accountId, github_id: githubId, github_linked_at: linkedAt } = user;
  const at = context.now();
  const listed = { revokedAfter: toIsoTime(at), mostRevoked: 0, without: [] };
  const active = accountId === null ? [] : await keys.listMatching({ accountId, ...listed });
  const takebacks = await context.all(selectTakebacks(context, id));
  return {
    github: githubId === null ? null : { linkedAt },
    keys: active.filter((key) => isKeyActive(key, at)).map(toRemainingKey),
    webhooks: accountId === null ? [] : (await webhooks.list(accountId)).map(({ id, url }) => ({ id, url })),
    links:
      accountId === null
        ? []
        : (await links.list(accountId)).map(({ id, path, createdAt }) => ({ id, path, createdAt })),
    formerAddresses: takebacks.map(({ email, changed_at }) => ({
      email,
      until: toIsoTime(Date.parse(changed_at) + TAKEBACK_MS),
    })),
  };
}

const toRemainingKey = ({ id, name, prefix, createdAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  createdAt,
  lastUsedAt,
});

/** Shows and removes such access to whoever has the link of a reset. */
export function createResetAccess(
  context: UserContext,
  tools: AccessTools,
  { jobs }: { readonly jobs: JobQueue },
): Pick<UserService, 'accessAfterReset' | 'removeAccess'> {
  const userOf = (token: string): Promise<PresentRow | undefined> =>
    context.read(function* () {
      const [found] = yield* queryRows(selectReset(context, token));
      return found && (yield* findUserBy(context, 'id', found.user_id));
    });

  return {
    async accessAfterReset(token) {
      const user = await userOf(token);
      return user && readRemainingAccess(context, tools, user);
    },
    async removeAccess(token, access, client) {
      const user = await userOf(token);
      if (!user) return false;
      switch (access.kind) {
        case 'github': {
          const isUnlinked = await context.transactExclusive(() => unlinkGithubSteps(context, user.id, client));
          jobs.runSoon();
          return isUnlinked;
        }
        case 'key': {
          const { account_id: accountId } = user;
          const key = accountId === null ? undefined : await tools.keys.find(access.id);
          if (accountId === null || key?.accountId !== accountId) return false;
          return tools.keys.revoke(access.id, toIsoTime(context.now()), accountId);
        }
        case 'webhook':
          return user.account_id !== null && tools.webhooks.remove(access.id, user.account_id);
        case 'link':
          return user.account_id !== null && tools.links.remove(access.id, user.account_id);
      }
    },
  };
}

/** For mails. Names and addresses that a user gave are left out: an attacker could write to the owner with them. */
export function describeRemainingAccess(access: RemainingAccess): readonly string[] {
  const day = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
  const { github, keys, webhooks, links, formerAddresses } = access;
  return [
    ...(github ? [`GitHub, linked ${github.linkedAt === null ? 'some time ago' : `at ${day(github.linkedAt)}`}`] : []),
    ...keys.slice(0, MOST_IN_MAIL).map(({ prefix, createdAt }) => `the API key ${prefix}, made at ${day(createdAt)}`),
    ...(keys.length > MOST_IN_MAIL ? [`${keys.length - MOST_IN_MAIL} more API keys`] : []),
    ...(webhooks.length > 0 ? [webhooks.length === 1 ? 'a webhook' : `${webhooks.length} webhooks`] : []),
    ...(links.length > 0 ? [links.length === 1 ? 'a link to the API' : `${links.length} links to the API`] : []),
    ...formerAddresses.map(
      ({ email, until }) =>
        `the owner of the former address ${email}, who can take the account back until ${day(until)}`,
    ),
  ];
}

const MOST_IN_MAIL = 20;
