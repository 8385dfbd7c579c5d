import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { createSqliteGradeCounter } from '../../../src/web/grade/grade-counter.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { gradeCounterContract } from './grade-counter.contract.ts';

const folder = temporaryFolder();
let files = 0;

gradeCounterContract('SQLite', async (mostRows) => {
  const file = folder.path(`grades-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    grades: createSqliteGradeCounter(registries[0]!, mostRows),
    another: async () => createSqliteGradeCounter(registries[1]!, mostRows),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});
