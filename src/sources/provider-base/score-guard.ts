import { LRUCache } from 'lru-cache';
import { type BelievedState, believedState, type PlayState, runsBackwards, saysTheSame } from './backward-play.ts';

/** What becomes of what an answer says of a game. */
export type Verdict = 'believed' | 'held';

/** A game as one source calls it. */
export interface ObservedGame {
  readonly source: string;
  readonly ref: string;
  /** The same for all sources of the game, as far as it is known. */
  readonly subject: string;
  readonly sport: string | undefined;
}

/** Holds back what an answer says of a game while time seems to run backwards in it. Times are milliseconds. */
export interface ScoreGuard {
  judge(game: ObservedGame, state: PlayState, at: number): Verdict;
  /** The last state of a game that was believed. */
  believed(game: Pick<ObservedGame, 'source' | 'ref' | 'subject'>): PlayState | undefined;
  /** Since when the source has shown a game as it is; undefined if the source never showed it. */
  unchangedSince(game: Pick<ObservedGame, 'source' | 'ref'>): number | undefined;
  /** What the source showed last, believed or not. */
  shown(game: Pick<ObservedGame, 'source' | 'ref'>): PlayState | undefined;
  /** Number of games of a source that are held back now. */
  held(source: string): number;
  /** When the next of them may be believed, if answers go on saying the same; undefined if none is held back. */
  decidesAt(source: string): number | undefined;
  /** How often an answer of a source ran backwards, and a later one agreed with what was told before. */
  flaps(source: string): number;
  readonly bytes: number;
  readonly limit: number;
}

/** Answers in a row that must say the same, and the time that they must cover. */
const ANSWERS = 3;
const COVERED_MS = 45_000;

const LIMIT = 8 * 1024 * 1024;
/** Memory of a game: its states, and the entry of the cache. */
const GAME_BYTES = 700;

interface HeldState {
  readonly state: PlayState;
  readonly since: number;
  readonly answers: number;
}

interface SourceState {
  readonly shown: PlayState;
  readonly unchangedSince: number;
  readonly held: HeldState | undefined;
}

interface Belief {
  readonly state: BelievedState;
  readonly sport: string | undefined;
  /** When each source last agreed with what is believed. */
  readonly agreedAt: ReadonlyMap<string, number>;
}

/** @param pace divides the time for which a state is held back */
export function createScoreGuard(pace: number): ScoreGuard {
  const beliefs = cache<Belief>();
  const shown = cache<SourceState>();
  const heldBySource = new Map<string, Set<string>>();
  const flapsBySource = new Map<string, number>();

  /** A source's games that are held back, as long as they are remembered. */
  const heldOf = (source: string): Set<string> => {
    const known = heldBySource.get(source) ?? new Set<string>();
    heldBySource.set(source, known);
    return known;
  };

  /** What its own source called the game may be the only name that was known at first. */
  const beliefOf = (game: Pick<ObservedGame, 'source' | 'ref' | 'subject'>): Belief | undefined =>
    beliefs.get(game.subject) ?? beliefs.get(keyOf(game));

  function believe(game: ObservedGame, state: PlayState, at: number): Verdict {
    const before = beliefOf(game);
    beliefs.set(game.subject, {
      state: believedState(state, before?.state),
      sport: game.sport ?? before?.sport,
      agreedAt: new Map(before?.agreedAt).set(game.source, at),
    });
    return 'believed';
  }

  /** Another source has shown since then what is believed. */
  const isContradicted = ({ source }: ObservedGame, { agreedAt }: Belief, since: number): boolean =>
    [...agreedAt].some(([other, at]) => other !== source && at > since);

  return {
    judge(game, state, at) {
      const key = keyOf(game);
      const before = shown.get(key);
      const isSame = before !== undefined && saysTheSame(before.shown, state) && before.shown.clock === state.clock;
      const unchangedSince = isSame ? before.unchangedSince : at;
      const show = (held: HeldState | undefined): void => {
        shown.set(key, { shown: state, unchangedSince, held });
        if (held) heldOf(game.source).add(key);
        else heldOf(game.source).delete(key);
      };
      const belief = beliefOf(game);
      if (!belief || !runsBackwards(belief.state, state, game.sport ?? belief.sport)) {
        if (before?.held) flapsBySource.set(game.source, (flapsBySource.get(game.source) ?? 0) + 1);
        show(undefined);
        return believe(game, state, at);
      }
      const last = before?.held;
      const isRepeated =
        last !== undefined && saysTheSame(last.state, state) && !isContradicted(game, belief, last.since);
      const held: HeldState = isRepeated
        ? { state, since: last.since, answers: last.answers + 1 }
        : { state, since: at, answers: 1 };
      if (held.answers >= ANSWERS && at - held.since >= COVERED_MS / pace) {
        show(undefined);
        return believe(game, state, at);
      }
      show(held);
      return 'held';
    },
    believed: (game) => beliefOf(game)?.state,
    unchangedSince: (game) => shown.get(keyOf(game))?.unchangedSince,
    shown: (game) => shown.get(keyOf(game))?.shown,
    held(source) {
      const held = heldOf(source);
      for (const key of held) if (!shown.has(key)) held.delete(key);
      return held.size;
    },
    decidesAt(source) {
      const since = [...heldOf(source)].flatMap((key) => shown.peek(key)?.held?.since ?? []);
      return since.length === 0 ? undefined : Math.min(...since) + COVERED_MS / pace;
    },
    flaps: (source) => flapsBySource.get(source) ?? 0,
    get bytes() {
      return beliefs.calculatedSize + shown.calculatedSize;
    },
    limit: LIMIT,
  };
}

/** The subject of a game that no other source is known to tell of. */
export const keyOf = ({ source, ref }: Pick<ObservedGame, 'source' | 'ref'>): string => `${source} ${ref}`;

const cache = <T extends object>(): LRUCache<string, T> =>
  new LRUCache({ maxSize: LIMIT / 2, sizeCalculation: (_, key) => GAME_BYTES + 2 * key.length });
