import { toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { DomainEventData } from '../../domain/streams/domain-events.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';

const help = `
audit event ID            what is known of a sports event, when it was learned, from which message
audit event SOURCE:REF    the same, by a source's own id of the event
audit position N          the record at this position of the log
audit quarantine          messages that wait for something to become known: how many wait for what, then all of them
audit size                what the data folder takes, by file, and what each kind of fact and each read model takes
audit account ID          the ledger of an account, entry by entry, with the balance after each
audit account EMAIL       the same, by the account's e-mail
audit calls ID|EMAIL      the newest calls of an account, also those that cost nothing or were refused

  --json            one line of JSON a record, a charge or a call; one line for the size
  --limit N         how many calls; 100 by default
  --data-dir DIR    the data folder (DATA_DIR, or ./data)

Records come in the order in which they were recorded. OBSERVED is when the source saw it, RECORDED when the server
learned it. Credits that an account gets are positive, charges and what expires negative; there is no balance while its
credits have no limit. Exit codes: 0 found; 1 nothing is known of it; 2 bad arguments.`;

const SUBJECTS = ['event', 'position', 'quarantine', 'size', 'account', 'calls'] as const;
type Subject = (typeof SUBJECTS)[number];
const isSubject = (text: string | undefined): text is Subject => SUBJECTS.includes(text as Subject);

async function audit(args: Arguments): Promise<number> {
  const [subject, id, ...more] = args.positionals;
  if (!isSubject(subject)) {
    throw new UsageError(
      'audit needs event ID, event SOURCE:REF, position N, quarantine, size, account ID or calls ID',
    );
  }
  const takesNoId = subject === 'quarantine' || subject === 'size';
  if ((id === undefined) !== takesNoId || more.length > 0) {
    throw new UsageError(`audit ${subject} takes ${takesNoId ? 'no' : 'one'} id`);
  }
  const limit = callLimit(args.text('limit'), subject);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { openReading } = await import('./open-reading.ts');
  if (subject === 'size') return auditSize(args);
  const print = await printerOf(subject, id!);
  const config = await workplace(args.dataDir, { command: 'audit', engines: ['event-log', 'read-store', 'registry'] });
  const parts = await openReading(config);
  try {
    await print({ config, parts, limit, json: args.flag('json') });
    return 0;
  } finally {
    await parts.close();
  }
}

async function auditSize(args: Arguments): Promise<number> {
  const { commandTarget } = await import('./command-target.ts');
  const config = await commandTarget(args.dataDir, {
    command: 'audit',
    engines: ['event-log', 'read-store', 'registry'],
  });
  await (await import('./audit-size.ts')).printSizes(config, args.flag('json'), Date.now());
  return 0;
}

const MOST_CALLS = 1_000_000;

function callLimit(text: string | undefined, subject: Subject): number {
  if (text === undefined) return 100;
  if (subject !== 'calls') throw new UsageError(`audit ${subject} takes no --limit`);
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_CALLS) throw new UsageError(`--limit is a whole number from 1 to ${MOST_CALLS}`);
  return limit;
}

interface Asked {
  readonly config: Config;
  readonly parts: ReadPorts;
  readonly limit: number;
  readonly json: boolean;
}

/** Chooses the printer of the answer. @throws UsageError if the id is malformed */
async function printerOf(subject: Exclude<Subject, 'size'>, id: string): Promise<(asked: Asked) => Promise<void>> {
  switch (subject) {
    case 'position':
      return printRecords(positionReader(id));
    case 'event':
      return printRecords(eventReader(id));
    case 'quarantine':
      return printQuarantine;
    case 'account':
    case 'calls': {
      const { accountName, printCalls, printLedger } = await import('./audit-account.ts');
      const name = accountName(id);
      return (asked) => {
        return subject === 'account' ? printLedger({ ...asked, name }) : printCalls({ ...asked, name }, asked.limit);
      };
    }
  }
}

const printRecords =
  (read: Reader) =>
  async ({ parts, json }: Asked): Promise<void> => {
    const { recordJson, recordTable } = await import('./audit-text.ts');
    const records = await read(parts);
    write(json ? records.map(recordJson) : recordTable(records, process.stdout.columns));
  };

async function printQuarantine({ parts, json }: Asked): Promise<void> {
  const { printQuarantine: printWaiting } = await import('./audit-quarantine.ts');
  await printWaiting(parts.identities, json);
}

const write = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
};

type Reader = (parts: ReadPorts) => Promise<readonly LogRecord[]>;

function positionReader(text: string): Reader {
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`${text} is no position`);
  const position = toPosition(text);
  return async ({ log }) => {
    const record = await log.recordAt(position);
    if (!record) throw new CommandError(`there is no record at position ${position}`);
    return [record];
  };
}

function eventReader(text: string): Reader {
  const separator = text.indexOf(':');
  const known = /^[1-9]\d{0,14}$/.test(text);
  if (!known && (separator < 1 || separator === text.length - 1)) {
    throw new UsageError(`${text} is neither the id of a sports event nor SOURCE:REF`);
  }
  return async ({ log, identities }) => {
    const { streams, streamsOfPartition } = await import('../../domain/streams/domain-events.ts');
    const { StreamReplacements } = await import('../../domain/identities/stream-replacements.ts');
    const { IDENTITY_STREAM_ID } = await import('../../domain/streams/identity-stream.ts');
    const id = known ? text : (await identities.findEvent(text.slice(0, separator), text.slice(separator + 1)))?.id;
    const acts = (await log.readStreams([streams.identity(IDENTITY_STREAM_ID)])).flat() as ActRecord[];
    const replacements = new StreamReplacements();
    for (const { data, recordedAt } of acts) replacements.note({ ...data, recordedAt: Date.parse(recordedAt) });
    const names = id === undefined ? [] : streamsOfPartition('event', id);
    // The former streams too: what was told there was answered until the act.
    const records = (await log.readStreams(names.flatMap((name) => replacements.allOf(name)))).flat();
    const meaning = id === undefined ? undefined : replacements.meaningOf('event', Number(id));
    if (meaning !== undefined && meaning !== Number(id)) {
      process.stderr.write(
        `event ${id} was merged into event ${meaning}, which has its records since: audit event ${meaning}\n`,
      );
    }
    if (records.length === 0) throw new CommandError(`nothing is known of event ${text}`);
    records.push(...acts.filter((act) => isActOn(act, Number(id))));
    return records.sort((a, b) => (a.position < b.position ? -1 : 1));
  };
}

type ActRecord = LogRecord<'IdentityActed', DomainEventData['IdentityActed']>;

/** Whether an act has bound a ref to the event, or has moved records from or to it. */
function isActOn({ data: { content, replacement } }: ActRecord, event: number): boolean {
  const isBound = content.action === 'bind' && content.what === 'event' && content.into === event;
  return isBound || replacement?.events.includes(event) === true;
}

const form = { help, options: { json: { type: 'boolean' }, limit: { type: 'string' } }, run: audit } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
