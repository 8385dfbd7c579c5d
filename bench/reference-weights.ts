import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SHARP_BOOK_WEIGHTS } from '../src/domain/catalogue/catalogue.ts';
import { removeVig } from '../src/domain/odds/remove-vig.ts';
import { DAY } from '../src/domain/primitives/time.ts';
import { learnByMonth, type MonthlyWeights, type ReviewedGame } from '../src/forecasting/learning/weights-by-month.ts';
import type { BookWeights } from '../src/intelligence/evaluation/learn-weights.ts';
import { computeFairLine } from '../src/intelligence/prices/fair-line.ts';
import { impliedProbability } from '../src/intelligence/prices/odds-arithmetic.ts';
import {
  hasPlausibleMargin,
  MAX_QUOTE_AGE,
  outcomesOf,
  type Quote,
  quoteOf,
} from '../src/intelligence/prices/quotes.ts';
import { openInput } from '../src/server/cli/input-file.ts';
import { translated } from '../src/server/cli/translation.ts';
import { IMPORTERS } from '../src/sources/importers.ts';
import type { Benchmark, Figure } from './benchmark.ts';

interface ClosedMatch extends ReviewedGame {
  readonly quotes: readonly Quote[];
}

const SOURCES = [
  ['football-data', 'soccer', /^football_data_.*\.csv/],
  ['tennis-data', 'tennis', /^td_(atp|wta)_.*\.csv/],
] as const;

/** The log loss of the consensus with learnt weights beside that with constant ones, on seasons that were not learnt. */
export const referenceWeights: Benchmark = {
  name: 'reference-weights',
  summary: 'log loss of the consensus by learnt weights and by constants, season by season (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (data === undefined || !existsSync(data)) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const figures: Figure[] = [];
    for (const [source, sport, pattern] of SOURCES) {
      const files = readdirSync(join(data, sport)).filter((name) => pattern.test(name));
      const matches: ClosedMatch[] = [];
      for (const file of files.sort().slice(0, quick ? 1 : undefined)) {
        say(file);
        matches.push(...(await matchesOf(source, sport, join(data, sport, file))));
      }
      matches.sort((a, b) => a.startsAt - b.startsAt);
      figures.push(...(await compare(sport, matches, say)));
    }
    return figures;
  },
};

async function compare(sport: string, matches: readonly ClosedMatch[], say: (text: string) => void): Promise<Figure[]> {
  const learnt: (MonthlyWeights & { readonly from: number })[] = [];
  const terms = {
    constants: SHARP_BOOK_WEIGHTS,
    after: Number.NEGATIVE_INFINITY,
    until: (matches.at(-1)?.startsAt ?? 0) + DAY,
    pause: async () => {},
  };
  const began = process.cpuUsage();
  for await (const one of learnByMonth(matches, terms)) learnt.push({ ...one, from: Date.parse(one.date) });
  const { user, system } = process.cpuUsage(began);
  const seasons = new Map<
    number,
    { n: number; learnt: number; constant: number; difference: number; squares: number }
  >();
  for (const { quotes, outcome, startsAt } of matches) {
    const inForce = learnt.findLast(({ from }) => from <= startsAt);
    if (!inForce) continue;
    const of = (weights: BookWeights) =>
      lossOf(quotes, outcome, (book) => weights[book] ?? SHARP_BOOK_WEIGHTS[book] ?? 0);
    const [own, constant] = [of(inForce.weights), of({})];
    if (own === null || constant === null) continue;
    const season = seasonOf(sport, startsAt);
    const sums = seasons.get(season) ?? { n: 0, learnt: 0, constant: 0, difference: 0, squares: 0 };
    seasons.set(season, sums);
    sums.n++;
    sums.learnt += own;
    sums.constant += constant;
    sums.difference += own - constant;
    sums.squares += (own - constant) ** 2;
  }
  for (const { date, weights, games } of learnt.slice(-1))
    say(`${sport} ${date} ${games} games: ${JSON.stringify(weights)}`);
  const all = [...seasons].flatMap(([season, { n, learnt: own, constant, difference, squares }]): Figure[] => {
    const error = Math.sqrt(squares - difference ** 2 / n) / n;
    say(`${sport} ${season}: ${n} games, difference ${(difference / n).toFixed(6)} +- ${error.toFixed(6)}`);
    return [
      {
        what: `${sport} ${season}: log loss of the consensus`,
        value: own / n,
        unit: 'nats',
        floor: { what: 'constant weights', value: constant / n },
        goal: { of: 'ratio', bound: 'at most', number: 1.0005 },
      },
    ];
  });
  const total = [...seasons.values()].reduce(
    (sum, one) => ({ n: sum.n + one.n, learnt: sum.learnt + one.learnt, constant: sum.constant + one.constant }),
    { n: 0, learnt: 0, constant: 0 },
  );
  if (total.n === 0) return [];
  return [
    {
      what: `${sport}: log loss of the consensus, ${total.n} games that were not learnt`,
      value: total.learnt / total.n,
      unit: 'nats',
      floor: { what: 'constant weights', value: total.constant / total.n },
      goal: { of: 'ratio', bound: 'at most', number: 1 },
    },
    { what: `${sport}: learning the weights of a month`, value: (user + system) / 1000 / learnt.length, unit: 'ms' },
    ...all,
  ];
}

