import type { QuarantineCount, QuarantinedMessage } from './identities.ts';
import { type EntityKind, parseIdentityKey } from './identity-key.ts';
import { isDismissed } from './waiting-groups.ts';

/** A row of the table `quarantine_counts`. Data folders hold it: its texts never change. */
interface QuarantineCountRow {
  readonly source: string;
  readonly waits_for: string;
  readonly accepted: number;
  /** Of the texts of the messages. */
  readonly bytes: number;
}

/**
 * The row that counts a message: messages that wait for a thousand unknown refs of a source have one cause. Null for a
 * dismissed message, which does not count.
 */
export function toQuarantineCountRow({ message, keys, accepted }: CountedMessage): QuarantineCountRow | null {
  if (isDismissed(keys)) return null;
  const { source } = message as { source?: unknown };
  return {
    source: typeof source === 'string' ? source : '',
    waits_for: describeMissing(keys),
    accepted: accepted ? 1 : 0,
    bytes: quarantinedBytes(message),
  };
}

/** What a message takes in the quarantine, in bytes. */
export const quarantinedBytes = (message: unknown): number => Buffer.byteLength(JSON.stringify(message));

type CountedMessage = Pick<QuarantinedMessage, 'message' | 'keys' | 'accepted'>;

const article = (kind: EntityKind, scope: string): string => (scope === '' ? `a ${kind}` : `a ${kind} of ${scope}`);

/** Uses the first key: the others are alternative names of the same thing. */
export function describeMissing([first = '']: readonly string[]): string {
  const key = parseIdentityKey(first);
  switch (key?.what) {
    case 'event':
      return 'an event by its ref';
    case 'ref':
      return `${article(key.kind, key.scope)} by its ref`;
    case 'name':
      return `${article(key.kind, key.scope)} by name`;
    case 'pair':
      return 'one event of two sides';
    case 'contract':
      return 'the proof of its side, or a person who says it';
    default:
      return 'something unknown';
  }
}

/** Collects changes of the counts, such as those of one transaction. */
export class QuarantineCountChanges {
  readonly #changes = new Map<string, { readonly row: QuarantineCountRow; change: number; bytes: number }>();

  add(row: QuarantineCountRow | null, change: 1 | -1): void {
    if (row === null) return;
    const key = `${row.source}|${row.accepted}|${row.waits_for}`;
    const existing = this.#changes.get(key);
    const bytes = change * row.bytes;
    if (existing) {
      existing.change += change;
      existing.bytes += bytes;
    } else this.#changes.set(key, { row, change, bytes });
  }

  /** Always in the same order, so that two writers cannot deadlock. */
  all(): readonly (QuarantineCountRow & { readonly number: number })[] {
    const rows = [...this.#changes].sort(([one], [other]) => (one < other ? -1 : 1));
    return rows
      .map(([, change]) => change)
      .flatMap(({ row, change, bytes }) => (change === 0 && bytes === 0 ? [] : [{ ...row, number: change, bytes }]));
  }
}

export const readQuarantineCount = (
  row: Omit<QuarantineCountRow, 'bytes'> & { readonly number: number },
): QuarantineCount => ({
  source: row.source,
  waitsFor: row.waits_for,
  accepted: row.accepted === 1,
  number: Number(row.number),
});
