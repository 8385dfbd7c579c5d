import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { DAY, formatTime } from '../../domain/primitives/time.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import { type BookHalves, REPEAT_AFTER } from './venue-book.ts';
import { nameOfGame, type VenueGame } from './venue-contract.ts';

/** An open market of a venue of which is not certain what it is a bet on. */
export interface UnclearContract {
  /** The venue's id of it, by which its order book is asked. */
  readonly id: string;
  readonly sport: string;
  readonly league: string;
  /** The code of why it is bound to nothing. */
  readonly code: string;
  readonly title: string;
  /** What it may be a bet on. */
  readonly sides: readonly (string | undefined)[];
  readonly game: VenueGame | undefined;
  readonly fee: JsonObject | undefined;
}

/** More are left out until others are listed no more: a venue that changes its texts makes all of its markets unclear. */
const MAX_CONTRACTS = 500;
const LISTED_WITHIN = DAY;
const MAX_TEXT = 300;

const REASONS: Readonly<Record<string, string>> = {
  contradicts: 'its names and its rules do not say the same side',
  negated: 'its question may mean the opposite of what it names',
  no_line: 'its line is not certain',
  no_sides: 'the two sides of its game are not told',
  no_start: 'the start of its game is not told',
  other_day: 'its rules name another day',
  other_start: 'it has another start than its game',
  unclear_text: 'its question or its rules have another form',
  unknown_club: 'it names a club that is not known',
  unknown_sides: 'its outcomes name no side, or both',
  unknown_ticker: 'its id has another form',
};

interface Kept {
  readonly contract: UnclearContract;
  listedAt: number;
  published: { readonly mark: string; readonly at: number; readonly hasOrders: boolean } | undefined;
}

/** The unclear contracts of one venue, between two answers. Bounded. */
export class UnclearContracts {
  readonly #source: string;
  readonly #kept = new Map<string, Kept>();
  /** By league, the contracts of which a person says what they are, and when that was asked for. */
  readonly #bound = new Map<string, { readonly ids: ReadonlySet<string>; readonly at: number }>();
  /** The time of the last message: of two of one time only one would count as the newest of its venue. */
  #lastAt = 0;

  constructor(source: string) {
    this.#source = source;
  }

  static readonly limit = MAX_CONTRACTS;
  get size(): number {
    return this.#kept.size;
  }

  /** The ids of those of a league that are still listed and wait, in the order in which they were listed first. */
  waiting(league: string, now: number): readonly string[] {
    return this.#listedOf(league, now).filter((id) => !this.isBound(league, id));
  }

  /** As `waiting`, those that a person has bound: they are unclear no more. */
  bound(league: string, now: number): readonly string[] {
    return this.#listedOf(league, now).filter((id) => this.isBound(league, id));
  }

  isBound(league: string, id: string): boolean {
    return this.#bound.get(league)?.ids.has(id) ?? false;
  }

  noteBound(league: string, ids: ReadonlySet<string>, at: number): void {
    this.#bound.set(league, { ids, at });
  }

  /** The leagues with unclear contracts of which was not asked for so long what persons have bound. */
  leaguesToAsk(now: number, every: number): readonly string[] {
    const leagues = new Set([...this.#kept.values()].map(({ contract }) => contract.league));
    return [...leagues].filter((league) => Math.abs(now - (this.#bound.get(league)?.at ?? -Infinity)) >= every);
  }

  #listedOf(league: string, now: number): readonly string[] {
    return [...this.#kept.values()].flatMap(({ contract, listedAt }) =>
      contract.league === league && now - listedAt <= LISTED_WITHIN ? [contract.id] : [],
    );
  }

  /** The message of a contract that was listed, once. It says nothing of its book, which is asked for by itself. */
  *listed(contract: UnclearContract, at: number): Generator<JsonObject> {
    if (!this.#hasRoom(contract.id, at)) return;
    const known = this.#kept.get(contract.id);
    this.#kept.set(contract.id, { contract, listedAt: at, published: known?.published });
    if (known?.published === undefined) yield* this.#publish(contract.id, at, undefined);
  }

  /**
   * The message of its book: with each change, and again after a while, so that its price stays fresh once it is bound.
   * None of a contract that is not kept.
   */
  *quoted(id: string, book: BookHalves, at: number): Generator<JsonObject> {
    yield* this.#publish(id, at, book);
  }

  /** It is told clearly now: it comes in the books of its market. */
  drop(id: string): void {
    this.#kept.delete(id);
  }

  /** It is open no more: nobody offers it. */
  *closed(id: string, at: number): Generator<JsonObject> {
    if (this.#kept.get(id)?.published?.hasOrders) yield* this.#publish(id, at, { bids: [], asks: [] });
    this.#kept.delete(id);
  }

  /** What was published did not arrive. */
  forget(): void {
    for (const kept of this.#kept.values()) kept.published = undefined;
  }

  *#publish(id: string, at: number, book: BookHalves | undefined): Generator<JsonObject> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    const { sport, league, code, title, sides, game, fee } = kept.contract;
    const named = [...new Set(sides.flatMap((side) => side?.slice(0, MAX_TEXT) || []))].slice(0, 4);
    const content = {
      ...{ kind: 'unclear_contract', source: this.#source, ref: id, sport, league },
      ...(game === undefined ? {} : { match: nameOfGame(game)['match'] }),
      ...{ title: title.slice(0, MAX_TEXT) || id, reason: REASONS[code] ?? code, sides: named, ...book },
      ...(fee === undefined ? {} : { fee }),
    };
    const mark = fingerprint(canonicalJson(content));
    if (mark === kept.published?.mark && at - kept.published.at < REPEAT_AFTER) return;
    const hasOrders = book !== undefined && (book.bids.length > 0 || book.asks.length > 0);
    kept.published = { mark, at, hasOrders };
    this.#lastAt = Math.max(at, this.#lastAt + 1);
    yield { ...content, at: formatTime(this.#lastAt) };
  }

  #hasRoom(id: string, at: number): boolean {
    if (this.#kept.has(id) || this.#kept.size < MAX_CONTRACTS) return true;
    for (const [old, { listedAt }] of this.#kept) if (at - listedAt > LISTED_WITHIN) this.#kept.delete(old);
    return this.#kept.size < MAX_CONTRACTS;
  }
}

/** So many of these, in turns. @param every how long a turn takes, in milliseconds */
export function takeTurns(
  ids: readonly string[],
  now: number,
  { limit, every }: { readonly limit: number; readonly every: number },
): readonly string[] {
  if (ids.length <= limit) return ids;
  const first = (Math.floor(now / every) * limit) % ids.length;
  return [...ids.slice(first), ...ids.slice(0, first)].slice(0, limit);
}
