import { readFileSync } from 'node:fs';

/** Where the system does not tell its limit: what most give to a process. */
const USUAL = 1024;

/** For files, the database, and connections to webhooks' endpoints. */
const KEPT = 200;

/** How many connections a process may have open at once, with so many descriptors in all. */
export const connectionsOf = (descriptors: number): number => Math.max(descriptors - KEPT, Math.floor(descriptors / 2));

/** How many descriptors this process may have: what Linux tells of it. */
export function descriptorLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const limit = /^Max open files +(\S+)/m.exec(read())?.[1];
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY;
    return Number(limit) > 0 ? Number(limit) : USUAL;
  } catch {
    return USUAL;
  }
}
