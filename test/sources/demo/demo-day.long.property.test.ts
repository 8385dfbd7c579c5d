import { describe, expect, it } from 'vitest';
import { type EventStatus, SPORT_SLUGS } from '../../../src/domain/catalogue/catalogue.ts';
import { parseMessage } from '../../../src/domain/feed/parse-message.ts';
import { isForwardTransition, isOver } from '../../../src/domain/sports-events/sports-event.ts';
import { type DemoMessage, demoDay, fixturesOfRun } from '../../../src/sources/demo/demo-day.ts';
import { FIRST_VIEW_SECONDS } from '../../../src/sources/demo/fixtures/fixtures.ts';
import { cases } from '../../support/cases.ts';
import { byEvent, runOf, smallDay } from './demo-days.ts';

type Message = DemoMessage['message'];

/** DEMO_SEEDS sets how many seeds are tried, and DEMO_GAMES how many games of each. */
const SEEDS = Number(process.env['DEMO_SEEDS'] ?? cases(200));
const GAMES = Number(process.env['DEMO_GAMES'] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);

const ofKind = (messages: readonly Message[], kind: string) => messages.filter((message) => message['kind'] === kind);
const statuses = (messages: readonly Message[]): EventStatus[] =>
  ofKind(messages, 'score').map((message) => message['status'] as EventStatus);

function expectSoundCourse(messages: readonly Message[]): void {
  const told = statuses(messages);
  const last = told.at(-1)!;
  expect(isOver(last) || last === 'postponed').toBe(true);
  let before: EventStatus = 'scheduled';
  let scores: readonly number[] = [0, 0];
  for (const score of ofKind(messages, 'score')) {
    const status = score['status'] as EventStatus;
    if (status !== before && !isForwardTransition(before, status)) expect.fail(`${before} to ${status}`);
    before = status;
    const sides = score['scores'] as { score?: string }[] | undefined;
    const present = sides?.map((side) => sum(side.score ?? ''));
    const falls = present?.some((value, side) => value < scores[side]!) ?? false;
    if (falls) expect.fail(`the score falls to ${present!.join('-')}`);
    scores = present ?? scores;
  }
}

/** Of tennis all games of all sets. */
const sum = (score: string): number => score.split(' ').reduce((total, part) => total + Number(part), 0);

/** The probability that a price implies. */
const impliedBy = (price: number): number => (price < 0 ? -price / (100 - price) : 100 / (100 + price));

function expectMargins(messages: readonly Message[]): void {
  for (const { markets } of ofKind(messages, 'odds') as unknown as { markets: Market[] }[]) {
    for (const { key, alternate, outcomes } of markets) {
      if (outcomes.length === 0) continue;
      const isPaired = alternate || !['h2h', 'spreads', 'totals'].includes(key);
      const pairs = isPaired ? rungs(outcomes) : [outcomes];
      for (const pair of pairs) {
        const margin = pair.reduce((all, { price }) => all + impliedBy(price), -1);
        if (!(margin > 0 && margin < 0.15)) expect.fail(`${key} ${JSON.stringify(pair)} has a margin of ${margin}`);
      }
    }
  }
}
interface Market {
  readonly key: string;
  readonly alternate?: boolean;
  readonly outcomes: readonly { readonly price: number; readonly point?: number }[];
}
const rungs = (outcomes: Market['outcomes']) =>
  outcomes.flatMap((outcome, index) => (index % 2 === 0 ? [[outcome, outcomes[index + 1]!]] : []));

