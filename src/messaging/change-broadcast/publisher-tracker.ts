/** How long a silent process is remembered, in milliseconds. */
const FORGOTTEN_AFTER = 60_000;

/**
 * Tracks the publishing processes and finds missed messages, by the numbers of the messages. The numbers have no gaps.
 */
interface PublisherTracker {
  /**
   * Notes a message of a process.
   * @returns `again`: the message was received before; `missed`: messages before it were missed, or the process is new;
   * `next`: otherwise
   */
  receive(instance: string, number: number): 'again' | 'missed' | 'next';
  /** A process of which no message was missed projects these partitions. */
  heartbeat(partitions: readonly string[]): void;
  /** Whether a heartbeat for each of these partitions came in the last so many milliseconds. */
  receivedWithin(milliseconds: number, partitions: readonly string[]): boolean;
  /** Forgets all former messages. */
  reset(): void;
}

/** @param now milliseconds of a monotonic clock */
export function createPublisherTracker(now: () => number): PublisherTracker {
  const numbers = new Map<string, { next: number; receivedAt: number }>();
  const heartbeats = new Map<string, number>();

  function forgetSilent(at: number): void {
    for (const [instance, { receivedAt }] of numbers) if (receivedAt < at - FORGOTTEN_AFTER) numbers.delete(instance);
  }

  return {
    receive(instance, number) {
      const known = numbers.get(instance);
      // The message was sent again because its answer was lost.
      if (known && number < known.next) return 'again';
      const at = now();
      if (!known) forgetSilent(at);
      numbers.set(instance, { next: number + 1, receivedAt: at });
      return known?.next === number ? 'next' : 'missed';
    },
    heartbeat(partitions) {
      const at = now();
      for (const partition of partitions) heartbeats.set(partition, at);
    },
    receivedWithin(milliseconds, partitions) {
      const since = now() - milliseconds;
      return partitions.every((partition) => (heartbeats.get(partition) ?? Number.NEGATIVE_INFINITY) >= since);
    },
    reset() {
      numbers.clear();
      heartbeats.clear();
    },
  };
}
