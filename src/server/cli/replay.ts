import { setTimeout } from 'node:timers/promises';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { commandText } from '../../platform/command-text.ts';
import { fromWhereCalled } from '../../platform/where-called.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';
import { noProgress, type Progress, showProgress } from './progress.ts';
import type { Sink } from './replay-sinks.ts';

const help = `
replay    plays a range of the log again, as feed messages in the order in which they were recorded

  --from TIME        only what was recorded at or after this UTC time (2025-01-31T12:00:00Z)
  --to TIME          only what was recorded at or before this UTC time
  --event ID         only this sports event; its teams and players come with its schedule
  --speed N          the pace, as a factor of the recorded one: 1 as it happened, 60 an hour in a minute;
                     without it as fast as possible
  --to-server URL    send to another server's ingest endpoint rather than to standard output
  --key KEY          the ingest key of that server (INGEST_KEY)
  --into-cluster [D] moves all that the data folder holds into an empty cluster, the one that runs in D, or at the
                     addresses in the environment; the folder must be closed, and stays as it is
  --data-dir DIR     the data folder (DATA_DIR, or ./data)

Standard output is NDJSON that ingest takes. With --to-server it is the outcome report, as one line of JSON; with
--into-cluster {records, accounts, keys, webhooks, seconds}. What was interrupted goes on where it was.
Exit codes: 0; with --to-server 1 when something was rejected; with --into-cluster 1 when the cluster holds something
else, the folder is in use, the peppers differ or something was left out; 2 bad arguments.`;

