import type { EventLog } from '../port/event-log.ts';
import { createMemoryLog } from './memory-log.ts';

/** An empty log that nobody keeps, for records that are written only to see what comes of them. */
export const createScratchLog = (): EventLog => createMemoryLog({ now: () => 0 });
