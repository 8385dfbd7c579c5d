import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import { PlayerRankings } from '../../../src/forecasting/facts/player-rankings.ts';
import { LeagueLearners, leagueKeyOf } from '../../../src/forecasting/learning/league-learners.ts';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import type { LeagueEventResults } from '../../../src/forecasting/learning/packed-results.ts';
import { createResultSaver } from '../../../src/forecasting/learning/result-saver.ts';
import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import type { GameKnownAt } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf, resultOf } from '../../intelligence/seasons.ts';

const DAY = 86_400_000;
export const GAMES = 420;
const LEAST = 20;
const ENDS = new Map([['all', 10n ** 9n]]);
const pause = async () => {};

export type Step =
  | { readonly kind: 'play'; readonly count: number }
  | { readonly kind: 'correct' | 'mend' | 'remove' | 'repeat' | 'rank'; readonly game: number }
  | { readonly kind: 'save' | 'restart' | 'crash' };

/** A server's learners with its stored results, and the log that they are learned from. */
export function createLearnedWorld(sport: SportSlug, league: string, seed: number, maxBytes?: number) {
  const random = numbersOf(seed);
  const games = gamesOf(sport, league, GAMES, random);
  const log = new Map<number, LeagueEventResults>();
  const ranked: { player: string; at: number; source: string; rank: number }[] = [];
  const inner = createMemoryResultsStore();
  let dies = false;
  let failingReads = 0;
  const store: ResultsStore = {
    ...inner,
    async readPage(query) {
      if (failingReads > 0 && failingReads-- > 0) throw new Error('the disk has failed');
      return inner.readPage(query);
    },
    async save(events, upTo, memories) {
      if (dies && [...(memories?.values() ?? [])].some((packed) => packed !== null)) return;
      await inner.save(events, upTo, memories);
    },
  };
  const told: string[] = [];
  /** What came since the last save. */
  const unsaved = new Set<number>();
  let played = 0;
  let used = 0;
  const rankings = () => {
    const all = new PlayerRankings();
    for (const ranking of ranked) all.add(ranking);
    return all;
  };
  const begin = (results: ResultsStore) => {
    const leagues = new LeagueLearners(rankings(), maxBytes);
    const onLearnAnew = (reason: string) => void told.push(reason);
    return {
      leagues,
      saver: createResultSaver({ store: results, leagues, leastKept: LEAST, onLearnAnew, onError: thrown }),
    };
  };
  const rankingBefore = (game: number) => {
    const { home, startsAt } = games[game]!;
    return { player: home, at: startsAt - DAY, source: 'one', rank: 3 };
  };
  let server = begin(store);
  const put = (event: LeagueEventResults) => {
    log.set(event.id, event);
    unsaved.add(event.id);
    server.leagues.put(event);
    server.saver.put(event);
  };
  const newest = () => Math.max(0, ...[...log.values()].flatMap(({ results }) => results.map(({ at }) => at)));
  const known = (id: number, at: number, { knownAt: _, ...game }: GameKnownAt, ref = '') => ({
    at,
    recordedAt: at + (id % 3) * DAY,
    fact: { kind: 'score', source: 'one', ref: `${id} ${ref}` },
    game,
  });
  const eventOf = (id: number, results: LeagueEventResults['results']): LeagueEventResults => {
    const { startsAt } = games[id - 1]!;
    return { id, sport, league, name: `one ${id}`, closesAt: startsAt, results };
  };
  async function save() {
    await server.leagues.learn(pause);
    await server.saver.save(ENDS);
    unsaved.clear();
  }
  async function restart() {
    server = begin(store);
    const restored = await server.saver.restore(ENDS, pause);
    for (const { league: key, memory, old } of restored?.memories ?? []) {
      used++;
      server.leagues.goOnFrom(key, memory, old);
    }
    for (const story of restored?.stories ?? []) server.leagues.put(story);
    const changed = restored ? [...unsaved] : [...log.keys()];
    for (const id of changed) {
      const event = log.get(id);
      if (event) {
        server.leagues.put(event);
        server.saver.put(event);
      } else {
        server.leagues.remove(id);
        server.saver.remove(id);
      }
    }
    await server.leagues.learn(pause);
  }
  return {
    store: inner,
    /** Why something stored could not be used. */
    told,
    /** From now on the process dies whenever it is to store what was learned. */
    dieBeforeMemories() {
      dies = true;
    },
    /** The next reads of stored results fail. */
    failReads(count: number) {
      failingReads = count;
    },
    /** A ranking that is in the log, and that this process has not read. */
    rankUnread: (game: number) => void ranked.push(rankingBefore(game)),
    get used() {
      return used;
    },
    async take(one: Step) {
      switch (one.kind) {
        case 'play':
          for (let end = Math.min(GAMES, played + one.count); played < end; played++) {
            put(eventOf(played + 1, [known(played + 1, games[played]!.knownAt, games[played]!)]));
          }
          return server.leagues.learn(pause);
        case 'save':
          return save();
        case 'restart':
          await save();
          return restart();
        case 'crash':
          return restart();
        case 'rank': {
          const ranking = {
            player: games[one.game]!.home,
            at: games[one.game]!.startsAt - DAY,
            source: 'one',
            rank: 3,
          };
          ranked.push(ranking);
          server.leagues.addRanking(sport, ranking);
          return server.leagues.learn(pause);
        }
      }
      const event = log.get(one.game + 1);
      if (!event) return;
      const game = games[one.game]!;
      const other = { ...game, ...resultOf(sport, 0, random) };
      if (one.kind === 'remove') {
        log.delete(event.id);
        unsaved.add(event.id);
        server.leagues.remove(event.id);
        server.saver.remove(event.id);
      } else if (one.kind === 'repeat') put(event);
      else if (one.kind === 'mend') put(eventOf(event.id, [known(event.id, game.knownAt, other, 'mended')]));
      else put(eventOf(event.id, [...event.results, known(event.id, newest() + 1, other, 'corrected')]));
      return server.leagues.learn(pause);
    },
    /** What is remembered at several moments, by the server and by one that learned everything from nothing. */
    async remembered() {
      const anew = new LeagueLearners(rankings(), maxBytes);
      for (const event of log.values()) anew.put(event);
      await anew.learn(pause);
      const end = newest();
      const anyTime = Number.POSITIVE_INFINITY;
      const asked = [
        [end + 1, end - 30 * DAY],
        [end + 1, anyTime],
        [end - 399 * DAY, anyTime],
        [end - 500 * DAY, anyTime],
      ] as const;
      const said = async (leagues: LeagueLearners) => {
        const learner = leagues.find(leagueKeyOf(sport, league));
        if (!learner) return [];
        const all: unknown[] = [learner.knownEvents, learner.oldest, leagues.size, learner.has(1), learner.has(GAMES)];
        for (const [moment, knownBefore] of asked) {
          const history = await learner.historyAt(moment, knownBefore);
          const memories = games.slice(0, 12).map((game) => history.memoryAt(moment, game));
          all.push(history.countResultsBefore(moment), memories);
        }
        return all;
      };
      return [await said(server.leagues), await said(anew)] as const;
    },
  };
}

function thrown(error: unknown): never {
  throw error;
}
