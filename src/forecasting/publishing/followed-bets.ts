import { type PriceHistory, priceHistory } from '../../../projections/odds/price-history.ts';
import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import { isBefore, type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import { type EventSides, hasKnownSides } from '../../domain/side-profiles.ts';
import { splitsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { type Bet, EventBets } from '../../intelligence/event-bets.ts';
import { comparePriceUpdates } from '../../intelligence/prices/closing-lines.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { hasRecommendation, renderBet } from '../../read-models/rendering/render-intelligence.ts';
import { PriceRecords } from '../facts/price-records.ts';
import type { ForecastReader } from '../learning/forecast-service.ts';
import type { TrackRecord } from '../track-record/track-record.ts';
import {
  type Publication,
  type PublishedBets,
  publicationData,
  readPublishedBets,
  UnpublishedChanges,
} from './published-bets.ts';

type Data = DomainEventData['IntelligencePublished'];
type PricedEvent = EventSides & Pick<Data, 'eventId' | 'sport' | 'league'>;

interface FollowedBetsState {
  readonly event: PricedEvent;
  readonly closesAt: number;
  readonly modelVersion: string | null;
  readonly bets: EventBets;
  readonly prices: PriceRecords;
  readonly published: PublishedBets;
  readonly left: UnpublishedChanges;
  readonly facts: Map<number, string[]>;
  readonly read: Position | null;
}

export interface FollowedBetsParts {
  readonly log: Pick<EventLog, 'readStream' | 'readStreams'>;
  readonly forecasts: ForecastReader;
  readonly weightOf: SharpWeight;
  /** When edges and tiers of a sport are shown; absent: never. */
  readonly trackRecord?: Pick<TrackRecord, 'publicationsOf' | 'onPublications'> | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** Awaited between small pieces of work. */
  readonly rest: () => Promise<void>;
}

/** Appends what is to be published of an event. False: somebody else has published something of it. */
export type Publish = (followed: FollowedBets, data: readonly Data[]) => Promise<boolean>;

/** What is older is history that was brought in. */
const HISTORY_AGE = 24 * HOUR;
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
  readonly #prices: PriceRecords;
  readonly #published: PublishedBets;
  readonly #left: UnpublishedChanges;
  /** Positions of the records of each moment since, by the time. */
  readonly #facts: Map<number, string[]>;
  /** The newest record of its odds that was looked at. */
  #read: Position | null;

  private constructor(parts: FollowedBetsState) {
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
    parts: FollowedBetsParts,
    id: number,
    through: Position | null,
    publish: Publish,
  ): Promise<FollowedBets | 'overtaken' | null> {
    const { log, now, weightOf, trackRecord } = parts;
    const facts = new Map<number, string[]>();
    const folded = new Map<string, PriceHistory>();
    const fold = createFold(priceHistory);
    const own = (await log.readStreams([streams.event(id), streams.lineup(id)])).flat() as DomainRecord[];
    for (const record of own) {
      noteFact(facts, record);
      fold.applyInto(folded, record);
    }
    const known = folded.get(String(id));
    if (!known?.event.schedule || !hasKnownSides(known)) return null;
    const closesAt = splitsCloseAt(known.event);
    if (now() >= closesAt) return null;
    const { sport, sides, described } = known;
    const { league } = own[0]!.data as { league: string };
    const prices = new PriceRecords();
    let read: Position | null = null;
    const told = await readPriceRecords(parts, id, (record) => {
      noteFact(facts, record);
      read = toPosition(record.position);
      return prices.read(record);
    });
    const forecasts = await parts.forecasts.forecastsOf({ id, sport }, undefined);
    const published = await readPublishedBets(log, id);
    const event = { eventId: id, sport, league, sides, described };
    const telling = { render: (bet: Bet) => renderBet(event, bet), hasRecommend: hasRecommendation };
    const left = new UnpublishedChanges(published, telling, now() - HISTORY_AGE);
    const bets = new EventBets({
      ...{ sport, closesAt, weightOf, forecasts },
      publications: trackRecord?.publicationsOf(sport),
      onChanged: (change) => left.add(change),
    });
    const modelVersion = forecasts?.modelVersion ?? null;
    const followed = new FollowedBets({ event, closesAt, modelVersion, bets, prices, published, left, facts, read });
    for (const one of told.sort(comparePriceUpdates)) {
      bets.apply(one);
      if (left.isFull && !(await publish(followed, followed.#dataOf(left.takeFresh(), through)))) return 'overtaken';
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
  async addRecords(records: readonly DomainRecord[], rest: FollowedBetsParts['rest']): Promise<boolean> {
    const told: PriceUpdate[] = [];
    for (const record of records) {
      const position = toPosition(record.position);
      if (!isBefore(this.#read, position)) continue;
      const one = this.#prices.read(record);
      if (!one || one.at <= this.#bets.newestMoment) return false;
      this.#read = position;
      noteFact(this.#facts, record);
      told.push(one);
    }
    for (const one of told.sort(comparePriceUpdates)) {
      this.#bets.apply(one);
      await rest();
    }
    return true;
  }

  /**
   * What has changed materially up to a moment (milliseconds) and is not published, in the order of time.
   * @param through the position up to which the server knew everything
   */
  takeUnpublished(now: number, through: Position | null): Data[] {
    this.#bets.advanceTo(now);
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
  markPublished(data: readonly Data[]): void {
    for (const one of data) this.#published.add(one);
  }
}

function noteFact(facts: Map<number, string[]>, { type, data, position }: DomainRecord): void {
  if (!BET_MOVING_TYPES.has(type)) return;
  const at = timeOf(data.at);
  const known = facts.get(at);
  if (known) known.push(String(position));
  else facts.set(at, [String(position)]);
}

/** What moves bets. */
const BET_MOVING_TYPES: ReadonlySet<DomainRecord['type']> = new Set([
  ...(['EventScheduled', 'LineupChanged', 'PricesChanged', 'PricesReconfirmed'] as const),
]);

async function readPriceRecords(
  { log, rest }: FollowedBetsParts,
  id: number,
  take: (record: DomainRecord) => PriceUpdate | undefined,
): Promise<PriceUpdate[]> {
  const told: PriceUpdate[] = [];
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
