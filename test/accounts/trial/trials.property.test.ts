import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { cases } from '../../support/cases.ts';
import { sqliteTrials } from './sqlite-trials.ts';
import { trialsProperty } from './trials.property.ts';

const folder = temporaryFolder();
let files = 0;

trialsProperty('SQLite', () => sqliteTrials(folder.path(`trials-${++files}.db`)), cases(150, 30));
