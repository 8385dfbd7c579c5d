import type { Selectable } from 'kysely';
import { MINUTE } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { UserContext } from './user-context.ts';
import type { Client } from './user-service.ts';
import type { JobTable } from './user-tables.ts';

/**
 * Work that follows a change, stored in the change's transaction, so that a crash loses none. Work that depends on
 * whether an address is known is done here, after the answer: neither the answer nor its duration may tell this.
 */
export type Job =
  /** The mail after a registration; `registrationId` null: the address has a user already. */
  | { readonly kind: 'registered'; readonly email: string; readonly registrationId: number | null }
  /**
   * Mails the link of a registration of an address: the newest of this browser, else the newest. `browser` is hashed.
   * `isOrdered`: staff requested it, so mail limits do not apply.
   */
  | {
      readonly kind: 'verification';
      readonly email: string;
      readonly browser?: string | null;
      readonly isOrdered?: boolean;
    }
  | { readonly kind: 'reset'; readonly email: string; readonly client?: Client; readonly isOrdered?: boolean }
  | { readonly kind: 'password_changed'; readonly email: string }
  | { readonly kind: 'new_address'; readonly changeId: number }
  /** `changeId` is absent in jobs of an earlier version. */
  | { readonly kind: 'email_changing'; readonly email: string; readonly newEmail: string; readonly changeId?: number }
  /** `takebackId` null or absent: the old address cannot be taken back. */
  | {
      readonly kind: 'email_changed';
      readonly email: string;
      readonly newEmail: string;
      readonly takebackId?: number | null;
    }
  | { readonly kind: 'github_linked' | 'github_unlinked' | 'github_refused'; readonly email: string }
  /** Erases IPs and user agents from the user's security events up to this id. */
  | { readonly kind: 'erase_clients'; readonly userId: number; readonly upTo: number }
  | { readonly kind: 'end_account'; readonly accountId: number };

/** @param userId the job is deleted together with this user; null: it is not */
export function* addJob({ database, now }: UserContext, job: Job, userId: number | null): QuerySteps<void> {
  const { kind, ...content } = job;
  yield database
    .insertInto('background_jobs')
    .values({ kind, content: JSON.stringify(content), user_id: userId, at: toIsoTime(now()), taken_until: null });
}

export interface JobQueue {
  /** Does new jobs after the answer. */
  runSoon(): void;
  /** Does all jobs that no process works on, and resolves when they are done. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface JobQueueParts {
  /** Calls back after this many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** Does a job; again, if a process ended in the middle of it. */
  readonly work: (job: Job) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** How long a job waits for a retry after a failure or the end of its process, in milliseconds. */
const CLAIM_MS = MINUTE;
/** The answer has been sent by then. */
const PAUSE_MS = 5;
const JOBS_PER_BATCH = 20;

export function createJobQueue(context: UserContext, { later, work, onError }: JobQueueParts): JobQueue {
  const { database, now, read, all } = context;
  let running: Promise<void> | undefined;
  let isRequested = false;
  let isClosed = false;

  function* claim(id: number): QuerySteps<Selectable<JobTable> | undefined> {
    const at = now();
    const [claimed] = yield* queryRows(
      database
        .updateTable('background_jobs')
        .set({ taken_until: at + CLAIM_MS })
        .where('id', '=', id)
        .where(({ or, eb }) => or([eb('taken_until', 'is', null), eb('taken_until', '<=', at)]))
        .returningAll(),
    );
    return claimed;
  }

  async function runOne(id: number): Promise<void> {
    const claimed = await read(() => claim(id));
    if (!claimed) return;
    const content = JSON.parse(claimed.content) as object;
    await work({ kind: claimed.kind, ...content } as Job);
    await read(function* (): QuerySteps<void> {
      yield database.deleteFrom('background_jobs').where('id', '=', id).returning('id');
    });
  }

  async function runAll(): Promise<void> {
    for (let after = 0; !isClosed; ) {
      const due = await all(
        database
          .selectFrom('background_jobs')
          .select('id')
          .where('id', '>', after)
          .where(({ or, eb }) => or([eb('taken_until', 'is', null), eb('taken_until', '<=', now())]))
          .orderBy('id')
          .limit(JOBS_PER_BATCH),
      );
      if (due.length === 0) return;
      after = due.at(-1)!.id;
      for (const { id } of due) if (!isClosed) await runOne(id).catch(onError);
    }
  }

  async function run(): Promise<void> {
    isRequested = true;
    running ??= (async () => {
      while (isRequested && !isClosed) {
        isRequested = false;
        await runAll().catch(onError);
      }
      // Reset at once, so that a call after the last check starts a new run.
      running = undefined;
    })();
    await running;
  }

  return {
    runSoon: () => later(() => void run(), PAUSE_MS),
    run,
    async close() {
      isClosed = true;
      await running;
    },
  };
}
