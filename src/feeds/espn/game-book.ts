import type { EventStatus } from '../../domain/catalogue.ts';
import { isOver } from '../../domain/sports-event.ts';
import { DAY } from '../../domain/time.ts';

interface Game {
  startsAt: number;
  /** It is over, or will not be played as it stands. */
  off: boolean;
}

/** A tour of tennis in its busiest week lists hundreds of matches; no league more. */
const MAX_GAMES = 1500;
/** Of a game: its id, an object and its place in a map; of its place in a list: a reference to the id. */
const GAME_BYTES = 250;
const PLACE_BYTES = 100;
/** How much longer a game is kept than anything asks for it. */
const KEPT = 2 * DAY;

/** The games that answers have told of, by league; of the games that a day's scoreboard lists, which. */
export class GameBook {
  readonly #leagues = new Map<string, Map<string, Game>>();
  readonly #days = new Map<string, Map<string, ReadonlySet<string>>>();

  get bytes(): number {
    let bytes = 0;
    for (const games of this.#leagues.values()) bytes += games.size * GAME_BYTES;
    for (const days of this.#days.values()) for (const refs of days.values()) bytes += refs.size * PLACE_BYTES;
    return bytes;
  }

  set(league: string, ref: string, startsAt: number, status: string | undefined): void {
    let games = this.#leagues.get(league);
    if (!games) {
      games = new Map();
      this.#leagues.set(league, games);
    }
    const off = status !== undefined && (status === 'postponed' || isOver(status as EventStatus));
    games.delete(ref);
    games.set(ref, { startsAt, off });
    // The one that was told of least recently is the one that nobody lists any more.
    if (games.size > MAX_GAMES) games.delete(games.keys().next().value!);
  }

  has = (league: string, ref: string): boolean => this.#leagues.get(league)?.has(ref) ?? false;

  /** The ids of games that start in between (milliseconds), both ends included, by start and id. */
  starting(league: string, from: number, to: number): string[] {
    const games = this.#leagues.get(league) ?? new Map<string, Game>();
    for (const [ref, { startsAt }] of games) if (startsAt < from - KEPT) games.delete(ref);
    return [...games]
      .filter(([, { startsAt, off }]) => !off && startsAt >= from && startsAt <= to)
      .sort(([a, one], [b, other]) => one.startsAt - other.startsAt || (a < b ? -1 : 1))
      .map(([ref]) => ref);
  }

  /**
   * A scoreboard of this day lists these games. A game that stands on several days' scoreboards is taken from one of
   * them: from today's before the others, which are asked less often, else from the nearest day's.
   * @param days the days that are asked, the most telling first
   * @returns which of them are taken from this scoreboard
   */
  takenFrom(league: string, day: string, refs: readonly string[], days: readonly string[]): ReadonlySet<string> {
    let lists = this.#days.get(league);
    if (!lists) {
      lists = new Map();
      this.#days.set(league, lists);
    }
    for (const known of lists.keys()) if (!days.includes(known)) lists.delete(known);
    if (days.includes(day)) lists.set(day, new Set(refs.slice(0, MAX_GAMES)));
    const place = days.indexOf(day);
    const before = (place < 0 ? days : days.slice(0, place)).map((other) => lists.get(other));
    return new Set(refs.filter((ref) => !before.some((list) => list?.has(ref))));
  }
}
