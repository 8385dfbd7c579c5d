import { type MainQuotesDocument, mainQuotes } from '../../../projections/odds/main-quotes.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { MINUTE, SECOND } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { computeFairLine } from '../../intelligence/prices/fair-line.ts';
import { freshQuotes, outcomesOf } from '../../intelligence/prices/quotes.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { quotesOf } from '../../read-models/rendering/quotes-of-event.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ReadFairPrices } from '../../sources/provider-base/venue-memory.ts';

/** Before the start prices move slowly; in play an older price is one of another score. */
const MAX_AGE_BEFORE = 15 * MINUTE;
const MAX_AGE_IN_PLAY = 90 * SECOND;

interface FairPriceParts {
  readonly store: Pick<ReadStore, 'get'>;
  readonly identities: Pick<Identities, 'findEvent'>;
  /** The constants: by them a contract is matched to its side, whatever is learnt. */
  readonly weightOf: SharpWeight;
}

/** The fair prices of both sides of a market of an event, by all bookmakers but the venue itself. */
export const createFairPriceReader =
  ({ store, identities, weightOf }: FairPriceParts): ReadFairPrices =>
  async (source, { game, key, side }, now) => {
    const bound = await identities.findEvent(source, game.ref);
    const found = bound && (await store.get<MainQuotesDocument>(mainQuotes.name, String(bound.id)));
    const schedule = found?.document.event.schedule;
    if (!bound || !schedule || isOver(found.document.event.status)) return undefined;
    const maxAge = now < timeOf(schedule.starts_at) ? MAX_AGE_BEFORE : MAX_AGE_IN_PLAY;
    const { sport } = found.document;
    const others = quotesOf(found.document, key).filter(({ book }) => book !== source);
    const line = computeFairLine(freshQuotes(others, now, maxAge), weightOf);
    if (!line?.fair) return undefined;
    const isFirst = side.outcome === 'home' || side.outcome === 'player_1';
    const isSecond = side.outcome === 'away' || side.outcome === 'player_2';
    const isHome = bound.swapped ? isSecond : isFirst;
    if (key === 'totals' && line.line !== side.point) return undefined;
    if (key === 'spreads' && line.line !== (isHome ? side.point : -side.point!)) return undefined;
    const outcome = isFirst || isSecond ? (isHome ? 'home' : 'away') : side.outcome;
    const at = outcomesOf(key, isSoccer(sport)).indexOf(outcome as 'home');
    const { probabilities } = line.fair;
    const own = probabilities[at];
    if (own === undefined) return undefined;
    // A draw could be mistaken for either side; a side for the other one.
    const rest = probabilities.filter((_, index) => index !== at && (outcome === 'draw' || index < 2));
    return { own, other: rest.toSorted((a, b) => Math.abs(a - own) - Math.abs(b - own))[0]! };
  };
