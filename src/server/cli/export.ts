import { statSync } from 'node:fs';
import type { ExportName, OnExportProgress } from '../../api/exports/run-export.ts';
import { fromWhereCalled } from '../../platform/where-called.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type Progress, showProgress } from './progress.ts';

const help = `
export WHAT --out DIR    writes a table into files, DIR/WHAT/league=L/year=Y/part-N, that DuckDB, pandas, Polars, R and
                         spreadsheets read (docs/tables.md)

WHAT is events, results, odds, odds-history, closing, splits, injuries, statistics, forecasts or changes.

  --out DIR          the folder; an earlier export of the same table in it is replaced when the new one is whole
  --format FORMAT    parquet (the default), csv or ndjson
  --league LEAGUE    only events of this league
  --sport SPORT      only events of this sport
  --from DATE        only events that start on this UTC date (2025-01-31) or later
  --to DATE          only events that start on this UTC date or earlier
  --as-of TIME       as the server would have answered at this UTC time (2025-01-31T12:00:00Z)
  --basis BASIS      recorded (the default): by when the server learned a fact; observed: by when its source saw it
  --data-dir DIR     the data folder (DATA_DIR, or ./data)

DIR/WHAT/schema.json tells the columns, manifest.json the position of the log, and of each file its rows, bytes and
SHA-256. Standard output is one line of JSON, {what, position, files, rows, bytes, seconds}. The same log, options and
position give the same bytes. It may run beside the server. What was interrupted leaves no file under its name.
Exit codes: 0; 1 the folder cannot be read, or the files not written; 2 bad arguments.`;

async function runExport(args: Arguments): Promise<number> {
  const began = performance.now();
  const asked = await readOptions(args);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { openReading } = await import('./open-reading.ts');
  const { openExporting } = await import('../exporting/open-exporting.ts');
  const { openScratchStore } = await import('../embedded/embedded-stores.ts');
  const { realEnvironment, silentLog } = await import('../composition/environment.ts');
  const { runExport: write } = await import('../../api/exports/run-export.ts');
  const needs = { command: 'export', engines: ['event-log', 'read-store', 'registry'] } as const;
  const config = await workplace(args.dataDir, needs);
  const environment = realEnvironment(silentLog);
  const { what, at, basis } = asked;
  const progress = createProgress(what);
  const ports = await openReading(config);
  let discard = (): void => {};
  const discardAtExit = () => discard();
  // A signal ends the process at once.
  process.once('exit', discardAtExit);
  try {
    const exporting = await openExporting({
      ...environment,
      ...{ ports, config, what, at, basis },
      openScratch: config.cluster ? undefined : openScratchStore,
      onFolding: (records) => progress.show('folding', records),
    });
    try {
      const options = { ...asked, ...exporting, isPast: at !== undefined };
      const report = await write(exporting.context, options, progress.show, (how) => {
        discard = how;
      });
      discard = () => {};
      progress.end();
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      process.stdout.write(`${JSON.stringify({ ...report, seconds })}\n`);
      return 0;
    } finally {
      await exporting.close();
    }
  } finally {
    progress.end();
    process.off('exit', discardAtExit);
    await ports.close();
  }
}

const UNITS = { folding: 'records', events: 'events', rows: 'events' } as const;
type Phase = keyof typeof UNITS;

/** A line for each phase of the work. */
function createProgress(what: ExportName): { show: (phase: Phase, done: number, total?: number) => void; end(): void } {
  const titles = { folding: 'fold', events: 'find events of', rows: 'export' };
  let shown: { readonly phase: Phase; readonly progress: Progress } | undefined;
  const end = () => {
    shown?.progress.end();
    shown = undefined;
  };
  const show: OnExportProgress & ((phase: Phase, done: number, total?: number) => void) = (
    phase: Phase,
    done: number,
    total?: number,
  ) => {
    if (shown?.phase !== phase) {
      end();
      const unit = phase === 'rows' && what === 'changes' ? 'records' : UNITS[phase];
      shown = { phase, progress: showProgress(`${titles[phase]} ${what}`, unit) };
    }
    shown.progress.update(done, total);
  };
  return { show, end };
}

/** @throws UsageError that names the option */
async function readOptions(args: Arguments) {
  const { EXPORTS } = await import('../../api/exports/run-export.ts');
  const { TABLE_FORMATS } = await import('../../platform/table-files/table-formats.ts');
  const { findLeague, SPORT_SLUGS, SPORTS } = await import('../../domain/catalogue/catalogue.ts');
  const { DAY, parseDate, parseTime } = await import('../../domain/primitives/time.ts');
  const { AS_OF_BASES } = await import('../../read-models/as-of/as-of.ts');
  const [what, ...more] = args.positionals;
  const oneOf = <T extends string>(text: string | undefined, name: string, choices: readonly T[]): T | undefined => {
    const found = choices.find((choice) => choice === text);
    if (text !== undefined && found === undefined)
      throw new UsageError(`${name} ${text} is none of ${choices.join(', ')}`);
    return found;
  };
  const named = oneOf(what, 'WHAT', EXPORTS);
  if (named === undefined) throw new UsageError(`export needs WHAT: ${EXPORTS.join(', ')}`);
  if (more.length > 0) throw new UsageError(`export takes one WHAT, not ${more[0]} too`);
  const out = args.text('out');
  if (out === undefined) throw new UsageError('export needs --out DIR');
  const folder = fromWhereCalled(out);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`--out ${out} is no folder`);
  const dateOf = (name: string): number | undefined => {
    const text = args.text(name);
    const date = text === undefined ? undefined : parseDate(text);
    if (date === null) throw new UsageError(`--${name} ${text} is no date such as 2025-01-31`);
    return date;
  };
  const [from, to] = [dateOf('from'), dateOf('to')];
  if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from must not be after --to');
  const time = args.text('as-of');
  const at = time === undefined ? undefined : parseTime(time);
  if (at === null) throw new UsageError(`--as-of ${time} is no UTC time such as 2025-01-31T12:00:00Z`);
  if (at !== undefined && at > Date.now()) throw new UsageError(`--as-of ${time} is in the future`);
  const sport = oneOf(args.text('sport'), '--sport', SPORT_SLUGS);
  const league = oneOf(
    args.text('league'),
    '--league',
    SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug)),
  );
  if (sport !== undefined && league !== undefined && findLeague(league)?.sport !== sport)
    throw new UsageError(`--league ${league} is no league of --sport ${sport}`);
  return {
    what: named,
    out: folder,
    format:
      oneOf(args.text('format'), '--format', Object.keys(TABLE_FORMATS) as (keyof typeof TABLE_FORMATS)[]) ?? 'parquet',
    filter: { sport, league, from, to: to === undefined ? undefined : to + DAY - 1 },
    at,
    basis: oneOf(args.text('basis'), '--basis', AS_OF_BASES) ?? 'recorded',
  } as const;
}

const form = {
  help,
  options: {
    out: { type: 'string' },
    format: { type: 'string' },
    league: { type: 'string' },
    sport: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    'as-of': { type: 'string' },
    basis: { type: 'string' },
  },
  run: runExport,
} as const;

export const run = (argv: readonly string[]) => runCommand(form, argv);
