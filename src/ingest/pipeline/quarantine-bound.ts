import type { Rejection } from '../../domain/feed/rejection.ts';
import type { Identities } from '../identities/identities.ts';
import { quarantinedBytes } from '../identities/quarantine-counts.ts';

/** What the quarantine may hold. A message beyond it is refused: its sender knows, and keeps it. */
export interface QuarantineBound {
  readonly maxMessages: number;
  /** Of the texts of the messages. */
  readonly maxBytes: number;
}

export const DEFAULT_QUARANTINE_BOUND: QuarantineBound = { maxMessages: 1_000_000, maxBytes: 1024 * 1024 * 1024 };

/**
 * Why the quarantine does not take one more message; undefined: it does.
 * @param waitsFor what the message waits for, in words
 */
export async function findQuarantineRefusal(
  identities: Pick<Identities, 'quarantineSize'>,
  { maxMessages, maxBytes }: QuarantineBound,
  message: unknown,
  waitsFor: string,
): Promise<Rejection | undefined> {
  const { messages, bytes } = await identities.quarantineSize();
  if (messages < maxMessages && bytes + quarantinedBytes(message) <= maxBytes) return undefined;
  return {
    code: 'quarantine_full',
    message:
      `This message waits for ${waitsFor}, and the quarantine is full. Nothing of it was kept. ` +
      'Send what it waits for, then send this message again.',
    path: '',
  };
}
