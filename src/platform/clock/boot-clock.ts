import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/**
 * A monotonic clock: nobody can set it, and it runs on while the machine sleeps, so that a suspended laptop is no jump
 * in time.
 */
export interface BootClock {
  /** Milliseconds since the machine started. */
  readonly uptime: () => number;
  /** Identifies the machine's current boot; null if the system does not tell. */
  readonly bootId: string | null;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

export const createBootClock = (): BootClock => ({ uptime: () => uptime() * 1000, bootId: readBootId() });

function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim() || null;
  } catch {
    // Only Linux has this file.
    return null;
  }
}
