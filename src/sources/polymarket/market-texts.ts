import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { isDayOf, type VenueGame } from '../provider-base/venue-contract.ts';

/** A game, by all names that an event has for its sides. */
export interface NamedGame {
  readonly game: VenueGame;
  /** Normalized: home or player_1 first. */
  readonly names: readonly [ReadonlySet<string>, ReadonlySet<string>];
}

/** The side that a name means; undefined where it means none, or both. */
export function sideOfName({ names }: NamedGame, name: string): 0 | 1 | undefined {
  const key = normalizeName(name);
  const [isFirst, isSecond] = [names[0].has(key), names[1].has(key)];
  return isFirst === isSecond ? undefined : isFirst ? 0 : 1;
}

/** The name of an outcome without its line: `Lakers (+5.5)`. */
export const plainName = (name: string): string => name.replace(/ \([+-]?\d+(?:\.\d+)?\)$/, '');

const VERSUS = /^(?:(?<contest>[^:]+): )?(?<one>.+?) (?:vs\.?|v\.?|versus|at|@) (?<two>.+?)$/;
/** Words that no tournament of tennis is called by. */
const PARTS =
  /\b(?:sets?|games?|points?|tie-?breaks?|handicap|total|spread|first|1st|second|2nd|completed|aces?|o\/u|over|under)\b/i;

/** Whether a text names the two sides and nothing else: `Lakers vs. Warriors`; in tennis after the tournament. */
export function isOnGame(text: string, event: NamedGame): boolean {
  const { contest, one, two } = VERSUS.exec(text)?.groups ?? {};
  if (one === undefined || two === undefined) return false;
  if (contest !== undefined && (event.game.sport !== 'tennis' || PARTS.test(contest))) return false;
  const [first, second] = [sideOfName(event, one), sideOfName(event, two)];
  return first !== undefined && second !== undefined && first !== second;
}

/** Whether a text stands for the winner of the game: its sides, or no more than that it is on the winner. */
export const isOnWinner = (text: string, event: NamedGame): boolean =>
  /^(?:(?:match|game) winner|winner|moneyline)$/i.test(text) || isOnGame(text, event);

const TOTAL = /^(?:(?<game>.+?): )?(?:O\/U|Over\/Under) (?<line>\d+(?:\.\d+)?)$/i;

/** The line of a text on the total of the game: `Lakers vs. Warriors: O/U 224.5`. */
export function totalIn(text: string, event: NamedGame): number | undefined {
  const { game, line } = TOTAL.exec(text)?.groups ?? {};
  return line === undefined || (game !== undefined && !isOnGame(game, event)) ? undefined : Number(line);
}

/** A line of one side. */
export interface NamedSpread {
  readonly side: 0 | 1;
  readonly point: number;
}

const SPREAD = /^(?:(?!Spread\b)(?<game>.+?): )?(?:Spread:? )?(?<side>.+?) \((?<point>[+-]\d+(?:\.\d+)?)\)$/i;

/** The side and the line of a text on the spread of the game: `Spread: Warriors (-4.5)`. */
export function spreadIn(text: string, event: NamedGame): NamedSpread | undefined {
  const { game, side: name, point } = SPREAD.exec(text)?.groups ?? {};
  if (name === undefined || (game !== undefined && !isOnGame(game, event))) return undefined;
  const side = sideOfName(event, name);
  return side === undefined ? undefined : { side, point: Number(point) };
}

const DAY = '(?: on (?:(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)|that day))?';
const WIN = new RegExp(`^Will (?:the )?(?<winner>.+?) win${DAY}\\?$`);
const DRAW = new RegExp(`^Will (?:the )?(?<match>.+?) end in a draw${DAY}\\?$`);

/**
 * Which of the three results a question of a soccer match is on, `Will Arsenal FC win on 2026-11-30?`.
 * @returns the code of why it is on none of them, else the side or `draw`
 */
export function resultAsked(
  question: string,
  event: NamedGame,
): { readonly result: 0 | 1 | 'draw' } | { readonly fault: string } {
  const said = (WIN.exec(question) ?? DRAW.exec(question))?.groups;
  if (!said) return { fault: 'unclear_text' };
  const { winner, match, year, month, day } = said;
  const result = winner === undefined ? isOnGame(match!, event) && 'draw' : sideOfName(event, winner);
  if (result === undefined || result === false) return { fault: 'unknown_sides' };
  const named = { year: Number(year), month: Number(month), day: Number(day) };
  return year === undefined || isDayOf(event.game, named) ? { result } : { fault: 'other_day' };
}

/** Whether the short title of a question is on the same result: `Arsenal FC`, `Draw (Arsenal FC vs. Chelsea FC)`. */
export function isTitleOfResult(title: string, result: 0 | 1 | 'draw', event: NamedGame): boolean {
  if (result !== 'draw') return sideOfName(event, title) === result;
  const [isDraw, match] = /^(?:draw|tie)(?: \(([^()]+)\))?$/i.exec(title) ?? [];
  return isDraw !== undefined && (match === undefined || isOnGame(match, event));
}
