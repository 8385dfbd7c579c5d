import { timeOf } from '../../domain/observations/observation.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { DomainEventData } from '../../domain/streams/domain-events.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { differsMaterially, type MaterialChange, type MaterialNumbers } from '../../intelligence/event-bets.ts';
import type { BetIntelligence } from '../../read-models/rendering/event-schemas.ts';

type Data = DomainEventData['IntelligencePublished'];

/** What is to be published of one moment. */
export interface Publication {
  /** Milliseconds. */
  readonly at: number;
  readonly hasRecommend: boolean | null;
  readonly bets: readonly BetIntelligence[];
}

/** Changes as they are told. */
interface BetRendering {
  render(bet: MaterialChange['bets'][number]): BetIntelligence;
  hasRecommend(bets: MaterialChange['bets']): boolean | null;
}

/** What the log holds of one event's published intelligence. */
export class PublishedBets {
  /** Of the stream's last record; -1: there is none. */
  revision = -1;
  #newest = Number.NEGATIVE_INFINITY;
  readonly #bets = new Map<string, BetIntelligence>();

  /** The latest moment of which something was published, in milliseconds. */
  get newest(): number {
    return this.#newest;
  }

  add({ at, bets }: Pick<Data, 'at' | 'bets'>): void {
    this.revision += 1;
    this.#newest = Math.max(this.#newest, timeOf(at));
    for (const bet of bets as unknown as readonly BetIntelligence[]) this.#bets.set(bet.bet_type, bet);
  }

  /** Whether a bet stands materially otherwise than it was told last. */
  hasChanged(bet: BetIntelligence): boolean {
    const told = this.#bets.get(bet.bet_type);
    return differsMaterially(told ? numbersOf(told) : null, numbersOf(bet));
  }
}

/** So many publications of one event are kept before they are appended. */
const MAX_FRESH = 256;

/**
 * What is left to publish of an event's changes, which come in the order of time.
 *
 * What was published stands, also where a fact that came late tells the time before it otherwise. So of moments that are
 * past only those bets are told again that now stand materially otherwise than they were told last. History that is
 * brought in is told the same way: where each bet has come to, and no step on the way.
 */
export class UnpublishedChanges {
  readonly #published: PublishedBets;
  readonly #telling: BetRendering;
  readonly #newsFrom: number;
  #fresh: Publication[] = [];
  /** The last change of each bet in the time of which not every change is told, in the order of time. */
  readonly #past = new Map<string, { readonly at: number; readonly bet: MaterialChange['bets'][number] }>();
  #lastPast: MaterialChange | undefined;

  /** @param newsFrom changes up to this moment (milliseconds) are history */
  constructor(published: PublishedBets, telling: BetRendering, newsFrom: number) {
    this.#published = published;
    this.#telling = telling;
    this.#newsFrom = newsFrom;
  }

  add(change: MaterialChange): void {
    const { at } = change;
    const changed = change.bets.filter(({ computedAt }) => computedAt === at);
    for (const { token } of changed) this.#past.delete(token.bet_type);
    if (at > this.#published.newest && at > this.#newsFrom) {
      const { hasRecommend, render } = this.#telling;
      this.#fresh.push({ at, hasRecommend: hasRecommend(change.bets), bets: changed.map(render) });
      return;
    }
    this.#lastPast = change;
    for (const bet of changed) this.#past.set(bet.token.bet_type, { at, bet });
  }

  /** Whether so much is to be told that it should be, before more is looked at. */
  get isFull(): boolean {
    return this.#fresh.length >= MAX_FRESH;
  }

  /** Takes what is to be told of each change; of the past it is known at the end. */
  takeFresh(): Publication[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** Takes all that is to be told, when every change is known. */
  take(): Publication[] {
    const past = new Map<number, BetIntelligence[]>();
    for (const { at, bet } of this.#past.values()) {
      const told = this.#telling.render(bet);
      if (this.#published.hasChanged(told)) past.set(at, [...(past.get(at) ?? []), told]);
    }
    this.#past.clear();
    const hasRecommend = this.#lastPast ? this.#telling.hasRecommend(this.#lastPast.bets) : null;
    return [...[...past].map(([at, bets]) => ({ at, hasRecommend, bets })), ...this.takeFresh()];
  }
}

function numbersOf({ market, probability, fair, ev, tier, narrative }: BetIntelligence): MaterialNumbers {
  return { market, forecast: probability === null ? null : { probability }, fair, ev, tier, narrative };
}

/** So many records are read at once. */
const PUBLICATIONS_PER_PAGE = 100;

export async function readPublishedBets(log: Pick<EventLog, 'readStream'>, id: number): Promise<PublishedBets> {
  const published = new PublishedBets();
  for (;;) {
    const page = await log.readStream(streams.intelligence(id), {
      fromRevision: published.revision + 1,
      limit: PUBLICATIONS_PER_PAGE,
    });
    for (const { data } of page) published.add(data as Data);
    if (page.length < PUBLICATIONS_PER_PAGE) return published;
  }
}

/** @param through the position up to which the server knew everything */
export function publicationData(
  event: Pick<Data, 'eventId' | 'sport' | 'league'>,
  model_version: string | null,
  { at, hasRecommend, bets }: Publication,
  grounds: Data['grounds'],
): Data {
  return {
    ...{ eventId: event.eventId, sport: event.sport, league: event.league },
    ...{ at: formatTime(at), source: 'ledgerline', model_version, has_recommend: hasRecommend },
    ...{ bets, grounds },
  };
}
