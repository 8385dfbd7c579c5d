import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { oddsDecider } from '../commands/odds-decider.ts';
import { NEEDS_HISTORY } from '../src/domain/event-sourcing/stream-decider.ts';
import { timeOf } from '../src/domain/observations/observation.ts';
import { isMainMarket, type PricedMarket } from '../src/domain/odds/bookmaker-prices.ts';
import { MAX_PRICE_AGE } from '../src/domain/odds/far-outside.ts';
import { type Movement, seriesName } from '../src/domain/odds/line-movements.ts';
import type { StandingBook } from '../src/domain/odds/standing-prices.ts';
import { openInput } from '../src/server/cli/input-file.ts';
import { translated } from '../src/server/cli/translation.ts';
import { IMPORTERS } from '../src/sources/importers.ts';
import { openCsv } from '../src/sources/parsing/csv.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { recordOf } from './decided-records.ts';

interface PriceReport {
  readonly event: string;
  readonly sport: string;
  readonly at: string;
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

interface Tally {
  /** Prices with at least two others of their line as they came. */
  judged: number;
  suspect: number;
  /** Of the suspect ones: their book repeated them, another book came near, their book replaced them. */
  repeated: number;
  joined: number;
  corrected: number;
}

const SOURCES = [
  ['football-data', 'soccer', /^football_data_.*\.csv/],
  ['tennis-data', 'tennis', /^td_(atp|wta)_.*\.csv/],
  ['action-network', 'nfl', /^action_game_lines_.*\.csv/],
  ['action-network', 'ncaaf', /^action_scoreboard_.*\.json/],
] as const;

/** The share of real prices that are suspect as they come, and what became of them, by sport. */
export const suspects: Benchmark = {
  name: 'suspects',
  summary: 'real prices that are suspect as they come, by sport, and those confirmed later (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (data === undefined || !existsSync(data)) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const tallies = new Map<string, Tally>();
    for (const [source, folder, pattern] of SOURCES) {
      for (const file of filesOf(join(data, folder), pattern).slice(0, quick ? 1 : undefined)) {
        say(`${source} ${file}`);
        tallyEvents(tallies, await importedReports(source, folder, file));
      }
    }
    for (const file of filesOf(join(data, 'ncaab'), /^odds_snapshots_/)) {
      say(file);
      tallyEvents(tallies, await snapshotReports(file));
    }
    return [...tallies].flatMap(([sport, tally]) => figuresOf(sport, tally));
  },
};

function figuresOf(sport: string, { judged, suspect, repeated, joined, corrected }: Tally): Figure[] {
  return [
    { what: `${sport}: prices with two others of their line`, value: judged, unit: 'prices' },
    { what: `${sport}: suspect as they came`, value: suspect, unit: 'prices' },
    { what: `${sport}: share`, value: judged === 0 ? 0 : (suspect / judged) * 100, unit: '%' },
    { what: `${sport}: released, their book repeated them`, value: repeated, unit: 'prices' },
    { what: `${sport}: released, another book came near`, value: joined, unit: 'prices' },
    { what: `${sport}: replaced by their book`, value: corrected, unit: 'prices' },
  ];
}

const filesOf = (folder: string, pattern: RegExp): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .sort()
        .map((name) => join(folder, name))
    : [];

async function importedReports(source: string, sport: string, file: string): Promise<PriceReport[]> {
  const importer = IMPORTERS.find(({ name }) => name === source)!;
  const texts: Uint8Array[] = [];
  for await (const piece of translated(importer, openInput(file, file), { now: Date.now() }, () => {}))
    texts.push(piece);
  const lines = Buffer.concat(texts).toString().trimEnd().split('\n');
  const messages = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return messages
    .filter(({ kind }) => kind === 'odds')
    .map(({ ref, match, at, bookmaker, markets }) => ({
      event: JSON.stringify([ref, match]),
      sport,
      at,
      bookmaker,
      markets: markets.map((one: object) => ({ scope: 'match', alternate: false, complete: true, ...one })),
    }));
}

