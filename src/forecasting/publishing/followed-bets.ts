import { type ToldPrices, toldPrices } from '../../../projections/told-prices.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/domain-events.ts';
import { foldOf } from '../../domain/fold.ts';
import { timeOf } from '../../domain/observation.ts';
import { isBefore, type Position, positionOf } from '../../domain/position.ts';
import { type EventSides, hasKnownSides } from '../../domain/side-names.ts';
import { splitsCloseAt } from '../../domain/sports-event.ts';
import { HOUR } from '../../domain/time.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { type Bet, EventBets } from '../../intelligence/event-bets.ts';
import type { ReferenceWeight } from '../../intelligence/prices/books.ts';
import { compareTold } from '../../intelligence/prices/closing-lines.ts';
import type { ToldPrice } from '../../intelligence/prices/quote-board.ts';
import { hasRecommend, renderBet } from '../../read-models/rendering/intelligence.ts';
import type { Forecasts } from '../forecast-book.ts';
import type { ForecastRecord } from '../forecast-record.ts';
import { ToldRecords } from '../told-records.ts';
import { type Publication, type PublishedBets, publicationData, readPublished, Unpublished } from './published-bets.ts';

type Data = DomainEventData['IntelligencePublished'];
type PricedEvent = EventSides & Pick<Data, 'eventId' | 'sport' | 'league'>;

interface Parts {
  readonly event: PricedEvent;
  readonly closesAt: number;
  readonly modelVersion: string | null;
  readonly bets: EventBets;
  readonly prices: ToldRecords;
  readonly published: PublishedBets;
  readonly left: Unpublished;
  readonly facts: Map<number, string[]>;
  readonly read: Position | null;
}

export interface FollowingParts {
  readonly log: Pick<EventLog, 'readStream' | 'readStreams'>;
  readonly forecasts: Forecasts;
  readonly weightOf: ReferenceWeight;
  /** When edges and tiers of a sport are shown; absent: never. */
  readonly record?: Pick<ForecastRecord, 'publicationsOf' | 'onPublications'> | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** Awaited between small pieces of work. */
  readonly rest: () => Promise<void>;
}

/** Appends what is to be published of an event. False: somebody else has published something of it. */
export type Publish = (followed: FollowedBets, data: readonly Data[]) => Promise<boolean>;

/** What is older is history that was brought in. */
const HISTORY = 24 * HOUR;
/** Records of odds that are read at once. */
const PAGE = 256;
/** About what is kept of an event without its prices, and of one bookmaker: bytes. */
const BYTES = 8192;
const BYTES_OF_BOOK = 3072;

/** The bets of one event that is to come, at the end of its log, with what is published of them. */
export class FollowedBets {
  readonly closesAt: number;
  readonly #event: PricedEvent;
  readonly #modelVersion: string | null;
  readonly #bets: EventBets;
  readonly #prices: ToldRecords;
  readonly #published: PublishedBets;
  readonly #left: Unpublished;
  /** Positions of the records of each moment since, by the time. */
  readonly #facts: Map<number, string[]>;
  /** The newest record of its odds that was looked at. */
  #read: Position | null;

  private constructor(parts: Parts) {
    this.closesAt = parts.closesAt;
    this.#event = parts.event;
    this.#modelVersion = parts.modelVersion;
    this.#bets = parts.bets;
    this.#prices = parts.prices;
    this.#published = parts.published;
    this.#left = parts.left;
    this.#facts = parts.facts;
    this.#read = parts.read;
  }

