import { classifyDiskError } from '../../../src/platform/sqlite/disk-errors.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';

/** What a program says of a database: its answers, and the kind of the error that ended it. */
export interface Said {
  readonly answers: readonly number[];
  readonly error?: string | undefined;
}

/** Asks for all rows in three ways, with hardly any cache. */
function ask(file: string): Said {
  const answers: number[] = [];
  try {
    const database = openSqliteDatabase({ file, mustExist: true });
    database.exec('PRAGMA cache_size = 10');
    for (const query of [
      'SELECT count(*) FROM t',
      'SELECT sum(a) FROM t NOT INDEXED',
      'SELECT max(b) FROM (SELECT a AS b FROM t ORDER BY a)',
    ])
      answers.push((database.prepare(query).raw().get() as [number])[0]);
    return { answers };
  } catch (error) {
    return { answers, error: classifyDiskError(error) ?? String(error) };
  }
}

process.stdout.write(JSON.stringify(ask(process.argv[2]!)));
