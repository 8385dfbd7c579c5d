import { openRegistry } from '../../src/composition/registry.ts';
import { sqliteGrades } from '../../src/sheet/sql-grades.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';
import { keptGradesContract } from './kept-grades.contract.ts';

const folder = temporaryFolder();
let files = 0;

keptGradesContract('SQLite', async (mostRows) => {
  const file = folder.path(`grades-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    grades: sqliteGrades(registries[0]!, mostRows),
    another: async () => sqliteGrades(registries[1]!, mostRows),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});
