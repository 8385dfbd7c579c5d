import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import type { SqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';

/** The checkpoints of the partitions of generations. */
interface SqliteCheckpoints {
  /** Null: at the very start, or there is no such generation, or the checkpoint is closed. */
  of(projection: string, generation: string, partition: string): bigint | null;
  /** False, without a move, if the checkpoint is not at `expected`. @param generation id of its row */
  move(generation: number, partition: string, expected: bigint | null, checkpoint: bigint | null): boolean;
  /** From now on nothing can move this checkpoint. @param generation id of its row */
  close(generation: number, partition: string): void;
  /** Deletes the checkpoints of a generation that is being dropped. */
  remove(generation: number): void;
}

/**
 * Created when it is first needed: the folder of a single process has none, and neither has a folder that an older
 * server wrote and that is only read.
 */
const CHECKPOINTS_TABLE = `CREATE TABLE IF NOT EXISTS projection_checkpoints (
  build INTEGER NOT NULL,
  partition TEXT NOT NULL,
  checkpoint INTEGER NOT NULL,
  PRIMARY KEY (build, partition)
) WITHOUT ROWID`;

/** Stored for a closed checkpoint: no position is below 0, so that this value is never expected. */
const CLOSED = -1n;

/**
 * The checkpoint of a log without partitions is in the row of the generation, as in all versions. Those of other
 * partitions have rows of their own.
 */
export function sqliteCheckpoints(database: SqliteDatabase): SqliteCheckpoints {
  const sql = {
    find: 'SELECT id, checkpoint FROM projection_builds WHERE projection = ? AND build = ?',
    move: 'UPDATE projection_builds SET checkpoint = ? WHERE id = ? AND checkpoint IS ?',
    close: 'UPDATE projection_builds SET checkpoint = ? WHERE id = ?',
    hasOthers: `SELECT 1 FROM sqlite_master WHERE name = 'projection_checkpoints'`,
    findOther: 'SELECT checkpoint FROM projection_checkpoints WHERE build = ? AND partition = ?',
    addOther: 'INSERT OR IGNORE INTO projection_checkpoints (checkpoint, build, partition) VALUES (?, ?, ?)',
    moveOther: `UPDATE projection_checkpoints SET checkpoint = ?
      WHERE build = ? AND partition = ? AND checkpoint = ?`,
    closeOther: 'INSERT OR REPLACE INTO projection_checkpoints (checkpoint, build, partition) VALUES (?, ?, ?)',
    removeOthers: 'DELETE FROM projection_checkpoints WHERE build = ?',
  };
  const find = database.prepare(sql.find).raw().safeIntegers();
  const moveOne = database.prepare(sql.move);

  const hasOthers = () => database.prepare(sql.hasOthers).get([]) !== undefined;

  function findOther(generation: bigint | number, partition: string): bigint | null {
    if (!hasOthers()) return null;
    const found = database.prepare(sql.findOther).raw().safeIntegers().get([generation, partition]);
    return (found as [bigint] | undefined)?.[0] ?? null;
  }

  function moveOther(
    generation: number,
    partition: string,
    expected: bigint | null,
    checkpoint: bigint | null,
  ): boolean {
    // Documents ahead of the checkpoint do not move it.
    if (checkpoint === expected) return findOther(generation, partition) === expected;
    if (expected !== null) {
      return (
        hasOthers() && database.prepare(sql.moveOther).run([checkpoint, generation, partition, expected]).changes === 1
      );
    }
    database.exec(CHECKPOINTS_TABLE);
    return database.prepare(sql.addOther).run([checkpoint, generation, partition]).changes === 1;
  }

  return {
    of(projection, generation, partition) {
      const found = find.get([projection, generation]) as [id: bigint, checkpoint: bigint | null] | undefined;
      if (found === undefined) return null;
      const checkpoint = partition === ONE_PARTITION ? found[1] : findOther(found[0], partition);
      return checkpoint === CLOSED ? null : checkpoint;
    },
    move(generation, partition, expected, checkpoint) {
      if (partition !== ONE_PARTITION) return moveOther(generation, partition, expected, checkpoint);
      return moveOne.run([checkpoint, generation, expected]).changes === 1;
    },
    close(generation, partition) {
      if (partition === ONE_PARTITION) {
        database.prepare(sql.close).run([CLOSED, generation]);
        return;
      }
      database.exec(CHECKPOINTS_TABLE);
      database.prepare(sql.closeOther).run([CLOSED, generation, partition]);
    },
    remove(generation) {
      if (hasOthers()) database.prepare(sql.removeOthers).run([generation]);
    },
  };
}