  /**
   * Follows an event from its first record on. Null where it has begun, or a side is not known.
   * @param publish is given what many changes come to, in parts: a long history never stands in memory, nor in one append
   * @returns `overtaken` where it appended nothing, as others had: then the event has to be followed anew
   */
  static async open(
    parts: FollowingParts,
    id: number,
    through: Position | null,
    publish: Publish,
  ): Promise<FollowedBets | 'overtaken' | null> {
    const { log, now, weightOf, record } = parts;
    const facts = new Map<number, string[]>();
    const folded = new Map<string, ToldPrices>();
    const fold = foldOf(toldPrices);
    const own = (await log.readStreams([streams.event(id), streams.lineup(id)])).flat() as DomainRecord[];
    for (const record of own) {
      note(facts, record);
      fold.into(folded, record);
    }
    const known = folded.get(String(id));
    if (!known?.event.schedule || !hasKnownSides(known)) return null;
    const closesAt = splitsCloseAt(known.event);
    if (now() >= closesAt) return null;
    const { sport, sides, described } = known;
    const { league } = own[0]!.data as { league: string };
    const prices = new ToldRecords();
    let read: Position | null = null;
    const told = await readTold(parts, id, (record) => {
      note(facts, record);
      read = positionOf(record.position);
      return prices.take(record);
    });
    const forecasts = await parts.forecasts.of({ id, sport }, undefined);
    const published = await readPublished(log, id);
    const event = { eventId: id, sport, league, sides, described };
    const telling = { render: (bet: Bet) => renderBet(event, bet), hasRecommend };
    const left = new Unpublished(published, telling, now() - HISTORY);
    const bets = new EventBets({
      ...{ sport, closesAt, weightOf, forecasts },
      publications: record?.publicationsOf(sport),
      onChanged: (change) => left.add(change),
    });
    const modelVersion = forecasts?.modelVersion ?? null;
    const followed = new FollowedBets({ event, closesAt, modelVersion, bets, prices, published, left, facts, read });
    for (const one of told.sort(compareTold)) {
      bets.take(one);
      if (left.isMuch && !(await publish(followed, followed.#dataOf(left.takeFresh(), through)))) return 'overtaken';
      await parts.rest();
    }
    prices.keepNewest();
    return followed;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    return BYTES + BYTES_OF_BOOK * this.#prices.size;
  }

  /** Of the stream of what is published. -1: there is none. */
  get revision(): number {
    return this.#published.revision;
  }

  /**
   * Goes on with records of the event's odds, in the order of the log. Those that were looked at already are passed over:
   * who is behind reads a stream to its end, and is told of its last records afterwards.
   * @returns false where one of the others is of a time before what was looked at, or repeats what is not kept: then the
   * event has to be followed anew
   */
  async take(records: readonly DomainRecord[], rest: FollowingParts['rest']): Promise<boolean> {
    const told: ToldPrice[] = [];
    for (const record of records) {
      const position = positionOf(record.position);
      if (!isBefore(this.#read, position)) continue;
      const one = this.#prices.take(record);
      if (!one || one.at <= this.#bets.newest) return false;
      this.#read = position;
      note(this.#facts, record);
      told.push(one);
    }
    for (const one of told.sort(compareTold)) {
      this.#bets.take(one);
      await rest();
    }
    return true;
  }

  /**
   * What has changed materially up to a moment (milliseconds) and is not published, in the order of time.
   * @param through the position up to which the server knew everything
   */
  missing(now: number, through: Position | null): Data[] {
    this.#bets.reach(now);
    const data = this.#dataOf(this.#left.take(), through);
    this.#facts.clear();
    return data;
  }

  #dataOf(publications: readonly Publication[], through: Position | null): Data[] {
    return publications.map((publication) => {
      const facts = this.#facts.get(publication.at) ?? [];
      const grounds = { through: String(through ?? 0n), facts };
      return publicationData(this.#event, this.#modelVersion, publication, grounds);
    });
  }

  /** These stand in the log now. */
  published(data: readonly Data[]): void {
    for (const one of data) this.#published.add(one);
  }
}

function note(facts: Map<number, string[]>, { type, data, position }: DomainRecord): void {
  if (!TOLD.has(type)) return;
  const at = timeOf(data.at);
  const known = facts.get(at);
  if (known) known.push(String(position));
  else facts.set(at, [String(position)]);
}

/** What moves bets. */
const TOLD: ReadonlySet<DomainRecord['type']> = new Set([
  ...(['EventScheduled', 'LineupChanged', 'PricesChanged', 'PricesReconfirmed'] as const),
]);

async function readTold(
  { log, rest }: FollowingParts,
  id: number,
  take: (record: DomainRecord) => ToldPrice | undefined,
): Promise<ToldPrice[]> {
  const told: ToldPrice[] = [];
  for (let fromRevision = 0; ; ) {
    const page = (await log.readStream(streams.odds(id), { fromRevision, limit: PAGE })) as readonly DomainRecord[];
    for (const record of page) {
      const one = take(record);
      if (one) told.push(one);
    }
    if (page.length < PAGE) return told;
    fromRevision += page.length;
    await rest();
  }
}
