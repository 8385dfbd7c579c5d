import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createAgentKeys } from '../../../src/accounts/agent-keys.ts';
import { issueKey, type KeyRegistry } from '../../../src/accounts/keys/key-registry.ts';
import { openTrials, type Trials } from '../../../src/accounts/trial/open-trials.ts';
import type { TrialsParts } from '../../../src/accounts/trial/trial-parts.ts';
import type { NewSecurityEvent } from '../../../src/accounts/users/security-log.ts';
import { createRegistryContext } from '../../../src/accounts/users/user-context.ts';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { Principal, Visitor } from '../../../src/api/calls/principal.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { createMemoryLimits } from '../../../src/api/limits/memory-limits.ts';
import { RefusedError } from '../../../src/domain/primitives/domain-errors.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import type { SqlDialect } from '../../../src/platform/sql/dialects.ts';
import type { QueryRunner } from '../../../src/platform/sql/query-runner.ts';

export const START = Date.parse('2026-03-01T12:00:00Z');
export const VISITOR: Visitor = { ip: '192.0.2.1', userAgent: 'curl/8' };
/** The n-th of other addresses. */
export const visitorOf = (n: number): Visitor => ({ ip: `198.51.${n >> 8}.${n % 256}`, userAgent: '' });

/** A registry on one of the databases, as a process has it. */
export interface TrialStore {
  readonly database: Kysely<any>;
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
  readonly keys: KeyRegistry;
}

let worlds = 0;

/** What tests of trials need, with a clock that stands. */
export function createTrialsWorld(store: TrialStore, more: Partial<TrialsParts> = {}) {
  const clock = { time: START };
  const noted: NewSecurityEvent[] = [];
  const ended: number[] = [];
  const world = ++worlds;
  let bytes = 0;
  const random = (size: number): Uint8Array =>
    createHash('shake256', { outputLength: size }).update(`${world} ${++bytes}`).digest();
  const now = () => clock.time;
  const keyMaker = { registry: store.keys, random, pepper: 'pepper', now };

  /** As a process opens them, all on the same registry. */
  const open = (own: TrialStore = store): Trials => {
    const maker = { ...keyMaker, registry: own.keys };
    return openTrials({
      context: createRegistryContext({
        ...own,
        gate: { isOpen: true, assertOpen() {} },
        pepper: 'pepper',
        now,
        randomBytes: random,
      }),
      keys: createAgentKeys({ keyMaker: maker, plans: DEFAULT_PLANS, limits: createMemoryLimits() }),
      keyMaker: maker,
      box: createSecretBox('pepper', random),
      security: { note: async (event) => void noted.push(event) },
      isAnonymousAllowed: true,
      endWebhooks: async (accountId) => void ended.push(accountId),
      baseUrl: () => 'https://sports.example',
      ...more,
    });
  };

  return {
    clock,
    noted,
    ended,
    open,
    store,
    keys: store.keys,
    database: store.database,
    /** Somebody in a session, with an account that has one key. */
    async owner(plan = 'free'): Promise<Principal> {
      const { record } = await issueKey(keyMaker, {
        name: 'first',
        scopes: ['all'],
        expiresAt: null,
        account: 'own',
        plan,
      });
      return {
        keyId: null,
        accountId: record.accountId,
        plan,
        scopes: ['all'],
        unlimited: false,
        owner: { userId: record.accountId, ip: '203.0.113.9', userAgent: 'Browser' },
        account: { createdAt: START, order: null },
      };
    },
    keysOf: async ({ accountId }: Principal) =>
      (await store.keys.list(accountId)).filter(({ revokedAt }) => revokedAt === null).slice(1),
  };
}
export type TrialsWorld = ReturnType<typeof createTrialsWorld>;

/** The code or status of what refuses; 'done' where nothing does. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    if (error instanceof RefusedError) return String(error.status);
    throw error;
  }
}
