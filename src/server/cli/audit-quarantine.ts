import { once } from 'node:events';
import type { Identities, QuarantineCount, QuarantinedMessage } from '../../ingest/identities/identities.ts';
import { messageRow } from '../mending/waiting-messages.ts';
import { growingTable } from './audit-table.ts';

export type QuarantinedRow = Pick<Identities, 'eachQuarantined' | 'countQuarantined' | 'topQuarantineKeys'>;

const MOST_AWAITED = 10;

/**
 * Prints quarantined messages, oldest first, in parts, since there may be a million. On a terminal, counts come first: what the
 * messages wait for, and what most of them wait for.
 */
export async function printQuarantine(waiting: QuarantinedRow, json: boolean): Promise<void> {
  const toLines = json ? (messages: readonly QuarantinedMessage[]) => messages.map(waitingJson) : waitingTable();
  if (!json) await print(await summary(waiting));
  for await (const messages of waiting.eachQuarantined()) await print(toLines(messages));
}

async function summary(waiting: QuarantinedRow): Promise<string[]> {
  const numbers = await waiting.countQuarantined();
  if (numbers.length === 0) return ['no message waits'];
  const most = await waiting.topQuarantineKeys(MOST_AWAITED);
  return [
    `${sum(numbers, false)} messages wait`,
    ...(sum(numbers, true) > 0 ? [`${sum(numbers, true)} more were accepted, and wait to be completed`] : []),
    '',
    ...growingTable(['NUMBER', 'SOURCE', 'WAITS FOR'], { numbers: ['NUMBER'] })(
      [...numbers]
        .sort((a, b) => b.number - a.number)
        .map(({ number, source, waitsFor, accepted }) => [
          String(number),
          source,
          accepted ? `${waitsFor} (accepted)` : waitsFor,
        ]),
    ),
    '',
    ...growingTable(['NUMBER', 'MOST WAIT FOR'], { numbers: ['NUMBER'] })(
      most.map(({ key, number }) => [String(number), key]),
    ),
    '',
  ];
}

const sum = (numbers: readonly QuarantineCount[], wanted: boolean): number =>
  numbers.reduce((total, { accepted, number }) => (accepted === wanted ? total + number : total), 0);

const waitingJson = (quarantined: QuarantinedMessage): string => JSON.stringify(messageRow(quarantined));

function waitingTable(): (messages: readonly QuarantinedMessage[]) => string[] {
  const toLines = growingTable(['RECEIVED', 'REASON', 'MESSAGE']);
  return (messages) =>
    toLines(messages.map(({ receivedAt, reason, message }) => [receivedAt, reason, JSON.stringify(message)]));
}

/** Waits for a slow reader, so that unread output does not fill the memory. */
async function print(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  if (!process.stdout.write(lines.map((line) => `${line}\n`).join(''))) await once(process.stdout, 'drain');
}
