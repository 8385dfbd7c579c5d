import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { twoIntakesContract } from './two-intakes.contract.ts';
import { memoryWorld, sqliteWorld } from './worlds.ts';

const folder = temporaryFolder();
let files = 0;

twoIntakesContract('in memory', memoryWorld, 60);
twoIntakesContract(
  'in SQLite',
  sqliteWorld(() => folder.path(`${files++}.db`)),
  15,
);
