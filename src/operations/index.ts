import { health } from './health.ts';
import { listSports } from './list-sports.ts';
import type { Operation } from './operation.ts';

/** Everything that a client can do, in the order in which the documentation shows it. */
export const operations: readonly Operation[] = [health, listSports];
