import type { Kysely } from 'kysely';
import { ApiError } from '../../api/calls/api-errors.ts';
import type { Visitor } from '../../api/calls/principal.ts';
import { ALL_SPORTS } from '../../api/calls/scopes.ts';
import type { TrialKey, TrialServices } from '../../api/calls/services/trial-services.ts';
import { DAY, formatTime, HOUR, MINUTE, SECOND } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type ApiKey, isKeyActive, issueKey } from '../keys/key-registry.ts';
import { anonymousTrialLimits, countAttemptIfAllowed, lockNamesOf, requestLimits } from '../users/attempt-limits.ts';
import { describeClient } from '../users/describe-client.ts';
import { ANONYMOUS_PLAN, addAnonymousSteps } from './anonymous-trials.ts';
import type { TrialsParts } from './trial-parts.ts';
import { addRequestSteps, pollSteps, sweepRequestsSteps } from './trial-requests.ts';
import { sealContext, type TrialDatabase } from './trial-tables.ts';
import { formatUserCode, generateUserCode } from './user-code.ts';

/** How long a program may wait for a person, and how long its key waits for the program. */
const REQUEST_MS = 15 * MINUTE;
const INTERVAL_MS = 5 * SECOND;
/** A key without a person ends after it, and its account with it. */
const ANONYMOUS_KEY_LIFETIME_MS = DAY;
/** Requests that wait, and accounts that nobody owns, of all. */
const MAX_REQUESTS = 10_000;
const MAX_ANONYMOUS = 10_000;
const ANONYMOUS_NAME = 'anonymous trial';

/** What programs without a key may do. */
export function createTrialServices(parts: TrialsParts): TrialServices {
  const { context, keyMaker, box, security, isAnonymousAllowed, baseUrl, most = {} } = parts;
  const { now, digest, transactShared, newToken } = context;
  const { registry, random } = keyMaker;
  const database = context.database as unknown as Kysely<TrialDatabase>;

  async function start(visitor: Visitor, clientName: string) {
    const limits = requestLimits(context, 'trial', visitor.ip);
    const [deviceCode, userCode, madeAt] = [newToken(), generateUserCode(random), now()];
    const request = {
      device_hash: digest('device code', deviceCode),
      user_hash: digest('user code', userCode),
      client_name: clientName,
      asked_from: describeClient(visitor),
      made_at: madeAt,
      expires_at: madeAt + REQUEST_MS,
      interval_ms: INTERVAL_MS,
    };
    // The bound of all needs one lock for all.
    await transactShared([...lockNamesOf(limits), 'trial requests'], function* () {
      yield* sweepRequestsSteps(database, madeAt);
      const waitMs = yield* countAttemptIfAllowed(context, limits);
      if (waitMs > 0) throw tooManyError('requests for a key from this address', waitMs);
      const fullFor = yield* addRequestSteps(database, request, most.requests ?? MAX_REQUESTS);
      if (fullFor > 0) throw fullError(fullFor);
    });
    return {
      device_code: deviceCode,
      user_code: formatUserCode(userCode),
      verification_uri: `${baseUrl()}/device`,
      interval: INTERVAL_MS / SECOND,
      expires_in: REQUEST_MS / SECOND,
    };
  }

  async function startAnonymous(visitor: Visitor, clientName = ANONYMOUS_NAME): Promise<TrialKey> {
    if (!isAnonymousAllowed)
      throw new ApiError('forbidden', 'This server gives no keys without a person who approves them.');
    const limits = anonymousTrialLimits(context, visitor.ip);
    const [at, account] = [now(), 'own' as const];
    const expiresAt = at + ANONYMOUS_KEY_LIFETIME_MS;
    const request = { name: clientName, scopes: [ALL_SPORTS], account, plan: ANONYMOUS_PLAN };
    const { key, record } = await issueKey(
      keyMaker,
      { ...request, expiresAt: toIsoTime(expiresAt) },
      async (newKey) => {
        const keyId = await transactShared([...lockNamesOf(limits), 'anonymous trials'], function* () {
          const waitMs = yield* countAttemptIfAllowed(context, limits);
          if (waitMs > 0) throw tooManyError('keys for this address in 24 hours', waitMs);
          const bounds = { most: most.anonymous ?? MAX_ANONYMOUS, now: at, expiresAt };
          const added = yield* addAnonymousSteps(database, newKey, bounds);
          if ('waitMs' in added) throw fullError(added.waitMs);
          return added.keyId;
        });
        return (await registry.find(keyId))!;
      },
    );
    return toTrialKey(record, key);
  }

  async function finish(visitor: Visitor, deviceCode: string): Promise<TrialKey> {
    const hash = digest('device code', deviceCode);
    const poll = await transactShared([`trial ${hash}`], () => pollSteps(database, hash, now()));
    switch (poll.state) {
      case 'authorization_pending':
        throw new ApiError('authorization_pending', 'No person has decided yet.', retryAfter(poll.waitMs));
      case 'slow_down': {
        const { retry_after: seconds } = retryAfter(poll.waitMs);
        throw new ApiError('slow_down', `Polled too fast: wait ${seconds} seconds between two polls.`, {
          retry_after: seconds,
        });
      }
      case 'access_denied':
        throw refusedByPerson();
      case 'key_limit_reached':
        throw new ApiError('key_limit_reached', 'The account of the person has as many keys as its plan allows.');
      case 'expired_token':
        throw new ApiError('expired_token', 'The device code is unknown, has expired, or was used.');
      case 'fetched': {
        const { request } = poll;
        const record = await registry.find(request.key_id!);
        if (!record || !isKeyActive(record, now())) throw refusedByPerson();
        await security.note({
          type: 'key_revealed',
          userId: request.user_id ?? undefined,
          path: `/api-keys/${record.id}`,
          client: visitor,
        });
        return toTrialKey(record, box.open(request.sealed!, sealContext(request)));
      }
    }
  }

  return { start, startAnonymous, finish };
}

const refusedByPerson = (): ApiError => new ApiError('access_denied', 'A person has refused this key, or revoked it.');

const retryAfter = (milliseconds: number) => ({ retry_after: Math.max(1, Math.ceil(milliseconds / SECOND)) });

const tooManyError = (what: string, waitMs: number): ApiError =>
  new ApiError('rate_limit_exceeded', `Too many ${what}.`, retryAfter(waitMs));

const fullError = (waitMs: number): ApiError =>
  new ApiError('service_unavailable', 'Too many programs wait for a key here.', retryAfter(Math.min(waitMs, HOUR)));

const isoOrNull = (iso: string | null): string | null => (iso === null ? null : formatTime(Date.parse(iso)));

const toTrialKey = (record: ApiKey, key: string): TrialKey => ({
  id: record.id,
  name: record.name,
  key,
  scopes: record.scopes,
  max_credits_a_day: record.maxCreditsADay ?? null,
  created_at: isoOrNull(record.createdAt)!,
  expires_at: isoOrNull(record.expiresAt),
});
