import type { LogRecord } from '../domain/record.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';

const help = `
audit event ID            what is known of a sports event, when it was learned, from which message
audit event SOURCE:REF    the same, by a source's own id of the event
audit position N          the record at this position of the log
audit quarantine          messages that wait for something to become known
audit account ID          comes in a later version

  --json            one line of JSON a record
  --data-dir DIR    the data folder (DATA_DIR, or ./data)

Records come in the order in which they were recorded. OBSERVED is when the source saw it, RECORDED when the server
learned it. Exit codes: 0 found; 1 nothing is known of it; 2 bad arguments.`;

async function audit(args: Arguments): Promise<number> {
  const [subject, id, ...more] = args.positionals;
  if (subject === 'account') throw new CommandError('accounts come in a later version');
  if (subject !== 'event' && subject !== 'position' && subject !== 'quarantine') {
    throw new UsageError(`audit needs event ID, event SOURCE:REF, position N or quarantine`);
  }
  if ((id === undefined) !== (subject === 'quarantine') || more.length > 0) {
    throw new UsageError(subject === 'quarantine' ? 'audit quarantine takes no id' : `audit ${subject} takes one id`);
  }
  const { readConfig } = await import('../config.ts');
  const { openForReading } = await import('../parts.ts');
  const read = subject === 'position' ? positionReader(id!) : subject === 'event' ? eventReader(id!) : null;
  const parts = await openForReading(readConfig(process.env, args.dataDir));
  const { recordJson, recordTable, waitingJson, waitingTable } = await import('./audit-text.ts');
  try {
    if (read === null) {
      const waiting = await parts.identities.listWaiting(MOST_WAITING);
      const lines = args.flag('json') ? waiting.map(waitingJson) : waitingTable(waiting);
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
      return 0;
    }
    const records = await read(parts);
    const lines = args.flag('json') ? records.map(recordJson) : recordTable(records, process.stdout.columns);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  } finally {
    await parts.close();
  }
}

const MOST_WAITING = 10_000;
type Parts = Awaited<ReturnType<typeof import('../parts.ts').openForReading>>;
type Reader = (parts: Parts) => Promise<readonly LogRecord[]>;

function positionReader(text: string): Reader {
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`${text} is no position`);
  const position = BigInt(text);
  return async ({ log }) => {
    const [record] = position === 0n ? await log.readAll(null, 1) : await log.readAll(position - 1n, 1);
    if (record?.position !== position) throw new CommandError(`there is no record at position ${position}`);
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
    const { streams } = await import('../domain/domain-events.ts');
    const id = known ? text : (await identities.findEvent(text.slice(0, separator), text.slice(separator + 1)))?.id;
    const names = id === undefined ? [] : EVENT_STREAMS.map((kind) => streams[kind](id));
    const records = (await log.readStreams(names)).flat();
    if (records.length === 0) throw new CommandError(`nothing is known of event ${text}`);
    return records.sort((a, b) => (a.position < b.position ? -1 : 1));
  };
}

const EVENT_STREAMS = ['event', 'odds', 'splits', 'box', 'lineup'] as const;

const form = { help, options: { json: { type: 'boolean' } }, run: audit } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
