import type { Kysely } from 'kysely';
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

/**
 * Every change is one statement, as with the keys, and their order is what keeps two processes apart: an answer is
 * kept before its place is freed, and looked for after a place was taken. So whoever takes a place that was freed in
 * between finds the answer.
 */
export function sqliteRememberedAnswers<Tables extends RememberedAnswerTables>(
  registry: Kysely<Tables>,
): RememberedAnswers {
  const database = registry as unknown as Kysely<RememberedAnswerTables>;

  const free = ({ place, token }: Claim) =>
    database
      .deleteFrom('running_calls')
      .where((where) => where.and({ ...columnsOf(place), token }))
      .execute();

  return {
    async begin(claim, now) {
      const isOurs = await take(database, claim, now);
      const found = await answerAt(database, claim.place, now);
      if (!found) return { kind: isOurs ? 'run' : 'running' };
      if (isOurs) await free(claim);
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
      await keep(database, claim, JSON.stringify(answer), now);
      await free(claim);
      await sweep(database, now);
    },
    async abandon(claim) {
      await free(claim);
    },
    async abandonAll(owner) {
      await database.deleteFrom('running_calls').where('owner', '=', owner).execute();
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

/** Takes the place, unless another claim has it whose lease is not over. */
async function take(database: Answers, { place, token, owner }: Claim, now: number): Promise<boolean> {
  const run = { token, owner, lease_until: now + RUN_LEASE };
  const taken = await database
    .insertInto('running_calls')
    .values({ ...columnsOf(place), ...run })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'path', 'key'])
        .doUpdateSet(run)
        .where((where) =>
          where.or([where('running_calls.lease_until', '<=', now), where('running_calls.token', '=', token)]),
        ),
    )
    .returning('token')
    .executeTakeFirst();
  return taken !== undefined;
}

const answerAt = (database: Answers, place: RememberedPlace, now: number) =>
  database
    .selectFrom('remembered_answers')
    .select(['request_hash', 'answer'])
    .where((where) => where.and(columnsOf(place)))
    .where('kept_at', '>', now - REMEMBERED_FOR)
    .executeTakeFirst();

/** In the place of an older answer, where the run is still this claim's. */
async function keep(database: Answers, { place, token, requestHash }: Claim, answer: string, now: number) {
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
        .where((where) => where.and({ ...columnsOf(place), token })),
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