describe('a day of the demo', () => {
  it('is sound whatever the seed', () => {
    let games = 0;
    for (const seed of seeds) {
      const messages = smallDay(runOf(seed), GAMES);
      let last = 0;
      for (const { at, message } of messages) {
        if (at < last || message['source'] !== 'demo') expect.fail(JSON.stringify(message));
        last = at;
        const parsed = parseMessage(message);
        if ('rejection' in parsed) expect.fail(`seed ${seed}: ${parsed.rejection.message}`);
      }
      for (const [ref, own] of byEvent(messages)) {
        games++;
        try {
          expectSoundCourse(own);
          expectMargins(own);
        } catch (error) {
          throw new Error(`seed ${seed}, ${ref}`, { cause: error });
        }
      }
    }
    expect(games).toBe(SEEDS * GAMES);
  });

  it('is the same for the same seed, beginning and pace, and another one for another seed', () => {
    const text = (seed: number) => JSON.stringify(smallDay(runOf(seed), 12));

    expect(text(7)).toBe(text(7));
    expect(text(8)).not.toBe(text(7));
  });

  it('tells of one event never twice at one time, however fast it goes by', () => {
    for (const own of byEvent(smallDay(runOf(3, 1000), 12)).values()) {
      const times = own.map((message) => message['at']);
      expect(new Set(times).size).toBe(times.length);
    }
  });

  it('has something over, something live and something to come in every sport at the first look', () => {
    for (const seed of [1, 2, 3]) {
      const run = runOf(seed);
      const look = run.startedAt + (FIRST_VIEW_SECONDS * 1000) / run.speed;
      const known: DemoMessage[] = [];
      for (const said of demoDay(run, 0)) {
        if (said.at > look) break;
        known.push(said);
      }
      const shown = new Map<string, Set<string>>(SPORT_SLUGS.map((sport) => [sport, new Set()]));
      for (const own of byEvent(known).values()) {
        shown.get(String(own[0]!['sport']))!.add(statuses(own).at(-1) ?? 'scheduled');
      }
      for (const [sport, present] of shown) {
        expect([...present], `${sport} of seed ${seed}`).toEqual(
          expect.arrayContaining(['final', 'inprogress', 'scheduled']),
        );
      }
    }
  });

  it('has all that can befall a game', () => {
    const messages = [...demoDay(runOf(1), 0)].map(({ message }) => message);
    const scores = ofKind(messages, 'score');
    const told = new Set(statuses(messages));
    const periods = new Set(scores.map((score) => score['period']));

    for (const status of ['delayed', 'postponed', 'suspended', 'cancelled', 'walkover', 'final'] as const) {
      expect(told).toContain(status);
    }
    for (const period of ['OT', 'SO', 'ET1', 'ET2', 'PKs', 'Top 10', 'HT', 'Set 3']) expect(periods).toContain(period);
    const results = new Set(scores.map((score) => score['result_type']));
    for (const result of ['regulation', 'overtime', 'shootout', 'retired', 'walkover'])
      expect(results).toContain(result);
    const odds = ofKind(messages, 'odds') as unknown as { bookmaker: string; markets: Market[] }[];
    expect(new Set(odds.map(({ bookmaker }) => bookmaker)).size).toBeGreaterThanOrEqual(6);
    const markets = odds.flatMap((message) => message.markets);
    expect(markets.some(({ alternate }) => alternate)).toBe(true);
    expect(markets.some(({ key, outcomes }) => key === 'h2h' && outcomes.length === 0)).toBe(true);
    expect(ofKind(messages, 'splits').length).toBeGreaterThan(100);
    expect(ofKind(messages, 'injury').some((message) => message['status'] === 'out')).toBe(true);
  });

  it('lets nobody play two games at once', () => {
    for (const seed of seeds.slice(0, 40)) {
      const fixtures = [0, 1].flatMap((day) =>
        fixturesOfRun(runOf(seed), day).map((fixture) => ({ ...fixture, startsAt: fixture.startsAt + day * 86_400 })),
      );
      const busy = new Map<string, number[]>();
      for (const { sides, startsAt } of fixtures) {
        for (const { ref } of sides) busy.set(ref, [...(busy.get(ref) ?? []), startsAt]);
      }
      for (const starts of busy.values()) {
        const sorted = starts.sort((a, b) => a - b);
        for (const [index, start] of sorted.slice(1).entries()) {
          expect(start - sorted[index]!).toBeGreaterThan(4 * 3600);
        }
      }
    }
  });
});
