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
  numbers: QuarantineCountChanges,
): QuerySteps<string[]> {
  const keys: string[] = [];
  const byFingerprint = new Map(messages.map((message) => [message.fingerprint, message]));
  for (const piece of chunks(db, [...byFingerprint.keys()])) {
    const gone = yield* queryRows(
      db.deleteFrom('waiting').where('fingerprint', 'in', piece).returning(['fingerprint', 'awaited', 'accepted']),
    );
    for (const row of gone) numbers.add(toStoredCountRow(byFingerprint.get(row.fingerprint)!, row), -1);
    const rows = yield* queryRows(db.deleteFrom('waiting_keys').where('fingerprint', 'in', piece).returning('key'));
    for (const { key } of rows) keys.push(key);
    yield db.deleteFrom('taken').where('fingerprint', 'in', piece);
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
  numbers: QuarantineCountChanges,
): QuerySteps<ReadonlySet<string>> {
  const added = new Set<string>();
  for (const piece of chunks(db, messages)) {
    const rows = yield* queryRows(
      db
        .insertInto('waiting')
        .values(piece.map(toQuarantineRow))
        .onConflict((conflict) => conflict.column('fingerprint').doNothing())
        .returning('fingerprint'),
    );
    for (const { fingerprint } of rows) added.add(fingerprint);
  }
  const own = messages.filter(({ fingerprint }) => added.has(fingerprint));
  for (const message of own) numbers.add(toQuarantineCountRow(message), 1);
  const keys = own.flatMap(({ fingerprint, keys: awaited }) => awaited.map((key) => ({ key, fingerprint })));
  for (const piece of chunks(db, keys)) yield db.insertInto('waiting_keys').values(piece);
  return added;
}

/** Stored messages wait for new keys now. Their old keys stay as well. */
export function* updateQuarantined(
  db: Db,
  messages: readonly QuarantinedMessage[],
  numbers: QuarantineCountChanges,
): QuerySteps<void> {
  for (const piece of chunks(db, messages)) {
    const fingerprints = piece.map(({ fingerprint }) => fingerprint);
    const before = yield* queryRows(
      db.selectFrom('waiting').select(['fingerprint', 'awaited', 'accepted']).where('fingerprint', 'in', fingerprints),
    );
    const keysBefore = yield* queryRows(
      db.selectFrom('waiting_keys').selectAll().where('fingerprint', 'in', fingerprints),
    );
    const rows = new Map(before.map((row) => [row.fingerprint, row]));
    const standing = new Set(keysBefore.map(({ key, fingerprint }) => `${fingerprint} ${key}`));
    for (const message of piece) {
      const { fingerprint, keys } = message;
      const row = rows.get(fingerprint);
      if (!row) continue;
      const { awaited, accepted, reason } = toQuarantineRow(message);
      numbers.add(toStoredCountRow(message, row), -1);
      numbers.add(toQuarantineCountRow(message), 1);
      yield db.updateTable('waiting').set({ awaited, accepted, reason }).where('fingerprint', '=', fingerprint);
      const missing = [...new Set(keys)].filter((key) => !standing.has(`${fingerprint} ${key}`));
      for (const key of missing) yield db.insertInto('waiting_keys').values({ key, fingerprint });
    }
    yield db.deleteFrom('taken').where('fingerprint', 'in', fingerprints);
  }
}

/**
 * From now on the messages wait only for their own keys. Messages that another process has changed since are left
 * alone.
 * @returns the deleted keys
 */
export function* deleteOldKeys(db: Db, messages: readonly QuarantinedMessage[]): QuerySteps<string[]> {
  const before: string[] = [];
  for (const piece of chunks(db, messages)) {
    const fingerprints = piece.map(({ fingerprint }) => fingerprint);
    const rows = yield* queryRows(
      db
        .selectFrom('waiting')
        .leftJoin('taken', 'taken.fingerprint', 'waiting.fingerprint')
        .select(['waiting.fingerprint as fingerprint', 'awaited', 'owner'])
        .where('waiting.fingerprint', 'in', fingerprints),
    );
    const standing = new Map(rows.map((row) => [row.fingerprint, row]));
    for (const { fingerprint, keys } of piece) {
      const row = standing.get(fingerprint);
      if (row?.awaited !== JSON.stringify(keys) || row.owner !== null) continue;
      const gone = yield* queryRows(
        db
          .deleteFrom('waiting_keys')
          .where('fingerprint', '=', fingerprint)
          .where('key', 'not in', keys)
          .returning('key'),
      );
      for (const { key } of gone) before.push(key);
    }
  }
  return before;
}

export function* updateQuarantineCounts(db: Db, numbers: QuarantineCountChanges): QuerySteps<void> {
  const changes = numbers.all();
  for (const piece of chunks(db, changes)) {
    yield db
      .insertInto('waiting_numbers')
      .values(piece)
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'waits_for', 'accepted'])
          .doUpdateSet({ number: (eb) => eb('waiting_numbers.number', '+', eb.ref('excluded.number')) }),
      );
  }
  if (changes.some(({ number }) => number < 0)) yield db.deleteFrom('waiting_numbers').where('number', '=', 0);
}
