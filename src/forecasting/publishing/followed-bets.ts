import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import { isBefore, type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { type EventSides, hasKnownSides } from '../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readPages } from '../../event-log/storage/read-pages.ts';
import { type Bet, EventBets } from '../../intelligence/event-bets.ts';
import { comparePriceUpdates } from '../../intelligence/prices/closing-lines.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { hasRecommendation, renderBet } from '../../read-models/rendering/render-intelligence.ts';
import { PriceRecords } from '../facts/price-records.ts';
import type { EventForecasts } from '../learning/event-forecasts.ts';
import type { ForecastReader } from '../learning/forecast-reader.ts';
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
  readonly forecasts: EventForecasts | null;
  readonly bets: EventBets;
  readonly prices: PriceRecords;
  readonly published: PublishedBets;
  readonly unpublished: UnpublishedChanges;
  readonly newSalt: NewSalt | undefined;
  /** The positions of the records since the last publication, by the moment of the record. */
  readonly facts: Map<number, string[]>;
}

export interface FollowedBetsParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly forecasts: Pick<ForecastReader, 'forecastsOf'>;
  readonly weightOf: SharpWeight;
  /** When the edges and tiers of a sport are shown; absent: never. */
  readonly trackRecord?: Pick<TrackRecord, 'publicationsOf' | 'onPublications' | 'blendTurnsOf'> | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Salts of what is published, so that it can be sealed. Absent: it is not sealed. */
  readonly newSalt?: NewSalt | undefined;
  /** Awaited between small pieces of work. */
  readonly rest: () => Promise<void>;
}

/** Appends publications of an event. False if another process has published something for the event. */
export type Publish = (followed: FollowedBets, data: readonly Data[]) => Promise<boolean>;

/** Older facts are imported history. */
const HISTORY_AGE = 24 * HOUR;
/** The number of odds records in one read. */
const PAGE = 256;
/** Approximate bytes of an event without its prices, and of one bookmaker. */
const BYTES = 8192;
const BYTES_OF_BOOK = 3072;
/** The order books of a venue: six outcomes, twenty levels a side. */
const BYTES_OF_VENUE = 16_384;

/** The bets of one upcoming event at the end of its log, and which of their changes are published. */
export class FollowedBets {
  readonly closesAt: number;
  readonly #state: FollowedBetsState;
  /** The newest record of the event's odds that was read. */
  #readTo: Position | null;

  private constructor(state: FollowedBetsState, readTo: Position | null) {
    this.closesAt = state.closesAt;
    this.#state = state;
    this.#readTo = readTo;
  }

