import { type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { ALL } from '../scopes.ts';
import type { RememberedAnswerTables } from './remembered-answer-tables.ts';
import {
  type Claim,
  REMEMBERED_FOR,
  type RememberedAnswers,
  type RememberedPlace,
  RUN_LEASE,
} from './remembered-answers.ts';

/** How many of those that are too old go with each that comes: more than come, so that they do not pile up. */
const SWEPT_AT_ONCE = 10;

export const sqliteRememberedAnswers = (registry: Kysely<any>): RememberedAnswers =>
  sqlRememberedAnswers(registry, SQLITE);

/**
 * Every change is one statement, as with the keys, and their order is what keeps two processes apart: an answer is
 * kept before its place is freed, and looked for after a place was taken. So whoever takes a place that was freed in
 * between finds the answer.
 */
export function sqlRememberedAnswers(
  database: Kysely<RememberedAnswerTables>,
  dialect: Pick<SqlDialect, 'isShared'>,
): RememberedAnswers {
  const free = ({ place, token }: Claim) =>
    database
      .deleteFrom('running_calls')
      .where((where) => where.and({ ...columnsOf(place), token }))
      .execute();

  return {
    async begin(claim, now) {
      const run = await take(database, claim, now);
      const found = await answerAt(database, claim.place, now);
      if (!found) return run === undefined ? { kind: 'running' } : { kind: 'run', run };
      if (run !== undefined) await free(claim);
      if (found.request_hash !== claim.requestHash) return { kind: 'usedOtherwise' };
      return { kind: 'answer', answer: JSON.parse(found.answer) as unknown };
    },
    async renew({ place, token }, now) {
      const renewed = await database
        .updateTable('running_calls')
        .set({ lease_until: now + RUN_LEASE })
        .where((where) => where.and({ ...columnsOf(place), token }))
        .returning('token')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    async finish(claim, answer, now) {
      await keep(database, dialect, claim, JSON.stringify(answer), now);
      await free(claim);
      await sweep(database, now);
    },
    async abandon(claim) {
      await free(claim);
    },
    async abandonAll(owner) {
      await database.updateTable('running_calls').set({ owner: '', token: '' }).where('owner', '=', owner).execute();
    },
  };
}

type Answers = Kysely<RememberedAnswerTables>;

/**
 * The tables of earlier versions know no scopes, and a primary key cannot be given another column. No path holds a
 * blank; that of all sports stays as it was, so that its answers of before the upgrade are still repeated.
 */
const columnsOf = ({ accountId, path, scopes, key }: RememberedPlace) => ({
  account_id: accountId,
  path: scopes === ALL ? path : `${path} ${scopes}`,
  key,
});

/** Takes the place, unless another claim has it whose lease is not over. @returns the name of the run */
async function take(database: Answers, claim: Claim, now: number): Promise<string | undefined> {
  const { place, token, owner, run, requestHash: request_hash } = claim;
  const taking = { token, owner, lease_until: now + RUN_LEASE };
  const taken = await database
    .insertInto('running_calls')
    .values({ ...columnsOf(place), ...taking, run, request_hash })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'path', 'key'])
        .doUpdateSet({ ...taking, run: nameOfRun, request_hash })
        .where((where) =>
          where.or([
            where('running_calls.lease_until', '<=', now),
            where('running_calls.token', '=', token),
            where('running_calls.owner', '=', ''),
          ]),
        ),
    )
    .returning('run')
    .executeTakeFirst();
  return taken && (taken.run ?? run);
}

/** It stays where the same is asked for. */
const nameOfRun = sql<string>`
  case when running_calls.request_hash = excluded.request_hash then running_calls.run else excluded.run end`;

const answerAt = (database: Answers, place: RememberedPlace, now: number) =>
  database
    .selectFrom('remembered_answers')
    .select(['request_hash', 'answer'])
    .where((where) => where.and(columnsOf(place)))
    .where('kept_at', '>', now - REMEMBERED_FOR)
    .executeTakeFirst();

/** In the place of an older answer, where the run is still this claim's. */
async function keep(
  database: Answers,
  { isShared }: Pick<SqlDialect, 'isShared'>,
  { place, token, requestHash }: Claim,
  answer: string,
  now: number,
) {
  const kept = { request_hash: requestHash, answer, kept_at: now };
  const row = { ...columnsOf(place), ...kept };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await database
    .insertInto('remembered_answers')
    .columns(columns)
    .expression(
      database
        .selectFrom('running_calls')
        .select((select) => columns.map((column) => select.val(row[column]).as(column)))
        .where((where) => where.and({ ...columnsOf(place), token }))
        // Whoever takes the place over meanwhile waits, and then finds the answer.
        .$if(isShared, (run) => run.forShare()),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(kept))
    .execute();
}

async function sweep(database: Answers, now: number): Promise<void> {
  const old = await database
    .selectFrom('remembered_answers')
    .select(['account_id', 'path', 'key', 'kept_at'])
    .where('kept_at', '<=', now - REMEMBERED_FOR)
    .orderBy('kept_at')
    .limit(SWEPT_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await database
    .deleteFrom('remembered_answers')
    // Their times too: one of them may have been replaced since.
    .where((where) => where.or(old.map((place) => where.and({ ...place }))))
    .execute();
  // Runs of servers that have died, which nobody has repeated.
  await database
    .deleteFrom('running_calls')
    .where('lease_until', '<=', now - REMEMBERED_FOR)
    .execute();
}
