import { hash } from 'node:crypto';
import type { NewRecord } from '../event-sourcing/record.ts';
import { canonicalJson } from '../primitives/canonical-json.ts';

/** The seal of one UTC day. */
export interface Seal {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The root of the tree over the day's leaves: 64 hexadecimal digits. */
  readonly root: string;
  /** The `hashOfSeal` of the day before; null for the first day that was sealed. */
  readonly previous: string | null;
  /** The number of leaves. */
  readonly leaves: number;
  /** The position in the log up to which facts belong to this day, those of the days before excluded: decimal digits. */
  readonly position: string;
}

/**
 * What the next day's seal names as its previous: the SHA-256 of the seal's canonical JSON, in hexadecimal digits. It
 * covers all members, so the newest seal holds every seal before it in place.
 */
export function hashOfSeal({ date, root, previous, leaves, position }: Seal): string {
  return hash('sha256', canonicalJson({ date, root, previous, leaves, position }), 'hex');
}

/** A day was sealed. Stream: `seals`, one record a day without a gap. */
export interface DaySealed extends Seal {
  /** When it was sealed, ISO 8601. */
  readonly at: string;
}

export const SEAL_VERSIONS = { DaySealed: 1 } as const;

export const SEAL_STREAM = 'seals';

export const createDaySealed = (data: DaySealed): NewRecord<'DaySealed', DaySealed> => ({
  type: 'DaySealed',
  version: SEAL_VERSIONS.DaySealed,
  data,
  meta: { partition: SEAL_STREAM },
});

/** The members of a seal without the time at which it was made. */
export const sealOf = ({ date, root, previous, leaves, position }: DaySealed): Seal => ({
  date,
  root,
  previous,
  leaves,
  position,
});
