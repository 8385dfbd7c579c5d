import type { Chances } from '../simulation/chances.ts';
import type { Moment } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';
import type { Bookmaker } from './demo-bookmakers.ts';
import {
  alternateLines,
  type Line,
  type MarketKey,
  moneyline,
  type OfferedOutcome,
  outcomesOf,
  spread,
  total,
} from './market-lines.ts';

interface OfferedMarket {
  readonly key: MarketKey;
  readonly alternate?: true;
  readonly outcomes: readonly OfferedOutcome[];
}

/** The markets that one bookmaker changes at one moment. A market without outcomes is withdrawn. */
interface Quote {
  readonly second: number;
  readonly markets: readonly OfferedMarket[];
}

interface QuoteInputs {
  readonly book: Bookmaker;
  readonly sides: Parameters<typeof outcomesOf>[2];
  /** Opinions before the start, at negative seconds, then the game. */
  readonly moments: readonly Moment[];
  readonly random: Random;
}

/** After a key event, bookmakers change prices this soon after their last change, however long their usual pause is. */
const MIN_PAUSE = 40;
/** Factor of the delay before the start, when nobody is in a hurry. */
const EARLY_LAG_FACTOR = 14;

/** The quotes of one bookmaker for a game, from the opening to the end, in order. */
export function quotesOf({ book, sides, moments, random }: QuoteInputs): Quote[] {
  const quotes: Quote[] = [];
  const opinion = random.normal(0, book.ownOpinion);
  const totalOpinion = random.normal(0, book.ownOpinion);
  const open = new Map<MarketKey, Line>();
  /** Markets that have alternate lines now. */
  const withRungs = new Set<MarketKey>();
  let last = Number.NEGATIVE_INFINITY;
  const end = moments.at(-1)!.second;

  const withdraw = (): OfferedMarket[] => [
    ...[...open.keys()].map((key) => ({ key, outcomes: [] })),
    ...withdrawRungs(),
  ];
  function withdrawRungs(): OfferedMarket[] {
    const withdrawn = [...withRungs].map((key) => ({ key, alternate: true as const, outcomes: [] }));
    withRungs.clear();
    return withdrawn;
  }

  function changes(chances: Chances, live: boolean): OfferedMarket[] {
    const lines = {
      h2h: moneyline(chances, book, opinion),
      spreads: spread(chances, opinion, open.get('spreads')?.point),
      totals: total(chances, totalOpinion, open.get('totals')?.point),
    };
    const changed: OfferedMarket[] = live ? withdrawRungs() : [];
    for (const key of ['h2h', 'spreads', 'totals'] as const) {
      const [line, present] = [lines[key], open.get(key)];
      if (line === null) {
        if (present) changed.push({ key, outcomes: [] });
        open.delete(key);
      } else if (differs(line, present, book.leastChange)) {
        open.set(key, line);
        changed.push({ key, outcomes: outcomesOf(line, book, sides) });
        if (live || !book.offersAlternates || key === 'h2h') continue;
        const rungs = alternateLines(line, chances, key === 'totals' ? totalOpinion : opinion);
        changed.push({ key, alternate: true, outcomes: rungs.flatMap((rung) => outcomesOf(rung, book, sides)) });
        withRungs.add(key);
      }
    }
    return changed;
  }

  for (const moment of moments) {
    const live = moment.second >= 0;
    const lag = book.lagSeconds * random.between(0.6, 1.4) * (live ? 1 : EARLY_LAG_FACTOR);
    const second = Math.max(moment.second + lag, last + 1);
    if (second >= end || (!live && second >= -60)) continue;
    const shut = moment.chances === null;
    if (shut && moment.score?.status === 'suspended' && !book.shutsWhenSuspended) continue;
    const leaves = shut || (live && !book.inPlay);
    if (!leaves && second - last < (moment.isKeyEvent ? MIN_PAUSE : book.restSeconds)) continue;
    const markets = leaves ? withdraw() : changes(moment.chances!(), live);
    if (leaves) open.clear();
    if (markets.length === 0) continue;
    quotes.push({ second, markets });
    last = second;
  }
  return quotes;
}

const differs = (line: Line, present: Line | undefined, least: number): boolean =>
  present === undefined ||
  line.point !== present.point ||
  line.probabilities.some((probability, index) => Math.abs(probability - present.probabilities[index]!) >= least);
