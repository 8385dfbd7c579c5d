import type { DomainEventData } from '../domain/domain-events.ts';
import { streams } from '../domain/domain-events.ts';
import { timeOf } from '../domain/observation.ts';
import { formatTime } from '../domain/time.ts';
import { differMaterially, type MaterialChange, type MaterialNumbers } from '../intelligence/event-bets.ts';
import type { EventLog } from '../log/event-log.ts';
import type { BetIntelligence } from '../rendering/event-schemas.ts';

type Data = DomainEventData['IntelligencePublished'];

/** What is to be published of one moment. */
export interface Publication {
  /** Milliseconds. */
  readonly at: number;
  readonly hasRecommend: boolean | null;
  readonly bets: readonly BetIntelligence[];
}

/** Changes as they are told. */
export interface Telling {
  render(bet: MaterialChange['bets'][number]): BetIntelligence;
  hasRecommend(bets: MaterialChange['bets']): boolean | null;
}

/** What the log holds of one event's published intelligence. */
export class PublishedBets {
  /** Of the stream's last record; -1: there is none. */
  revision = -1;
  #newest = Number.NEGATIVE_INFINITY;
  readonly #bets = new Map<string, BetIntelligence>();

  add({ at, bets }: Pick<Data, 'at' | 'bets'>): void {
    this.revision += 1;
    this.#newest = Math.max(this.#newest, timeOf(at));
    for (const bet of bets as unknown as readonly BetIntelligence[]) this.#bets.set(bet.bet_type, bet);
  }

  /**
   * What is left to publish of an event's changes, in the order of time.
   *
   * What was published stands, also where a fact that came late tells the time before it otherwise. So of moments that are
   * past only those bets are told again that now stand materially otherwise than they were told last.
   * @param changes from the first on, or those since the last ones that were published
   */
  missing(changes: readonly MaterialChange[], { render, hasRecommend }: Telling): Publication[] {
    const lastChange = new Map<string, number>();
    for (const { at, bets } of changes) {
      for (const { token, computedAt } of bets) if (computedAt === at) lastChange.set(token.bet_type, at);
    }
    const past = changes.findLast(({ at }) => at <= this.#newest);
    return changes.flatMap((change) => {
      const { at } = change;
      const changed = change.bets.filter(({ computedAt }) => computedAt === at);
      if (at > this.#newest) return { at, hasRecommend: hasRecommend(change.bets), bets: changed.map(render) };
      const standing = changed.filter(({ token }) => lastChange.get(token.bet_type) === at).map(render);
      const bets = standing.filter((bet) => this.#isOtherwise(bet));
      return bets.length > 0 ? { at, hasRecommend: hasRecommend(past!.bets), bets } : [];
    });
  }

  #isOtherwise(bet: BetIntelligence): boolean {
    const told = this.#bets.get(bet.bet_type);
    return differMaterially(told ? numbersOf(told) : null, numbersOf(bet));
  }
}

function numbersOf({ market, probability, fair, ev, tier, narrative }: BetIntelligence): MaterialNumbers {
  return { market, forecast: probability === null ? null : { probability }, fair, ev, tier, narrative };
}

/** So many records are read at once. */
const PAGE = 100;

export async function readPublished(log: Pick<EventLog, 'readStream'>, id: number): Promise<PublishedBets> {
  const published = new PublishedBets();
  for (;;) {
    const page = await log.readStream(streams.intelligence(id), { fromRevision: published.revision + 1, limit: PAGE });
    for (const { data } of page) published.add(data as Data);
    if (page.length < PAGE) return published;
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
