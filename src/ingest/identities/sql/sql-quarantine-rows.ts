import type { Kysely } from 'kysely';
import { type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { QuarantinedMessage } from '../identities.ts';
import { type QuarantineCountChanges, toQuarantineCountRow } from '../quarantine-counts.ts';
import type { IdentityTables } from './identity-tables.ts';
import { type QuarantineRow, toQuarantineRow } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';

type Db = Kysely<IdentityTables>;
type Facts = Pick<QuarantineRow, 'fingerprint' | 'awaited' | 'accepted'>;

const toStoredCountRow = ({ message }: QuarantinedMessage, { awaited, accepted }: Facts) =>
  toQuarantineCountRow({ message, keys: JSON.parse(awaited), accepted: accepted === 1 });

/**
 * Deletes the messages with their keys and claims. Each message counts once, however often this runs.
 * @returns the keys that they waited for
 */
export function* deleteQuarantined(
  db: Db,
  messages: readonly QuarantinedMessage[],
  counts: QuarantineCountChanges,
): QuerySteps<string[]> {
  const keys: string[] = [];
  const byFingerprint = new Map(messages.map((message) => [message.fingerprint, message]));
  for (const chunk of chunks(db, [...byFingerprint.keys()])) {
    const deleted = yield* queryRows(
      db.deleteFrom('quarantine').where('fingerprint', 'in', chunk).returning(['fingerprint', 'awaited', 'accepted']),
    );
    for (const row of deleted) counts.add(toStoredCountRow(byFingerprint.get(row.fingerprint)!, row), -1);
    const rows = yield* queryRows(db.deleteFrom('quarantine_keys').where('fingerprint', 'in', chunk).returning('key'));
    for (const { key } of rows) keys.push(key);
    yield db.deleteFrom('quarantine_claims').where('fingerprint', 'in', chunk);
  }
  return keys;
}

/**
 * Adds the messages that are not stored yet.
 * @returns their fingerprints
 */
export function* insertQuarantined(
  db: Db,
  messages: readonly QuarantinedMessage[],
  counts: QuarantineCountChanges,
): QuerySteps<ReadonlySet<string>> {
  const added = new Set<string>();
  for (const chunk of chunks(db, messages)) {
    const rows = yield* queryRows(
      db
        .insertInto('quarantine')
        .values(chunk.map(toQuarantineRow))
        .onConflict((conflict) => conflict.column('fingerprint').doNothing())
        .returning('fingerprint'),
    );
    for (const { fingerprint } of rows) added.add(fingerprint);
  }
  const addedMessages = messages.filter(({ fingerprint }) => added.has(fingerprint));
  for (const message of addedMessages) counts.add(toQuarantineCountRow(message), 1);
  const keys = addedMessages.flatMap(({ fingerprint, keys: awaited }) =>
    [...new Set(awaited)].map((key) => ({ key, fingerprint })),
  );
  for (const chunk of chunks(db, keys)) yield db.insertInto('quarantine_keys').values(chunk);
  return added;
}

/** Stored messages wait for new keys now. Their old keys stay as well. */
export function* updateQuarantined(
  db: Db,
  messages: readonly QuarantinedMessage[],
  counts: QuarantineCountChanges,
): QuerySteps<void> {
  for (const chunk of chunks(db, messages)) {
    const fingerprints = chunk.map(({ fingerprint }) => fingerprint);
    const before = yield* queryRows(
      db
        .selectFrom('quarantine')
        .select(['fingerprint', 'awaited', 'accepted'])
        .where('fingerprint', 'in', fingerprints),
    );
    const keysBefore = yield* queryRows(
      db.selectFrom('quarantine_keys').selectAll().where('fingerprint', 'in', fingerprints),
    );
    const rows = new Map(before.map((row) => [row.fingerprint, row]));
    const stored = new Set(keysBefore.map(({ key, fingerprint }) => `${fingerprint} ${key}`));
    for (const message of chunk) {
      const { fingerprint, keys } = message;
      const row = rows.get(fingerprint);
      if (!row) continue;
      const { awaited, accepted, reason, code, candidates, group_id } = toQuarantineRow(message);
      counts.add(toStoredCountRow(message, row), -1);
      counts.add(toQuarantineCountRow(message), 1);
      const changed = { awaited, accepted, reason, code, candidates, group_id };
      yield db.updateTable('quarantine').set(changed).where('fingerprint', '=', fingerprint);
      const missing = [...new Set(keys)].filter((key) => !stored.has(`${fingerprint} ${key}`));
      for (const key of missing) yield db.insertInto('quarantine_keys').values({ key, fingerprint });
    }
    yield db.deleteFrom('quarantine_claims').where('fingerprint', 'in', fingerprints);
  }
}

/**
 * From now on the messages wait only for their own keys. Messages that another process has changed since are left
 * alone.
 * @returns the deleted keys
 */
export function* deleteOldKeys(db: Db, messages: readonly QuarantinedMessage[]): QuerySteps<string[]> {
  const before: string[] = [];
  for (const chunk of chunks(db, messages)) {
    const fingerprints = chunk.map(({ fingerprint }) => fingerprint);
    const rows = yield* queryRows(
      db
        .selectFrom('quarantine')
        .leftJoin('quarantine_claims', 'quarantine_claims.fingerprint', 'quarantine.fingerprint')
        .select(['quarantine.fingerprint as fingerprint', 'awaited', 'owner'])
        .where('quarantine.fingerprint', 'in', fingerprints),
    );
    const stored = new Map(rows.map((row) => [row.fingerprint, row]));
    const storedKeys = yield* queryRows(
      db.selectFrom('quarantine_keys').selectAll().where('fingerprint', 'in', fingerprints),
    );
    const old = new Map<string, string[]>();
    const awaited = new Map(chunk.map(({ fingerprint, keys }) => [fingerprint, new Set(keys)]));
    for (const { key, fingerprint } of storedKeys)
      if (!awaited.get(fingerprint)!.has(key)) old.set(fingerprint, [...(old.get(fingerprint) ?? []), key]);
    for (const { fingerprint, keys } of chunk) {
      const row = stored.get(fingerprint);
      if (row?.awaited !== JSON.stringify(keys) || row.owner !== null) continue;
      const ofMessage = old.get(fingerprint);
      // Most wait for what they waited for before.
      if (!ofMessage) continue;
      yield db.deleteFrom('quarantine_keys').where('fingerprint', '=', fingerprint).where('key', 'in', ofMessage);
      before.push(...ofMessage);
    }
  }
  return before;
}

export function* updateQuarantineCounts(db: Db, counts: QuarantineCountChanges): QuerySteps<void> {
  const changes = counts.all();
  for (const chunk of chunks(db, changes)) {
    yield db
      .insertInto('quarantine_counts')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['source', 'waits_for', 'accepted']).doUpdateSet({
          number: (eb) => eb('quarantine_counts.number', '+', eb.ref('excluded.number')),
          // Null: a process of the version before has added the row.
          bytes: (eb) => eb(eb.fn.coalesce('quarantine_counts.bytes', eb.val(0)), '+', eb.ref('excluded.bytes')),
        }),
      );
  }
  if (changes.some(({ number }) => number < 0)) yield db.deleteFrom('quarantine_counts').where('number', '=', 0);
}