/** A season of European soccer begins in July, one of tennis in January. */
const seasonOf = (sport: string, at: number): number =>
  new Date(sport === 'soccer' ? at - 181 * DAY : at).getUTCFullYear();

function lossOf(quotes: readonly Quote[], outcome: number, weightOf: (book: string) => number): number | null {
  const fair = computeFairLine(quotes, weightOf)?.fair;
  return fair ? -Math.log(fair.probabilities[outcome]!) : null;
}

const NAMES: Readonly<Record<string, number>> = { home: 0, player_1: 0, away: 1, player_2: 1 };

async function matchesOf(source: string, sport: string, file: string): Promise<ClosedMatch[]> {
  const importer = IMPORTERS.find(({ name }) => name === source)!;
  const texts: Uint8Array[] = [];
  for await (const piece of translated(importer, openInput(file, file), { now: Date.now() }, () => {}))
    texts.push(piece);
  const lines = Buffer.concat(texts).toString().trimEnd().split('\n');
  const byRef = new Map<string, any[]>();
  for (const message of lines.map((line) => JSON.parse(line))) {
    if (message.ref === undefined) continue;
    const known = byRef.get(message.ref);
    if (known) known.push(message);
    else byRef.set(message.ref, [message]);
  }
  return [...byRef.values()].flatMap((messages) => matchOf(sport, messages) ?? []);
}

function matchOf(sport: string, messages: readonly any[]): ClosedMatch | undefined {
  const start = messages.find(({ kind }) => kind === 'schedule')?.starts_at;
  const result = messages.findLast(({ kind }) => kind === 'score');
  if (!start || result?.status !== 'final' || result.result_type === 'retired') return undefined;
  const hasDraw = sport === 'soccer';
  const outcome = outcomeOf(result.scores, hasDraw);
  if (outcome === undefined) return undefined;
  const startsAt = Date.parse(start);
  const last = new Map<string, Quote>();
  for (const { kind, at, bookmaker, markets } of messages) {
    const h2h = kind === 'odds' && markets.find(({ key }: { key: string }) => key === 'h2h');
    const time = Date.parse(at);
    if (!h2h || time >= startsAt || startsAt - time > MAX_QUOTE_AGE) continue;
    const quote = quoteOf('h2h', hasDraw, bookmaker, { outcomes: h2h.outcomes, at: time, isRepeated: true });
    if (quote && hasPlausibleMargin(quote)) last.set(bookmaker, quote);
  }
  const quotes = [...last.values()];
  if (quotes.length < 2) return undefined;
  const views = Object.fromEntries(quotes.map(({ book, prices }) => [book, removeVig(prices.map(impliedProbability))]));
  return { startsAt, outcome, views, quotes };
}

function outcomeOf(scores: readonly any[], hasDraw: boolean): number | undefined {
  const winner = scores.find(({ is_winner }) => is_winner === true);
  if (winner) return NAMES[winner.role];
  const [home, away] = ['home', 'away'].map((role) => Number(scores.find((one) => one.role === role)?.score));
  if (!hasDraw || !Number.isFinite(home! + away!)) return undefined;
  return home === away ? outcomesOf('h2h', true).indexOf('draw') : home! > away! ? 0 : 1;
}
