import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { identitiesContract } from './identities.contract.ts';
import { SEVERAL } from './several-instances.contract.ts';
import { farWorld, memoryWorld, sqliteWorld } from './worlds.ts';

const folder = temporaryFolder();
let files = 0;
const nextFile = () => folder.path(`${files++}.db`);

identitiesContract('in memory', memoryWorld);
identitiesContract('SQLite, with others', sqliteWorld(nextFile));
identitiesContract('SQLite, alone', sqliteWorld(nextFile, { isSoleWriter: true }), {
  skip: [{ reason: 'it holds the folder, and nobody else writes', tests: [SEVERAL] }],
});
identitiesContract('far away', farWorld(memoryWorld));