/** Snapshots of college basketball: a row is a market of a bookmaker at one moment. */
async function snapshotReports(file: string): Promise<PriceReport[]> {
  const csv = await openCsv(createReadStream(file).pipe(createGunzip()));
  const reports: PriceReport[] = [];
  for await (const row of csv.rows) {
    const priced = (outcome: string, price: string, point?: string) => {
      const [american, line] = [Math.round(Number(row.get(price) || Number.NaN)), Number(point && row.get(point))];
      return Math.abs(american) >= 100 ? [{ outcome, price: american, ...(point && { point: line }) }] : [];
    };
    const [key, outcomes] =
      row.get('market') === 'spreads'
        ? ([
            'spreads',
            [
              ...priced('home', 'home_spread_price', 'home_spread'),
              ...priced('away', 'away_spread_price', 'away_spread'),
            ],
          ] as const)
        : row.get('market') === 'totals'
          ? ([
              'totals',
              [...priced('over', 'over_price', 'total'), ...priced('under', 'under_price', 'total')],
            ] as const)
          : (['h2h', [...priced('home', 'moneyline_home'), ...priced('away', 'moneyline_away')]] as const);
    if (row.get('period') !== 'full_game' || outcomes.length === 0) continue;
    const at = new Date(row.get('fetched_at').replace(' ', 'T')).toISOString();
    const market = { key, scope: 'match', alternate: false, complete: true, outcomes } as PricedMarket;
    reports.push({ event: row.get('event_id'), sport: 'ncaab', at, bookmaker: row.get('book'), markets: [market] });
  }
  return reports;
}

/** In the order of their first reports. */
function groups(reports: readonly PriceReport[], nameOf: (report: PriceReport) => string): PriceReport[][] {
  const found = new Map<string, PriceReport[]>();
  for (const report of reports) {
    const group = found.get(nameOf(report));
    if (group) group.push(report);
    else found.set(nameOf(report), [report]);
  }
  return [...found.values()];
}

function tallyEvents(tallies: Map<string, Tally>, reports: readonly PriceReport[]): void {
  for (const ofEvent of groups(reports, ({ event }) => event)) {
    const { sport } = ofEvent[0]!;
    const tally = tallies.get(sport) ?? { judged: 0, suspect: 0, repeated: 0, joined: 0, corrected: 0 };
    tallies.set(sport, tally);
    // One message of a book a moment, as a feed tells them.
    const messages = groups(ofEvent, ({ at, bookmaker }) => `${at} ${bookmaker}`);
    tallyEvent(
      tally,
      messages
        .map((some) => ({ ...some[0]!, markets: some.flatMap(({ markets }) => markets) }))
        .sort((a, b) => timeOf(a.at) - timeOf(b.at)),
    );
  }
}

function tallyEvent(tally: Tally, reports: readonly PriceReport[]): void {
  let state = oddsDecider.initial();
  let revision = 0;
  for (const { at, bookmaker, markets, sport } of reports) {
    const identity = { eventId: 1, sport, league: sport };
    const decided = oddsDecider.decide({ identity, at, source: 's', content: { bookmaker, markets } }, state);
    if (decided === NEEDS_HISTORY) continue;
    const before = new Map(state.standing);
    for (const event of decided) state = oddsDecider.evolve(state, recordOf(event, revision++));
    tally.judged += judgedOf(state.standing, bookmaker, markets);
    for (const [book, now] of state.standing) tallyHeld(tally, before.get(book), now, book === bookmaker);
  }
}

function tallyHeld(tally: Tally, before: StandingBook | undefined, now: StandingBook, isOwn: boolean): void {
  for (const series of Object.keys({ ...before?.held, ...now.held })) {
    const was = before?.held && Object.hasOwn(before.held, series) ? priceOf(before, series) : undefined;
    const is = priceOf(now, series);
    const isHeld = now.held !== undefined && Object.hasOwn(now.held, series);
    const isSame = was !== undefined && JSON.stringify(was) === JSON.stringify(is);
    if (isHeld && !isSame) tally.suspect++;
    if (was === undefined || (isHeld && isSame)) continue;
    if (!isSame) tally.corrected++;
    else if (isOwn) tally.repeated++;
    else tally.joined++;
  }
}

function priceOf({ markets }: StandingBook, series: string) {
  const [key, outcome] = series.split('|') as [Movement['market'], Movement['outcome']];
  return markets[key]?.prices[outcome];
}

/** The prices of a message that at least two other books have at their line, at most 75 minutes older. */
function judgedOf(
  standing: ReadonlyMap<string, StandingBook>,
  bookmaker: string,
  markets: readonly PricedMarket[],
): number {
  const own = standing.get(bookmaker)!;
  let judged = 0;
  for (const market of markets.filter(isMainMarket)) {
    for (const { outcome } of market.outcomes) {
      const series = seriesName(market.key as Movement['market'], outcome);
      const price = priceOf(own, series);
      const others = [...standing].filter(([name, book]) => {
        const other = priceOf(book, series);
        const at = book.markets[market.key as Movement['market']]?.at ?? 0;
        return name !== bookmaker && other !== undefined && other[1] === price?.[1] && own.at - at <= MAX_PRICE_AGE;
      });
      if (price && others.length >= 2) judged++;
    }
  }
  return judged;
}
