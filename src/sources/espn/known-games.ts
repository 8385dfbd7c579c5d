import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { DAY } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';

interface Game {
  startsAt: number;
  /** It is over, or will not be played as it stands. */
  off: boolean;
}

/** A scoreboard of a league and a day. */
interface DayScoreboard {
  readonly sport: string;
  readonly league: string;
  /** `YYYYMMDD` */
  readonly day: string;
}

/** A game of a scoreboard; its league may be another one: each tour's lists the matches of both. */
interface ScoreboardGame {
  readonly ref: string;
  readonly league: string;
}

/** A tour of tennis in its busiest week lists hundreds of matches; no league more. */
const MAX_GAMES = 1500;
/** Of a game: its id, an object and its place in a map; of its place in a list: a reference to the id. */
const GAME_BYTES = 250;
const PLACE_BYTES = 100;
/** How much longer a game is kept than anything asks for it. */
const KEPT = 2 * DAY;

/** The games that answers have told of, by league; of the games that a day's scoreboard lists, which. */
export class KnownGames {
  readonly #leagues = new Map<string, Map<string, Game>>();
  #boards: (DayScoreboard & { readonly refs: ReadonlySet<string> })[] = [];

  get bytes(): number {
    let bytes = 0;
    for (const games of this.#leagues.values()) bytes += games.size * GAME_BYTES;
    for (const { refs } of this.#boards) bytes += refs.size * PLACE_BYTES;
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
  startingBetween(league: string, from: number, to: number): string[] {
    const games = this.#leagues.get(league) ?? new Map<string, Game>();
    for (const [ref, { startsAt }] of games) if (startsAt < from - KEPT) games.delete(ref);
    return [...games]
      .filter(([, { startsAt, off }]) => !off && startsAt >= from && startsAt <= to)
      .sort(([a, one], [b, other]) => one.startsAt - other.startsAt || (a < b ? -1 : 1))
      .map(([ref]) => ref);
  }

  /**
   * A scoreboard lists these games. A game that stands on several scoreboards is taken from one of them: from its own
   * league's before the other tour's, from today's before the others, which are asked less often, else from the nearest
   * day's.
   * @param days the days that are asked, the most telling first
   * @returns the ids of those that are taken from this scoreboard
   */
  claimGames(board: DayScoreboard, games: readonly ScoreboardGame[], days: readonly string[]): ReadonlySet<string> {
    this.#boards = this.#boards.filter(
      (one) => days.includes(one.day) && !(one.league === board.league && one.day === board.day),
    );
    const rankIn = ({ league, day }: DayScoreboard, game: ScoreboardGame): number => {
      const place = days.indexOf(day);
      return (league === game.league ? 0 : days.length) + (place < 0 ? days.length : place);
    };
    const others = this.#boards.filter(({ sport }) => sport === board.sport);
    const isTaken = (game: ScoreboardGame): boolean =>
      !others.some((one) => one.refs.has(game.ref) && rankIn(one, game) < rankIn(board, game));
    const refs = new Set(games.slice(0, MAX_GAMES).map(({ ref }) => ref));
    if (days.includes(board.day)) this.#boards.push({ ...board, refs });
    return new Set(games.filter(isTaken).map(({ ref }) => ref));
  }
}
