import { readFileSync } from 'node:fs';

/** The usual limit of a process, used if the system does not say its own. */
const USUAL = 1024;

/** Reserved for files, the database, and connections to webhook endpoints. */
const KEPT = 200;

/** The number of connections that a process with so many descriptors may keep open. */
export const connectionsOf = (descriptors: number): number => Math.max(descriptors - KEPT, Math.floor(descriptors / 2));

/** The number of descriptors that this process may have, read from Linux. */
export function descriptorLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const limit = /^Max open files +(\S+)/m.exec(read())?.[1];
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY;
    return Number(limit) > 0 ? Number(limit) : USUAL;
  } catch {
    return USUAL;
  }
}
