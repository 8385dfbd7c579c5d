import type { EventStatus, League, SportSlug } from '../../domain/catalogue/catalogue.ts';
import { type DateRange, isSameDateRange, rangeOfDates } from './date-phrases.ts';
import { MAX_NAME_WORDS, phraseAt } from './possible-names.ts';
import { longestPhrase, type Meaning } from './query-meanings.ts';
import { type QueryWords, readQueryWords } from './query-words.ts';

/** The filters that a text asks for; null if not mentioned. */
export interface InterpretedQuery {
  readonly sport: SportSlug | null;
  readonly status: EventStatus | null;
  readonly date: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number | null;
  /** Slug. */
  readonly league: string | null;
  readonly team_id: number | null;
  readonly player_id: number | null;
}

/** What a phrase of a text names. `ambiguous`: several teams or players, or none surely enough. */
export type NameMeaning =
  | { readonly of: 'team'; readonly id: number }
  | {
      readonly of: 'player';
      readonly id: number;
      /** The present team and its league; null: none, or unknown. */
      readonly teamId: number | null;
      readonly league: string | null;
    }
  | { readonly of: 'ambiguous' };

/** What possible names mean, by their text; see `possibleNames`. */
export type KnownNames = ReadonlyMap<string, NameMeaning>;

/** Words that may mean several teams or players. */
export interface AmbiguousTerm {
  /** The words as read. */
  readonly term: string;
  /** As it stands in the text; see `possibleNames`. */
  readonly text: string;
}

export interface QueryReading {
  readonly interpreted: InterpretedQuery;
  /** The words that were not understood, in lower case, each once, in order. */
  readonly unrecognized: readonly string[];
  /** Each once, in order. */
  readonly ambiguous: readonly AmbiguousTerm[];
}

const NO_NAMES: KnownNames = new Map();

/**
 * Interprets a text by the fixed rules of docs/query.md. Never guesses: returns the words that it does not know.
 * @param now milliseconds
 * @param names what the names in the text mean
 */
export function readQuery(text: string, now: number, names = NO_NAMES): QueryReading {
  const read = readQueryWords(text);
  const words = read.words.map(({ word }) => word);
  const parsed: ParsedMeanings = {};
  const understood = words.map(() => true);
  const ambiguous = new Map<string, AmbiguousTerm>();
  const leave = ({ from, length }: Span): void => void understood.fill(false, from, from + length);
  for (let at = 0; at < words.length; ) {
    const { length: ofGrammar, meaning } = longestPhrase(words, at, now);
    const name = longestName(read, at, meaning ? ofGrammar + 1 : 1, names);
    const span = { from: at, length: name?.length ?? ofGrammar };
    if (name?.meaning.of === 'ambiguous') {
      const term = words.slice(at, at + name.length).join(' ');
      ambiguous.set(term, ambiguous.get(term) ?? { term, text: name.text });
    } else if (name ? !acceptName(name.meaning, parsed) : !meaning || !acceptMeaning(meaning, span, parsed)) {
      leave(span);
    }
    at += span.length;
  }
  // The list of a player's events has no filter by league: it is one only if it is that of the player's team.
  if (parsed.player && parsed.league && parsed.player.league !== parsed.league.value.slug) {
    for (const span of parsed.league.spans) leave(span);
    delete parsed.league;
  }
  return {
    interpreted: interpretedOf(parsed),
    unrecognized: [...new Set(words.filter((_, index) => !understood[index]))],
    ambiguous: [...ambiguous.values()],
  };
}

function interpretedOf(parsed: ParsedMeanings): InterpretedQuery {
  const { sport = null, status = null, days, limit = null, league, teamId = null, player } = parsed;
  const { date = null, from = null, to = null } = days ?? {};
  const league_slug = league?.value.slug ?? null;
  return { sport, status, date, from, to, limit, league: league_slug, team_id: teamId, player_id: player?.id ?? null };
}

/** The longest name that begins at a word and has at least so many words. */
function longestName(read: QueryWords, at: number, least: number, names: KnownNames) {
  if (names.size === 0) return undefined;
  for (let length = Math.min(MAX_NAME_WORDS, read.words.length - at); length >= least; length--) {
    const text = phraseAt(read, at, length);
    const meaning = names.get(text);
    if (meaning) return { length, text, meaning };
  }
  return undefined;
}

interface Span {
  readonly from: number;
  readonly length: number;
}

/** The meanings found so far. */
interface ParsedMeanings {
  sport?: SportSlug;
  league?: { readonly value: League; readonly spans: Span[] };
  status?: EventStatus;
  limit?: number;
  days?: DateRange;
  /** The single date, if the days are one date written as YYYY-MM-DD. */
  isoDate?: string | undefined;
  teamId?: number;
  player?: Extract<NameMeaning, { of: 'player' }>;
}

/**
 * Accepts a meaning. The first of each kind counts; repeating it changes nothing. @returns false for a different one
 */
function acceptMeaning(meaning: Meaning, span: Span, parsed: ParsedMeanings): boolean {
  switch (meaning.of) {
    case 'nothing':
      return true;
    case 'sport':
      if (parsed.league && parsed.league.value.sport !== meaning.value) return false;
      parsed.sport ??= meaning.value;
      return parsed.sport === meaning.value;
    case 'league':
      return acceptLeague(meaning.value, span, parsed);
    case 'status':
      parsed.status ??= meaning.value;
      return parsed.status === meaning.value;
    case 'limit':
      parsed.limit ??= meaning.value;
      return parsed.limit === meaning.value;
    case 'days':
      parsed.days ??= meaning.value;
      return isSameDateRange(parsed.days, meaning.value);
    case 'iso date':
      return acceptDate(meaning.value, parsed);
  }
}

/** A league of another sport than the text's is a different one. */
function acceptLeague(league: League, span: Span, parsed: ParsedMeanings): boolean {
  if (parsed.sport !== undefined && parsed.sport !== league.sport) return false;
  parsed.league ??= { value: league, spans: [] };
  if (parsed.league.value !== league) return false;
  parsed.league.spans.push(span);
  return true;
}

/** A team and a player go together if it is his team. */
function acceptName(name: Exclude<NameMeaning, { of: 'ambiguous' }>, parsed: ParsedMeanings): boolean {
  if (name.of === 'team') {
    if (parsed.player && parsed.player.teamId !== name.id) return false;
    parsed.teamId ??= name.id;
    return parsed.teamId === name.id;
  }
  if (parsed.teamId !== undefined && parsed.teamId !== name.teamId) return false;
  parsed.player ??= name;
  return parsed.player.id === name.id;
}

/** A second date turns the first into a range. */
function acceptDate(date: string, parsed: ParsedMeanings): boolean {
  if (parsed.days === undefined) {
    parsed.days = { date };
    parsed.isoDate = date;
    return true;
  }
  if (parsed.isoDate === undefined) return false;
  if (parsed.isoDate === date) return true;
  parsed.days = rangeOfDates(parsed.isoDate, date);
  parsed.isoDate = undefined;
  return true;
}
