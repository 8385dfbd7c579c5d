import { LRUCache } from 'lru-cache';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import { LastPublished } from './last-published.ts';
import { UnclearContracts } from './unclear-contracts.ts';
import { bookMessages, middleOf, type QuotedContract, REPEAT_AFTER } from './venue-book.ts';
import { contractMessage, type VenueMarket } from './venue-contract.ts';

/** The fair prices of the side of a market and of the one that it could be mistaken for; undefined: not known now. */
export type ReadFairPrices = (
  source: string,
  market: VenueMarket,
  now: number,
) => Promise<{ readonly own: number; readonly other: number } | undefined>;

/** The ids of the contracts of a venue in one league of which a person says what they are. */
export type ReadBoundContracts = (source: string, league: string) => Promise<ReadonlySet<string>>;

/** What a provider of a prediction market asks of what is known already; absent: nothing is. */
export interface VenueKnowledge {
  readonly fair?: ReadFairPrices | undefined;
  readonly bound?: ReadBoundContracts | undefined;
}

const MAX_MARKETS = 10_000;
const MARKET_BYTES = 1200;
const PUBLISHED_BYTES = 4 * 1024 * 1024;
/** A price is compared with the fair ones so often. */
const SEEN_EVERY = 5 * MINUTE;
/** What persons have bound is asked for so often, and again for every list of markets. */
const ACTS_EVERY = MINUTE;

/** What a provider of a prediction market remembers of its markets between two answers. Bounded. */
export class VenueMemory {
  readonly #source: string;
  readonly #known: VenueKnowledge;
  readonly #markets = new LRUCache<string, VenueMarket>(entriesAtMost(MAX_MARKETS));
  readonly #quoted = new LRUCache<string, QuotedContract>(entriesAtMost(MAX_MARKETS));
  /** Markets whose `contract` messages did not arrive. */
  readonly #unpublished = new Set<string>();
  readonly #published = new LastPublished(PUBLISHED_BYTES);
  readonly unclear: UnclearContracts;

  constructor(source: string, known: VenueKnowledge) {
    this.unclear = new UnclearContracts(source);
    this.#source = source;
    this.#known = known;
  }

  get bytes(): number {
    return (this.#markets.size + this.#quoted.size + this.unclear.size) * MARKET_BYTES + this.#published.bytes;
  }
  readonly limit = (2 * MAX_MARKETS + UnclearContracts.limit) * MARKET_BYTES + PUBLISHED_BYTES;

  market(id: string): VenueMarket | undefined {
    return this.#markets.get(id);
  }

  /** The open markets of each game, by the venue's name of the game. */
  byGame(): ReadonlyMap<string, readonly VenueMarket[]> {
    const games = new Map<string, VenueMarket[]>();
    for (const market of this.#markets.values()) {
      const own = games.get(market.game.ref);
      if (own) own.push(market);
      else games.set(market.game.ref, [market]);
    }
    return games;
  }

  /**
   * Asks which of the unclear contracts a person has bound. An act counts from the next answer on, a minute later at most.
   * @param league a league whose markets are listed now; absent: only those with unclear contracts are asked for
   */
  async noticeActs(at: number, league?: string): Promise<void> {
    const due = new Set(this.unclear.leaguesToAsk(at, ACTS_EVERY));
    if (league !== undefined) due.add(league);
    for (const one of due) {
      const ids = await this.#known.bound?.(this.#source, one);
      if (ids) this.unclear.noteBound(one, ids, at);
    }
  }

  /** The `contract` messages of a market that was listed: once while it is open, and each time that it is settled. */
  *listed(market: VenueMarket, at: number): Generator<JsonObject> {
    const isSettled = market.result !== undefined;
    const isKnown = this.#markets.has(market.id) && !this.#unpublished.has(market.id);
    this.#unpublished.delete(market.id);
    this.unclear.drop(market.id);
    if (isSettled) {
      this.#markets.delete(market.id);
      this.#quoted.delete(market.id);
    } else this.#markets.set(market.id, market);
    if (isSettled || !isKnown) yield contractMessage(this.#source, at, market);
  }

  /** The messages of books that came in one answer: the prices beside the fair ones, and the ladders that changed. */
  async *quoted(books: readonly QuotedContract[], at: number): AsyncGenerator<JsonObject> {
    const games = new Set<string>();
    for (const quoted of books) {
      const { market } = quoted;
      this.#quoted.set(market.id, quoted);
      games.add(market.game.ref);
      yield* this.#seen(quoted, at);
    }
    for (const ref of games) {
      const all = [...this.#quoted.values()].filter((one) => one.market.game.ref === ref);
      all.sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
      for (const message of bookMessages(this.#source, at, all)) if (this.#isNew(ref, message, at)) yield message;
    }
  }

  async *#seen(quoted: QuotedContract, at: number): AsyncGenerator<JsonObject> {
    const { market, book } = quoted;
    const price = middleOf(book);
    const subject = `seen ${market.id}`;
    if (price === undefined || at - (this.#published.get(subject)?.at ?? Number.NEGATIVE_INFINITY) < SEEN_EVERY) return;
    const fair = await this.#known.fair?.(this.#source, market, at);
    if (!fair) return;
    this.#published.set(subject, { at, fingerprint: '' });
    yield contractMessage(this.#source, at, market, { price, ...fair });
  }

  #isNew(ref: string, message: JsonObject, at: number): boolean {
    const [market] = message['markets'] as readonly JsonObject[];
    const subject = `book ${ref} ${market!['key']} ${market!['alternate'] === true}`;
    const content = fingerprint(canonicalJson({ ...message, at: undefined }));
    const last = this.#published.get(subject);
    if (last?.fingerprint === content && at - last.at < REPEAT_AFTER) return false;
    this.#published.set(subject, { at, fingerprint: content });
    return true;
  }

  /** What was published did not arrive. */
  forget(): void {
    this.#published.clear();
    this.unclear.forget();
    this.#unpublished.clear();
    for (const id of this.#markets.keys()) this.#unpublished.add(id);
  }
}
