import type { BackupTarget } from './backup-target.ts';
import { type LeaseEntry, leaseEntry } from './lease-entry.ts';

/** The folder of a backup that no timeline has. */
const FOLDER = 'standby';
const LEASES = `${FOLDER}/lease`;
const REGISTERED = `${FOLDER}/registered.json`;
/** Entries before the newest that stay: 17 minutes of renewals. */
const KEPT = 200;

type Store = Pick<BackupTarget, 'create' | 'read' | 'names' | 'remove'>;

/** What stands in the backup about the lease is not as it was written. */
export class DamagedLease extends Error {
  readonly code = 'damaged_lease';
}

/** The entries of the lease in a backup. */
export interface LeaseBook {
  /** @returns undefined if there is none @throws DamagedLease */
  newest(): Promise<LeaseEntry | undefined>;
  /**
   * Adds the entry of this number, unless there is one. The caller has seen the entry before it.
   * @returns whether this very entry stands there
   * @throws an error of the target; then the entry may stand there later
   */
  append(entry: LeaseEntry): Promise<boolean>;
  /** Whether this very entry still stands there: in the place of a disk that is gone there may be an empty folder. */
  has(entry: LeaseEntry): Promise<boolean>;
  /** Whether a follower has registered. */
  isFollowed(): Promise<boolean>;
  /** A follower registers; again does nothing. @param at for people */
  register(at: string): Promise<void>;
  /** Removes old entries, never the newest ones. @param newest its number */
  prune(newest: number): Promise<void>;
}

const nameOf = (number: number): string => `${LEASES}/${String(number).padStart(12, '0')}.json`;
const numberOf = (name: string): number => Number(/\/(\d{12})\.json$/.exec(name)?.[1] ?? 0);

export function createLeaseBook(store: Store): LeaseBook {
  async function read(number: number): Promise<LeaseEntry | undefined> {
    const text = await store.read(nameOf(number));
    if (text === undefined) return undefined;
    try {
      return leaseEntry.parse(JSON.parse(text));
    } catch {
      throw new DamagedLease(`${nameOf(number)} in the backup is damaged: nobody can tell who may write`);
    }
  }

  async function numbers(): Promise<readonly number[]> {
    return (await store.names(LEASES)).map(numberOf).filter((number) => number > 0);
  }

  async function newest(): Promise<LeaseEntry | undefined> {
    for (;;) {
      const last = Math.max(0, ...(await numbers()));
      if (last === 0) return undefined;
      const entry = await read(last);
      // It is gone only if there are many after it.
      if (entry) return entry;
    }
  }

  return {
    newest,
    async append(entry) {
      const isOwn = async () => (await read(entry.number))?.nonce === entry.nonce;
      try {
        if (await store.create(nameOf(entry.number), JSON.stringify(entry))) return true;
      } catch (error) {
        const found = await read(entry.number).catch(() => undefined);
        if (!found) throw error;
        return found.nonce === entry.nonce;
      }
      // An earlier try of the same entry may have made it.
      return isOwn();
    },
    has: async ({ number, nonce }) => (await read(number))?.nonce === nonce,
    isFollowed: async () => (await store.read(REGISTERED)) !== undefined,
    register: async (at) => void (await store.create(REGISTERED, `${JSON.stringify({ at })}\n`)),
    async prune(last) {
      for (const number of await numbers()) if (number < last - KEPT) await store.remove(nameOf(number));
    },
  };
}
