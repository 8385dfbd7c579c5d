import { changesContract } from '../changes.contract.ts';
import { memoryChanges, runnerChanges } from '../changes-worlds.ts';

changesContract('by the runner', runnerChanges);
changesContract('memory', memoryChanges);
