import { timeOf } from '../../domain/observations/observation.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import type { DomainEventData } from '../../domain/streams/domain-events.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import type { PublishedSelection } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { isSelected } from '../../intelligence/evaluation/publication-rule.ts';
import { differsMaterially, type MaterialChange, type MaterialNumbers } from '../../intelligence/event-bets.ts';
import type { BetIntelligence } from '../../read-models/rendering/event-schemas.ts';

type Data = DomainEventData['IntelligencePublished'];

/** What is to be published for one moment. */
export interface Publication {
  /** Milliseconds. */
  readonly at: number;
  readonly hasRecommend: boolean | null;
  readonly bets: readonly BetIntelligence[];
}

/** Renders changes for publication. */
interface BetRendering {
  render(bet: MaterialChange['bets'][number]): BetIntelligence;
  hasRecommend(bets: MaterialChange['bets']): boolean | null;
}

/** What the log holds of one event's published intelligence. */
export class PublishedBets {
  /** The revision of the stream's last record; -1 if there is none. */
  revision = -1;
  #newest = Number.NEGATIVE_INFINITY;
  readonly #bets = new Map<string, BetIntelligence>();
  /** The types of the bets that were selected. */
  readonly #selected = new Set<string>();

  /** The latest moment for which something was published, in milliseconds. */
  get newest(): number {
    return this.#newest;
  }

  add({ at, bets, selections = [] }: Pick<Data, 'at' | 'bets' | 'selections'>): void {
    this.revision += 1;
    for (const { bet_type } of selections) this.#selected.add(bet_type);
    this.#newest = Math.max(this.#newest, timeOf(at));
    for (const bet of bets as unknown as readonly BetIntelligence[]) this.#bets.set(bet.bet_type, bet);
  }

  /** Selects among the bets of publications that are to be appended, in their order: each bet of the event once. */
  selector(newSalt: NewSalt): (bets: readonly BetIntelligence[]) => readonly PublishedSelection[] {
    const selected = new Set(this.#selected);
    return (bets) =>
      bets.flatMap(({ bet_type, probability, fair, market, best }) => {
        if (probability === null || fair === null || selected.has(bet_type)) return [];
        if (!isSelected(probability, fair.probability)) return [];
        selected.add(bet_type);
        const price = best && { book: best.book, price: best.price };
        const { line } = market;
        return [{ bet_type, line, probability, fair_probability: fair.probability, best: price, salt: newSalt() }];
      });
  }

  /** Whether a bet differs materially from its last publication. */
  hasChanged(bet: BetIntelligence): boolean {
    const last = this.#bets.get(bet.bet_type);
    return differsMaterially(last ? numbersOf(last) : null, numbersOf(bet));
  }
}

/** The maximum number of new publications of one event before they are appended. */
const MAX_FRESH = 256;

/**
 * The unpublished changes of an event. Changes are added in the order of time.
 *
 * Publications are final, even if a late fact changes the time before them. For a moment in the past, only those bets
 * are published again that now differ materially from their last publication. Imported history is published in the same
 * way: only the last state of each bet, without the steps before it.
 */
export class UnpublishedChanges {
  readonly #published: PublishedBets;
  readonly #rendering: BetRendering;
  readonly #historyUntil: number;
  #fresh: Publication[] = [];
  /** The last past change of each bet, in the order of time. Of the past, only last changes are published. */
  readonly #past = new Map<string, { readonly at: number; readonly bet: MaterialChange['bets'][number] }>();
  #lastPast: MaterialChange | undefined;

  /** @param historyUntil changes up to this moment (milliseconds) are history */
  constructor(published: PublishedBets, rendering: BetRendering, historyUntil: number) {
    this.#published = published;
    this.#rendering = rendering;
    this.#historyUntil = historyUntil;
  }

  add(change: MaterialChange): void {
    const { at } = change;
    const changed = change.bets.filter(({ computedAt }) => computedAt === at);
    for (const { token } of changed) this.#past.delete(token.bet_type);
    if (at > this.#published.newest && at > this.#historyUntil) {
      const { hasRecommend, render } = this.#rendering;
      this.#fresh.push({ at, hasRecommend: hasRecommend(change.bets), bets: changed.map(render) });
      return;
    }
    this.#lastPast = change;
    for (const bet of changed) this.#past.set(bet.token.bet_type, { at, bet });
  }

  /** Whether the new publications should be appended before more changes are added. */
  get isFull(): boolean {
    return this.#fresh.length >= MAX_FRESH;
  }

  /** Takes the new publications. Those of the past are known only at the end. */
  takeFresh(): Publication[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** Takes all publications, when every change was added. */
  take(): Publication[] {
    const past = new Map<number, BetIntelligence[]>();
    for (const { at, bet } of this.#past.values()) {
      const rendered = this.#rendering.render(bet);
      if (this.#published.hasChanged(rendered)) past.set(at, [...(past.get(at) ?? []), rendered]);
    }
    this.#past.clear();
    const hasRecommend = this.#lastPast ? this.#rendering.hasRecommend(this.#lastPast.bets) : null;
    return [...[...past].map(([at, bets]) => ({ at, hasRecommend, bets })), ...this.takeFresh()];
  }
}

function numbersOf({ market, probability, fair, ev, tier, narrative }: BetIntelligence): MaterialNumbers {
  return { market, forecast: probability === null ? null : { probability }, fair, ev, tier, narrative };
}

/** The number of records in one read. */
const PUBLICATIONS_PER_PAGE = 100;

export async function readPublishedBets(
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  id: number,
): Promise<PublishedBets> {
  const published = new PublishedBets();
  const stream = log.replacements.current(streams.intelligence(id));
  for (;;) {
    const page = await log.readStream(stream, {
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
    eventId: event.eventId,
    sport: event.sport,
    league: event.league,
    at: formatTime(at),
    source: 'ledgerline',
    model_version,
    has_recommend: hasRecommend,
    bets,
    grounds,
  };
}
