import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The steady clock: nobody sets it, and it goes on while the machine sleeps, so that a laptop's lid is no leap. */
export interface BootClock {
  /** Milliseconds since the machine began. */
  readonly uptime: () => number;
  /** Names this run of the machine; null where the system does not tell. */
  readonly bootId: string | null;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

export const createBootClock = (): BootClock => ({ uptime: () => uptime() * 1000, bootId: readBootId() });

function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim() || null;
  } catch {
    // Only Linux has it.
    return null;
  }
}
