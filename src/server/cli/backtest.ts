import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { RecordLine } from '../../intelligence/evaluation/market-record.ts';
import { fromWhereCalled } from '../../platform/where-called.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';
import { growingTable } from './audit-table.ts';
import { showProgress } from './progress.ts';

const help = `
backtest    replays the log and judges what was, or would have been, forecast of each settled game from what was known
            before its start, beside the market's closing fair probability on the same games (docs/models.md)

  --sport SPORT     only this one
  --from DATE       only games that started on this UTC date (2025-01-31) or later
  --to DATE         only games that started on this UTC date or earlier
  --periods         judges first halves, first five innings and first sets too, in lines of their own
  --without PARTS   leaves these parts of the models out, to judge what they bring: ids as in drivers, with commas
                    between them, or \`all\`
  --games FILE      writes one line of JSON for each game and market, in order of start
  --data-dir DIR    the data folder (DATA_DIR, or ./data)

Standard output has one line of JSON for each sport and market; a terminal gets a table. What comes before --from is
learnt from all the same. Numbers of fewer than 30 games are null. It may run beside the server.
Exit codes: 0; 1 the folder cannot be read, or the file not written; 2 bad arguments.`;

async function runBacktest(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`backtest takes no ${args.positionals[0]}`);
  const { SPORT_SLUGS } = await import('../../domain/catalogue/catalogue.ts');
  const { DAY } = await import('../../domain/primitives/time.ts');
  const asked = args.text('sport');
  const sport = SPORT_SLUGS.find((slug) => slug === asked) ?? null;
  if (asked !== undefined && sport === null) {
    throw new UsageError(`there is no sport ${asked}; there are ${SPORT_SLUGS.join(', ')}`);
  }
  const from = await dateOf(args, 'from', Number.NEGATIVE_INFINITY);
  const to = await dateOf(args, 'to', Number.POSITIVE_INFINITY);
  if (from > to) throw new UsageError('--from must not be after --to');
  const without = await withoutOf(args);
  const file = args.text('games');
  const { readFolderConfig } = await import('../../platform/settings/stored-settings.ts');
  const { openForReading } = await import('../embedded/embedded-stores.ts');
  const { readBookmakers } = await import('../composition/open-reference-weights.ts');
  const { runBacktest: backtest } = await import('../../forecasting/track-record/backtest-log.ts');
  const config = readFolderConfig(process.env, args.dataDir);
  const parts = await openForReading(config);
  const progress = showProgress('backtest', 'records');
  try {
    const total = parts.log.countBetween(null, await parts.log.head()) ?? undefined;
    const games = file === undefined ? undefined : gamesFile(fromWhereCalled(file));
    const lines = await backtest(parts.log, {
      sport,
      from,
      before: to + DAY,
      scopes: args.flag('periods'),
      without,
      weightOf: (await readBookmakers(parts.log, config)).bookmakers.sharpWeight,
      onProgress: (records) => progress.update(records, total),
      ...(games && { onGame: games.write }),
    });
    await games?.end();
    progress.end();
    await print(lines);
    return 0;
  } finally {
    progress.end();
    await parts.close();
  }
}

async function withoutOf(args: Arguments): Promise<readonly string[]> {
  const { SPORT_SLUGS } = await import('../../domain/catalogue/catalogue.ts');
  const { partsOf } = await import('../../intelligence/models/index.ts');
  const known = SPORT_SLUGS.flatMap(partsOf);
  const asked = args.text('without');
  if (asked === 'all') return known;
  const named = asked?.split(',') ?? [];
  const wrong = named.find((part) => !known.includes(part));
  if (wrong !== undefined) throw new UsageError(`there is no part ${wrong}; there are ${known.join(', ')}`);
  return named;
}

async function dateOf(args: Arguments, name: string, otherwise: number): Promise<number> {
  const { parseDate } = await import('../../domain/primitives/time.ts');
  const text = args.text(name);
  const date = text === undefined ? otherwise : parseDate(text);
  if (date === null) throw new UsageError(`--${name} ${text} is no date such as 2025-01-31`);
  return date;
}

/** @throws CommandError if it cannot be written */
function gamesFile(path: string) {
  const out = createWriteStream(path);
  const done = finished(out).catch((error: Error) => {
    throw new CommandError(`${path} cannot be written: ${error.message}`);
  });
  // Awaited at the end. Until then an empty handler avoids an unhandled rejection.
  done.catch(() => {});
  return {
    async write(line: unknown) {
      if (!out.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(out, 'drain'), done]);
    },
    async end() {
      out.end();
      await done;
    },
  };
}

async function print(lines: readonly RecordLine[]): Promise<void> {
  if (!process.stdout.isTTY) {
    process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return;
  }
  process.stdout.write(`${recordTable(lines, process.stdout.columns).join('\n')}\n`);
}

const form = {
  help,
  options: {
    sport: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    games: { type: 'string' },
    periods: { type: 'boolean' },
    without: { type: 'string' },
  },
  run: runBacktest,
} as const;

export const run = (argv: readonly string[]) => runCommand(form, argv);

const NUMBERS = [
  'N',
  'LOG LOSS',
  'BRIER',
  'SLOPE',
  'CLOSE N',
  'CLOSE',
  'DIFFERENCE',
  '+-',
  'BLEND',
  'WEIGHT',
  'SELECTED',
  'CLV',
  'PROFIT',
];
const HEADINGS = ['MODEL', 'MARKET', 'FROM', 'TO', ...NUMBERS, 'PUBLISHED'];

/** Leaves out markets without an evaluated game. @param width characters of the terminal */
export function recordTable(lines: readonly RecordLine[], width?: number): string[] {
  const rows = lines.flatMap((line) => {
    const {
      market,
      model_version,
      from,
      to,
      n,
      log_loss,
      brier,
      slope,
      close,
      paired,
      selections,
      published,
      blend,
      blend_weight,
    } = line;
    if (from === null || to === null) return [];
    return [
      [
        ...[model_version, market, from, to, String(n), shown(log_loss), shown(brier), shown(slope, 2)],
        ...[String(close.n), shown(close.log_loss), shown(paired.difference), shown(paired.se)],
        ...[shown(blend.log_loss), blend_weight.n === 0 ? '-' : shown(blend_weight.weight)],
        ...[String(selections.n), shown(selections.clv), shown(selections.profit), published ? 'yes' : 'no'],
      ],
    ];
  });
  return growingTable(HEADINGS, { width: width || undefined, numbers: NUMBERS })(rows);
}

const shown = (value: number | null, digits = 4): string => value?.toFixed(digits) ?? '-';
