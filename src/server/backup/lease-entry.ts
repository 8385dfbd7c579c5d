import { z } from 'zod';

/** From the beginning of a renewal the holder may write for so long. */
export const LEASE_MS = 30_000;
/** Between the beginnings of two renewals. */
export const RENEW_EVERY_MS = 5000;
/**
 * Who waits for the end of a lease counts from when it saw the renewal, and waits for this long: clocks of two machines
 * do not run equally fast.
 */
export const RUN_OUT_MS = LEASE_MS * 1.05;

const turn = z.object({
  /** The history of the backup that this holder writes. */
  timeline: z.string(),
  holder: z.string(),
  /** The last point and the last record of it that count; absent: all do. */
  end: z.object({ number: z.int(), head: z.int() }).optional(),
});

/**
 * One entry of the lease. Entries are numbered 1, 2, 3, ..., and each is made only if there is none of its number: so
 * who makes one has seen the one before, and nobody else has made another.
 */
export const leaseEntry = z.object({
  form: z.literal(1),
  number: z.int().min(1),
  /** `lease`: the holder goes on. `released`: it has stopped in order. `promotion`: a standby has become the holder. */
  kind: z.enum(['lease', 'released', 'promotion']),
  /** The id of a data folder. */
  holder: z.string(),
  /** Of this try: by it a process knows its own entry from that of a clone of its folder, which has the same holder. */
  nonce: z.string(),
  /**
   * On which file of which boot of a machine the writer runs. A process that has the lock of that file knows that the
   * writer is gone. Absent: the machine does not tell, or the writer was of an earlier version.
   */
  place: z.string().optional(),
  /** By the holder's clock; for people only. */
  at: z.string(),
  /** Which histories count, the oldest first; the last one is that of the holder. */
  chain: z.array(turn),
});

export type LeaseEntry = z.infer<typeof leaseEntry>;
export type Turn = z.infer<typeof turn>;

/** The chain when a holder writes this history. Another one than before is a turn of its own. */
export function withTimeline(chain: readonly Turn[], holder: string, timeline: string | undefined): Turn[] {
  if (timeline === undefined || chain.some((one) => one.timeline === timeline)) return [...chain];
  return [...chain, { timeline, holder }];
}

/** The chain when this standby has become the holder: of the history before, what it has counts. */
export function withPromotion(
  chain: readonly Turn[],
  end: { readonly timeline: string; readonly number: number; readonly head: number },
  own: { readonly timeline: string; readonly holder: string },
): Turn[] {
  const { timeline, number, head } = end;
  // Histories after the one that was followed were begun, and nobody has followed them.
  const index = chain.findIndex((one) => one.timeline === timeline);
  const before = index < 0 ? [{ timeline, holder: '' }] : chain.slice(0, index + 1);
  return [...before.slice(0, -1), { ...before.at(-1)!, end: { number, head } }, { ...own }];
}