interface ReplayRange {
  /** Milliseconds, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly event: string | undefined;
  readonly speed: number | undefined;
}

async function replay(args: Arguments): Promise<number> {
  if (args.text('into-cluster') !== undefined) return move(args);
  const { parseTime } = await import('../../domain/primitives/time.ts');
  const time = (name: string, otherwise: number) => {
    const text = args.text(name);
    const milliseconds = text === undefined ? otherwise : parseTime(text);
    if (milliseconds === null) throw new UsageError(`--${name} ${text} is no UTC time such as 2025-01-31T12:00:00Z`);
    return milliseconds;
  };
  const speed = args.text('speed');
  const range: ReplayRange = {
    from: time('from', Number.NEGATIVE_INFINITY),
    to: time('to', Number.POSITIVE_INFINITY),
    event: args.text('event'),
    speed: speed === undefined ? undefined : Number(speed),
  };
  if (range.from > range.to) throw new UsageError('--from must not be after --to');
  if (range.event !== undefined && !/^[1-9]\d{0,14}$/.test(range.event)) {
    throw new UsageError(`--event ${range.event} is no id of a sports event`);
  }
  if (range.speed !== undefined && !(range.speed > 0 && Number.isFinite(range.speed))) {
    throw new UsageError(`--speed ${speed} is no number above 0`);
  }
  if (args.positionals.length > 0) throw new UsageError(`replay takes no ${args.positionals[0]}`);
  const sink = await openSink(args);
  // No progress line: the messages on the screen show the progress, and a line among them could not be read.
  const isOnScreen = args.text('to-server') === undefined && process.stdout.isTTY;
  const progress = isOnScreen ? noProgress : showProgress('replay', 'records');
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { openReading } = await import('./open-reading.ts');
  const { replayedMessagesOf: messagesOf } = await import('../../ingest/subjects/subjects.ts');
  const parts = await openReading(await workplace(args.dataDir, { command: 'replay', engines: ['event-log'] }));
  try {
    await play(parts.log, range, messagesOf, sink, progress);
    return await sink.end();
  } finally {
    progress.end();
    await parts.close();
  }
}

/** Used instead of a folder: the addresses in the environment. */
const ENVIRONMENT = '-';

async function move(args: Arguments): Promise<number> {
  for (const other of ['from', 'to', 'event', 'speed', 'to-server', 'key']) {
    if (args.text(other) !== undefined) throw new UsageError(`--into-cluster moves everything: it takes no --${other}`);
  }
  if (args.positionals.length > 0) throw new UsageError(`replay takes no ${args.positionals[0]}`);
  const cluster = args.text('into-cluster')!;
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { readConfig } = await import('../../platform/settings/config.ts');
  const { EMBEDDED } = await import('../../platform/settings/engine-settings.ts');
  const needs = { command: 'replay', engines: ['event-log', 'registry', 'limits'] as const };
  const config = await workplace(cluster === ENVIRONMENT ? undefined : fromWhereCalled(cluster), needs);
  if (!config.cluster) {
    throw new CommandError(
      cluster === ENVIRONMENT
        ? '--into-cluster needs the folder of a cluster that runs, or the addresses of its engines in the environment'
        : `no cluster runs in ${cluster}; start it by: ${commandText(`cluster --data-dir ${cluster}`)}`,
    );
  }
  const folder = args.dataDir ?? readConfig({ DATA_DIR: process.env['DATA_DIR'], EVENT_LOG_URL: EMBEDDED }).dataDir;
  const { moveIntoCluster } = await import('../cluster/moving/move-into-cluster.ts');
  const progress = showProgress('move', 'records');
  const moved = await moveIntoCluster(folder, config, progress.update).finally(progress.end);
  process.stdout.write(`${JSON.stringify(moved)}\n`);
  return 0;
}

async function openSink(args: Arguments): Promise<Sink> {
  const { serverSink, stdoutSink } = await import('./replay-sinks.ts');
  const url = args.text('to-server');
  if (url === undefined) return stdoutSink();
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--to-server ${url} is no http or https address`);
  }
  const key = args.text('key') ?? process.env['INGEST_KEY'];
  if (!key) throw new UsageError('--to-server needs --key, or INGEST_KEY in the environment');
  return serverSink(url, key, fetch);
}

async function play(
  log: Parameters<typeof recordsAfter>[0],
  { from, to, event, speed }: ReplayRange,
  messagesOf: typeof import('../../ingest/subjects/subjects.ts').replayedMessagesOf,
  sink: Sink,
  progress: Progress,
): Promise<void> {
  const { partitions } = await import('../../domain/streams/domain-events.ts');
  const { createRecordFinder } = await import('../../ingest/subjects/subjects.ts');
  const total = log.countBetween(null, await log.head()) ?? undefined;
  let played = 0;
  let begin: { readonly clock: number; readonly recorded: number } | undefined;
  let found = false;
  const find = createRecordFinder(log);
  for await (const record of recordsAfter(log, null)) {
    progress.update(++played, total);
    const recorded = Date.parse(record.recordedAt);
    if (recorded < from) continue;
    if (recorded > to) break;
    if (event !== undefined && record.meta.partition !== partitions.event(event)) continue;
    found = true;
    const messages = await messagesOf(record as DomainRecord, find);
    if (messages.length === 0) continue;
    if (speed !== undefined) {
      begin ??= { clock: performance.now(), recorded };
      const wait = (recorded - begin.recorded) / speed - (performance.now() - begin.clock);
      if (wait >= 1) {
        await sink.flush();
        await setTimeout(wait);
      }
    }
    for (const message of messages) await sink.send(message);
  }
  await sink.flush();
  if (!found && event !== undefined) throw new CommandError(`nothing was recorded of event ${event} in this range`);
}

const form = {
  help,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    event: { type: 'string' },
    speed: { type: 'string' },
    'to-server': { type: 'string' },
    key: { type: 'string' },
    'into-cluster': { type: 'string' },
  },
  run: replay,
} as const;

/** The folder of the cluster is optional, which the option parser cannot express. */
const withFolder = (argv: readonly string[]): readonly string[] =>
  argv.map((word, i) => {
    const isBare = word === '--into-cluster' && (argv[i + 1] === undefined || argv[i + 1]!.startsWith('--'));
    return isBare ? `${word}=${ENVIRONMENT}` : word;
  });

export const run = (argv: readonly string[]) => runCommand(form, withFolder(argv));

/** Every record after a position, in order, up to the end of the log as it is when reached. */
export async function* recordsAfter(log: EventLog, after: Position | null): AsyncGenerator<LogRecord> {
  for await (const page of log.readAllFrom(after)) yield* page;
}
