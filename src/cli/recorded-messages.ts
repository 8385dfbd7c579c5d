import type { LogRecord } from '../domain/record.ts';
import { CommandError } from './arguments.ts';

/** The feed messages that a record says again. Its place is `src/ingest/replay-messages.ts`, which is to come. */
export function messagesOf(_record: LogRecord): readonly unknown[] {
  throw new CommandError('replay is not part of this version yet');
}
