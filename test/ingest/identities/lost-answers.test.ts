import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { lostAnswersContract } from './lost-answers.contract.ts';
import { memoryWorld, sqliteWorld } from './worlds.ts';

const folder = temporaryFolder();
let files = 0;

lostAnswersContract('in memory', memoryWorld, 100);
lostAnswersContract(
  'in SQLite',
  sqliteWorld(() => folder.path(`${files++}.db`)),
  4,
);