  /**
   * Follows an event from its first record on. Null if the event has begun, or a side is not known.
   * @param publish called with parts of a long history, so that the history is never in memory or in one append as a
   * whole
   * @returns `overtaken` if another process has published and nothing was appended: then open the event again;
   * `learning` if its league is being learned: then open it when that is done
   */
  static async open(
    parts: FollowedBetsParts,
    id: number,
    through: Position | null,
    publish: Publish,
  ): Promise<FollowedBets | 'overtaken' | 'learning' | null> {
    const { log, now, weightOf, trackRecord } = parts;
    const names = [streams.event(id), streams.lineup(id)].map((name) => log.replacements.current(name));
    const facts = new Map<number, string[]>();
    const folded = new Map<string, EventDocument>();
    const fold = createFold(events);
    for await (const page of readPages(log, names)) {
      for (const record of page as readonly DomainRecord[]) {
        noteFact(facts, record);
        fold.applyInto(folded, record);
        await parts.rest();
      }
    }
    const document = folded.get(String(id));
    if (!document?.event.schedule || !hasKnownSides(document)) return null;
    const closesAt = marketsCloseAt(document.event);
    if (now() >= closesAt) return null;
    const { sport, league, sides, described } = document;
    const prices = new PriceRecords();
    let read: Position | null = null;
    const updates = await readPriceRecords(parts, id, (record) => {
      noteFact(facts, record);
      read = toPosition(record.position);
      return prices.read(record);
    });
    const forecasts = await parts.forecasts.forecastsOf({ id, sport }, undefined);
    if (forecasts === 'learning') return 'learning';
    const published = await readPublishedBets(log, id);
    const event = { eventId: id, sport, league, sides, described };
    const rendering = { render: (bet: Bet) => renderBet(event, bet), hasRecommend: hasRecommendation };
    const unpublished = new UnpublishedChanges(published, rendering, now() - HISTORY_AGE);
    const bets = new EventBets({
      sport,
      closesAt,
      weightOf,
      forecasts,
      publications: trackRecord?.publicationsOf(sport),
      // Asked for anew: a midnight may change the weights while the event is followed.
      get blends() {
        return trackRecord?.blendTurnsOf(sport);
      },
      onChanged: (change) => unpublished.add(change),
    });
    const modelVersion = forecasts?.modelVersion ?? null;
    const followed = new FollowedBets(
      {
        event,
        closesAt,
        modelVersion,
        forecasts,
        bets,
        prices,
        published,
        unpublished,
        newSalt: parts.newSalt,
        facts,
      },
      read,
    );
    for (const update of updates.sort(comparePriceUpdates)) {
      bets.apply(update);
      if (followed.isInterrupted) return 'learning';
      if (unpublished.isFull && !(await publish(followed, followed.#dataOf(unpublished.takeFresh(), through))))
        return 'overtaken';
      await parts.rest();
    }
    prices.keepNewest();
    return followed;
  }

  /** Whether forecasts were missing because the league began to learn: then open the event again, and publish nothing. */
  get isInterrupted(): boolean {
    return this.#state.forecasts?.isInterrupted ?? false;
  }

  /** Approximate bytes in memory. */
  get bytes(): number {
    const { prices, bets } = this.#state;
    return BYTES + BYTES_OF_BOOK * prices.size + BYTES_OF_VENUE * bets.venues;
  }

  /** The revision of the stream of publications; -1 if there is none. */
  get revision(): number {
    return this.#state.published.revision;
  }

  /**
   * Applies records of the event's odds, in the order of the log. Skips records that were already read: a publisher
   * that lags reads a stream to its end, and gets its last records again afterwards.
   * @returns false if a new record is older than the newest update, or repeats a content that is not kept: then open
   * the event again
   */
  async addRecords(records: readonly DomainRecord[], pause: FollowedBetsParts['rest']): Promise<boolean> {
    const updates: PriceUpdate[] = [];
    for (const record of records) {
      const position = toPosition(record.position);
      if (!isBefore(this.#readTo, position)) continue;
      const update = this.#state.prices.read(record);
      if (!update || update.at <= this.#state.bets.newestMoment) return false;
      this.#readTo = position;
      noteFact(this.#state.facts, record);
      updates.push(update);
    }
    for (const update of updates.sort(comparePriceUpdates)) {
      this.#state.bets.apply(update);
      await pause();
    }
    return true;
  }

  /**
   * The material changes up to a moment (milliseconds) that are not published, in the order of time.
   * @param through the position up to which the server knew everything
   */
  takeUnpublished(now: number, through: Position | null): Data[] {
    this.#state.bets.advanceTo(now);
    const data = this.#dataOf(this.#state.unpublished.take(), through);
    this.#state.facts.clear();
    return data;
  }

  #dataOf(publications: readonly Publication[], through: Position | null): Data[] {
    const { newSalt, published } = this.#state;
    const select = newSalt && published.selector(newSalt);
    return publications.map((publication) => {
      const facts = this.#state.facts.get(publication.at) ?? [];
      const grounds = { through: String(through ?? 0n), facts };
      const data = publicationData(this.#state.event, this.#state.modelVersion, publication, grounds);
      if (!newSalt) return data;
      const selections = select!(publication.bets);
      return { ...data, salt: newSalt(), ...(selections.length > 0 && { selections }) };
    });
  }

  /** Notes that these publications are in the log. */
  markPublished(data: readonly Data[]): void {
    for (const one of data) this.#state.published.add(one);
  }
}

function noteFact(facts: Map<number, string[]>, { type, data, position }: DomainRecord): void {
  if (!BET_MOVING_TYPES.has(type)) return;
  const at = timeOf(data.at);
  const known = facts.get(at);
  if (known) known.push(String(position));
  else facts.set(at, [String(position)]);
}

/** The types of records that move bets. */
const BET_MOVING_TYPES: ReadonlySet<DomainRecord['type']> = new Set([
  ...(['EventScheduled', 'LineupChanged', 'PricesChanged', 'PricesReconfirmed'] as const),
]);

async function readPriceRecords(
  { log, rest }: FollowedBetsParts,
  id: number,
  read: (record: DomainRecord) => PriceUpdate | undefined,
): Promise<PriceUpdate[]> {
  const updates: PriceUpdate[] = [];
  const stream = log.replacements.current(streams.odds(id));
  for (let fromRevision = 0; ; ) {
    const page = (await log.readStream(stream, { fromRevision, limit: PAGE })) as readonly DomainRecord[];
    for (const record of page) {
      const update = read(record);
      if (update) updates.push(update);
    }
    if (page.length < PAGE) return updates;
    fromRevision += page.length;
    await rest();
  }
}
