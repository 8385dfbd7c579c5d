import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { DAY, formatTime } from '../../domain/primitives/time.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import type { BookHalves } from './venue-book.ts';
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
  unknown_club: 'it names a club that is not known',
  unknown_sides: 'its outcomes name no side, or both',
  unknown_ticker: 'its id has another form',
};

interface Kept {
  readonly contract: UnclearContract;
  listedAt: number;
  published: string | undefined;
}

/** The unclear contracts of one venue, between two answers. Bounded. */
export class UnclearContracts {
  readonly #source: string;
  readonly #kept = new Map<string, Kept>();

  constructor(source: string) {
    this.#source = source;
  }

  static readonly limit = MAX_CONTRACTS;
  get size(): number {
    return this.#kept.size;
  }

  /** The ids of those of a league, the last listed ones first. */
  of(league: string, limit: number): readonly string[] {
    return [...this.#kept.values()]
      .filter(({ contract }) => contract.league === league)
      .sort((a, b) => b.listedAt - a.listedAt)
      .slice(0, limit)
      .map(({ contract }) => contract.id);
  }

  /** The message of a contract that was listed: once, and again with each change of its book. */
  *listed(contract: UnclearContract, at: number): Generator<JsonObject> {
    if (!this.#hasRoom(contract.id, at)) return;
    const known = this.#kept.get(contract.id);
    this.#kept.set(contract.id, { contract, listedAt: at, published: known?.published });
    if (known?.published === undefined) yield* this.#publish(contract.id, at, { bids: [], asks: [] });
  }

  /** The message of its book; none of a contract that is not kept. */
  *quoted(id: string, book: BookHalves, at: number): Generator<JsonObject> {
    yield* this.#publish(id, at, book);
  }

  /** It was bound, or is open no more. */
  drop(id: string): void {
    this.#kept.delete(id);
  }

  /** What was published did not arrive. */
  forget(): void {
    for (const kept of this.#kept.values()) kept.published = undefined;
  }

  *#publish(id: string, at: number, { bids, asks }: BookHalves): Generator<JsonObject> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    const { sport, league, code, title, sides, game, fee } = kept.contract;
    const named = [...new Set(sides.flatMap((side) => side?.slice(0, MAX_TEXT) || []))].slice(0, 4);
    const content = {
      ...{ kind: 'unclear_contract', source: this.#source, ref: id, sport, league },
      ...(game === undefined ? {} : { match: nameOfGame(game)['match'] }),
      ...{ title: title.slice(0, MAX_TEXT) || id, reason: REASONS[code] ?? code, sides: named, bids, asks },
      ...(fee === undefined ? {} : { fee }),
    };
    const mark = fingerprint(canonicalJson(content));
    if (mark === kept.published) return;
    kept.published = mark;
    yield { ...content, at: formatTime(at) };
  }

  #hasRoom(id: string, at: number): boolean {
    if (this.#kept.has(id) || this.#kept.size < MAX_CONTRACTS) return true;
    for (const [old, { listedAt }] of this.#kept) if (at - listedAt > LISTED_WITHIN) this.#kept.delete(old);
    return this.#kept.size < MAX_CONTRACTS;
  }
}
