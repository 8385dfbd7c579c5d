import type { Kysely } from 'kysely';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { DEFAULT_PLAN, type NewApiKey, TooManyKeys, TooManyKeysCreated } from './key-registry.ts';
import type { KeyTables } from './key-tables.ts';

/**
 * The steps that make a key. They return its id, or the id of the key that the same run has made before. The account
 * comes first: its row stays locked, so that no other process adds a key to it.
 * @throws TooManyKeysCreated, TooManyKeys
 */
export function* insertKeySteps(database: Kysely<KeyTables>, key: NewApiKey): QuerySteps<number> {
  const accountId = yield* accountOf(database, key);
  const { run } = key;
  const [before] =
    run === undefined
      ? []
      : yield* queryRows(
          database.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('run', '=', run),
        );
  if (before) return before.id;
  const id = yield* insertKey(database, accountId, key);
  if (id === undefined) throw yield* explainRefusal(database, accountId, key);
  yield database.deleteFrom('api_keys').where('id', 'in', excessRevokedKeys(database, accountId));
  return id;
}

/** Revoked keys that an account keeps: who makes keys and revokes them adds no rows without end. */
export const MAX_REVOKED_KEYS = 1000;
/** Old ones that go with each new key. More than one, so that those of an earlier version go as well. */
const REMOVED_AT_ONCE = 100;

/** Revoked keys beyond the bound, the oldest of all, some of them. */
const excessRevokedKeys = (database: Kysely<KeyTables>, accountId: number) =>
  database
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    // By the index: any time is greater.
    .where('revoked_at', '>', '')
    .orderBy('revoked_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_REVOKED_KEYS)
    .limit(REMOVED_AT_ONCE);

/**
 * Counts and inserts in one statement: between two statements others could add keys. Undefined if there are too many.
 */
function* insertKey(
  database: Kysely<KeyTables>,
  accountId: number,
  { name, prefix, hash, scopes, createdAt, expiresAt, maxKeys, madeBy, making, run, maxCreditsADay }: NewApiKey,
): QuerySteps<number | undefined> {
  const row = {
    account_id: accountId,
    name,
    prefix,
    hash,
    scopes: JSON.stringify(scopes),
    created_at: createdAt,
    last_used_at: null,
    expires_at: expiresAt,
    revoked_at: null,
    made_by: madeBy ?? null,
    counted_at: making ? createdAt : null,
    run: run ?? null,
    max_credits_a_day: maxCreditsADay ?? null,
  };
  const insert = database.insertInto('api_keys').returning('id');
  if (maxKeys === undefined && making === undefined) return (yield* queryRows(insert.values(row)))[0]!.id;
  const columns = Object.keys(row) as (keyof typeof row)[];
  const inForce = database
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null);
  let source = database.selectNoFrom((select) => columns.map((column) => select.val(row[column]).as(column)));
  if (maxKeys !== undefined) source = source.where(inForce, '<', maxKeys);
  if (making) {
    const made = database
      .selectFrom('api_keys')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('counted_at', '>', making.since);
    source = source.where(made, '<', making.maxKeys);
  }
  const [inserted] = yield* queryRows(insert.columns(columns).expression(source));
  return inserted?.id;
}

/** Why nothing was inserted. */
function* explainRefusal(database: Kysely<KeyTables>, accountId: number, { making }: NewApiKey): QuerySteps<Error> {
  const [full] = making
    ? yield* queryRows(
        database
          .selectFrom('api_keys')
          .select('counted_at')
          .where('account_id', '=', accountId)
          .where('counted_at', '>', making.since)
          .orderBy('counted_at', 'desc')
          .offset(making.maxKeys - 1)
          .limit(1),
      )
    : [];
  if (full) return new TooManyKeysCreated(full.counted_at!);
  return new TooManyKeys(`account ${accountId} has as many keys as it may have`);
}

/** The id of the new key's account. */
function* accountOf(database: Kysely<KeyTables>, key: NewApiKey): QuerySteps<number> {
  const { account, plan, credits, createdAt } = key;
  const grantedAt = credits === undefined ? null : createdAt;
  if (account !== 'own' && 'id' in account) {
    const [found] = yield* queryRows(
      database
        .updateTable('accounts')
        .set((set) => ({
          plan: plan ?? set.ref('accounts.plan'),
          granted_credits: credits ?? set.ref('accounts.granted_credits'),
          granted_at: grantedAt ?? set.ref('accounts.granted_at'),
        }))
        .where('id', '=', account.id)
        .returning('id'),
    );
    if (!found) throw new Error(`there is no account ${account.id}`);
    return found.id;
  }
  const email = account === 'own' ? null : account.email.trim().toLowerCase();
  const [made] = yield* queryRows(
    database
      .insertInto('accounts')
      .values({
        email,
        plan: plan ?? DEFAULT_PLAN,
        granted_credits: credits ?? null,
        granted_at: grantedAt,
        created_at: createdAt,
      })
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((set) => ({
          plan: plan ?? set.ref('accounts.plan'),
          granted_credits: credits ?? set.ref('accounts.granted_credits'),
          granted_at: grantedAt ?? set.ref('accounts.granted_at'),
        })),
      )
      .returning('id'),
  );
  return made!.id;
}
