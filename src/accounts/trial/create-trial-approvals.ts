import type { Kysely } from 'kysely';
import { ApiError } from '../../api/calls/api-errors.ts';
import type { Principal } from '../../api/calls/principal.ts';
import type { NewKey } from '../../api/calls/services/account-services.ts';
import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import { countAttempt, lockNamesOf, readWait, tooManyAttemptsError, userCodeLimit } from '../users/attempt-limits.ts';
import type { TrialsParts } from './trial-parts.ts';
import { approveSteps, findPendingSteps, noteFullSteps, refuseSteps, type TrialRequest } from './trial-requests.ts';
import { sealContext, type TrialDatabase } from './trial-tables.ts';
import { formatUserCode, readUserCode } from './user-code.ts';

/** What a person sees of a program that asks for a key. Times are milliseconds. */
export interface PendingTrial {
  readonly userCode: string;
  readonly clientName: string;
  readonly askedFrom: string;
  readonly madeAt: number;
  readonly expiresAt: number;
}

/** What the account's owner decides. */
export interface TrialApprovals {
  /** @throws RefusedError 422 if there is no such request, 429 after too many wrong codes */
  find(owner: Principal, typedCode: string): Promise<PendingTrial>;
  /** Makes the key. @throws RefusedError as `find`, ApiError as `createKey` */
  approve(owner: Principal, typedCode: string, grant: Omit<NewKey, 'name' | 'run'>): Promise<PendingTrial>;
  /** @throws RefusedError as `find` */
  refuse(owner: Principal, typedCode: string): Promise<PendingTrial>;
}

/** A request was decided by somebody else between two steps. */
class DecidedMeanwhile extends Error {}

/** What a signed-in person may do about programs that ask for a key. */
export function createTrialApprovals({ context, keys, keyMaker, box, security }: TrialsParts): TrialApprovals {
  const { now, digest, transactShared } = context;
  const { registry } = keyMaker;
  const database = context.database as unknown as Kysely<TrialDatabase>;

  /**
   * Finds the request with a code that an account's owner has typed, and does something with it. Wrong codes count, also
   * those of requests that somebody has decided.
   */
  async function withRequest<Result>(
    owner: Principal,
    typedCode: string,
    act: (request: TrialRequest) => QuerySteps<Result>,
  ): Promise<{ readonly request: TrialRequest; readonly result: Result; readonly code: string }> {
    const limits = [userCodeLimit(context, owner.accountId)];
    const code = readUserCode(typedCode);
    type Outcome =
      | { readonly waitMs: number }
      | { readonly request: TrialRequest; readonly result: Result }
      | undefined;
    const outcome = await transactShared(lockNamesOf(limits), function* (): QuerySteps<Outcome> {
      const waitMs = yield* readWait(context, limits);
      if (waitMs > 0) return { waitMs };
      const request =
        code === undefined ? undefined : yield* findPendingSteps(database, digest('user code', code), now());
      if (request) return { request, result: yield* act(request) };
      yield* countAttempt(context, limits);
      return undefined;
    });
    if (outcome === undefined || code === undefined) throw wrongCode();
    if ('waitMs' in outcome) throw tooManyAttemptsError(outcome.waitMs);
    return { ...outcome, code };
  }

  function* nothing(): QuerySteps<void> {}

  async function find(owner: Principal, typedCode: string): Promise<PendingTrial> {
    const { request, code } = await withRequest(owner, typedCode, nothing);
    return toPendingTrial(request, code);
  }

  async function approve(
    owner: Principal,
    typedCode: string,
    grant: Omit<NewKey, 'name' | 'run'>,
  ): Promise<PendingTrial> {
    const { clientName: name } = await find(owner, typedCode);
    let approved: PendingTrial | undefined;
    const makeKey = keys.createKey(owner, { ...grant, name }, async (key, secret) => {
      const { request, result, code } = await withRequest(owner, typedCode, function* (found) {
        const sealed = box.seal(secret, sealContext(found));
        const keyId = yield* approveSteps(database, found.id, { key, userId: owner.owner!.userId, sealed });
        if (keyId !== undefined) return keyId;
        throw new DecidedMeanwhile();
      }).catch(throwAsWrong);
      approved = toPendingTrial(request, code);
      return (await registry.find(result))!;
    });
    const made = await makeKey.catch(async (error: unknown) => {
      if (error instanceof ApiError && error.code === 'key_limit_reached') {
        await withRequest(owner, typedCode, (found) => noteFullSteps(database, found.id));
      }
      throw error;
    });
    const { userId, ip, userAgent } = owner.owner!;
    await security.note({ type: 'key_created', userId, path: `/api-keys/${made.id}`, client: { ip, userAgent } });
    return approved!;
  }

  async function refuse(owner: Principal, typedCode: string): Promise<PendingTrial> {
    const { request, result, code } = await withRequest(owner, typedCode, (found) => refuseSteps(database, found.id));
    if (!result) throw wrongCode();
    return toPendingTrial(request, code);
  }

  return { find, approve, refuse };
}

const WRONG_CODE = 'No program waits with this code. Look at it again: it works once, for 15 minutes.';
const wrongCode = (): RefusedError => new RefusedError(422, WRONG_CODE, { fields: { user_code: WRONG_CODE } });

function throwAsWrong(error: unknown): never {
  throw error instanceof DecidedMeanwhile ? wrongCode() : error;
}

const toPendingTrial = (request: TrialRequest, code: string): PendingTrial => ({
  userCode: formatUserCode(code),
  clientName: request.client_name,
  askedFrom: request.asked_from,
  madeAt: request.made_at,
  expiresAt: request.expires_at,
});
