import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { sqliteTrials } from './sqlite-trials.ts';
import { trialsContract } from './trials.contract.ts';

const folder = temporaryFolder();
let files = 0;

trialsContract('SQLite', () => sqliteTrials(folder.path(`trials-${++files}.db`)));
