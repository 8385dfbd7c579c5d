/** How long a silent process is remembered, in milliseconds. */
const FORGOTTEN_AFTER = 60_000;

/** Who has told changes, and what of it never came: by the numbers of their messages, which have no gaps. */
interface PublisherTracker {
  /**
   * The next message of a process.
   * @returns `again`: it was taken before; `missed`: what came before it was not heard, or its sender is new here; else `next`
   */
  receive(instance: string, number: number): 'again' | 'missed' | 'next';
  /** These partitions are projected by a process of which everything was heard until now. */
  heartbeat(partitions: readonly string[]): void;
  /** Whether in the last so many milliseconds that was so of all of these. */
  receivedWithin(milliseconds: number, partitions: readonly string[]): boolean;
  /** Nothing is known any more of what they have told before. */
  reset(): void;
}

/** @param now milliseconds of a clock that never goes back */
export function createPublisherTracker(now: () => number): PublisherTracker {
  const numbers = new Map<string, { next: number; heardAt: number }>();
  const heard = new Map<string, number>();

  function forgetSilent(at: number): void {
    for (const [instance, { heardAt }] of numbers) if (heardAt < at - FORGOTTEN_AFTER) numbers.delete(instance);
  }

  return {
    receive(instance, number) {
      const known = numbers.get(instance);
      // Sent again, since its answer was lost.
      if (known && number < known.next) return 'again';
      const at = now();
      if (!known) forgetSilent(at);
      numbers.set(instance, { next: number + 1, heardAt: at });
      return known?.next === number ? 'next' : 'missed';
    },
    heartbeat(partitions) {
      const at = now();
      for (const partition of partitions) heard.set(partition, at);
    },
    receivedWithin(milliseconds, partitions) {
      const since = now() - milliseconds;
      return partitions.every((partition) => (heard.get(partition) ?? Number.NEGATIVE_INFINITY) >= since);
    },
    reset() {
      numbers.clear();
      heard.clear();
    },
  };
}
