/** When what is known of a league was last told by the connectors of any process. Milliseconds of the shared clock. */
export interface SharedFeedAge {
  readonly league: string;
  readonly answeredAt: number;
  /** From when on its feed is down unless it is told of before; null: nobody is asked about it. */
  readonly downFrom: number | null;
}

/** The ages of the feeds, for processes that poll nothing. The process that polls writes them. */
export interface SharedFeedAges {
  /** Of all polled leagues; they replace those before. */
  write(ages: readonly SharedFeedAge[]): Promise<void>;
  read(): Promise<readonly SharedFeedAge[]>;
  /** Calls back after every change, by whichever process. @returns ends it */
  follow(onAges: (ages: readonly SharedFeedAge[]) => void): () => void;
}

/** In memory: for tests. */
export function createMemoryFeedAges(): SharedFeedAges {
  let ages: readonly SharedFeedAge[] = [];
  const followers = new Set<(ages: readonly SharedFeedAge[]) => void>();
  return {
    async write(written) {
      ages = written;
      for (const follower of followers) follower(ages);
    },
    read: async () => ages,
    follow(onAges) {
      followers.add(onAges);
      return () => void followers.delete(onAges);
    },
  };
}
