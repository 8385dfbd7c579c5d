import { mean, sum } from 'd3-array';
import type { OutrightsDocument } from '../../../../projections/odds/outrights.ts';
import { decimalFromAmerican } from '../../../domain/odds/american-odds.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { offeredOutcomes, readSeasonOutrights, type SeasonMarket } from '../odds/season-outrights.ts';

/** What prices on the end of a season say, beside the chances of the model. */
export const CHANCES = ['title', 'playoffs', 'relegation', 'promotion'] as const;
type Chance = (typeof CHANCES)[number];
export type MarketChances = Readonly<Record<Chance, number | null>>;

/** What messages call these markets. */
const MARKETS: Readonly<Record<Chance, readonly string[]>> = {
  title: ['winner', 'champion', 'championship'],
  playoffs: ['playoffs', 'make_playoffs', 'to_make_playoffs'],
  relegation: ['relegation', 'to_be_relegated'],
  promotion: ['promotion', 'to_be_promoted'],
};

/**
 * What the market expects of each team, as known at the moment: the mean over bookmakers of what is left of their
 * prices without the margin. The prices of a bookmaker that does not list all teams may say less than their margin; they
 * count as they are then.
 * @param places of how many teams each thing comes true; null: it is not known
 */
export async function readMarketChances(
  market: SeasonMarket,
  places: Readonly<Record<Chance, number | null>>,
  context: OperationContext,
): Promise<(team: number) => MarketChances> {
  const { books, namesOf } = await readSeasonOutrights(market, () => true, context);
  const meansOf = (chance: Chance): ReadonlyMap<number, number> => {
    const offered = new Map<number, number[]>();
    for (const book of books.filter((one) => MARKETS[chance].includes(one.market))) {
      for (const [team, probability] of withoutMargin(book, places[chance], (one) => namesOf(one).team_id)) {
        offered.set(team, [...(offered.get(team) ?? []), probability]);
      }
    }
    return new Map([...offered].map(([team, all]) => [team, mean(all)!]));
  };
  const means = Object.fromEntries(CHANCES.map((chance) => [chance, meansOf(chance)]));
  return (team) =>
    Object.fromEntries(CHANCES.map((chance) => [chance, means[chance]!.get(team) ?? null])) as MarketChances;
}

type Outcome = ReturnType<typeof offeredOutcomes>[number];

function withoutMargin(
  book: OutrightsDocument,
  places: number | null,
  teamOf: (outcome: Outcome) => number | undefined,
): (readonly [team: number, probability: number])[] {
  const offered = offeredOutcomes(book).flatMap((outcome) => {
    const team = teamOf(outcome);
    return team === undefined ? [] : [[team, 1 / decimalFromAmerican(outcome.price)] as const];
  });
  const total = sum(offered, ([, probability]) => probability);
  const scale = places !== null && total > places ? places / total : 1;
  return offered.map(([team, probability]) => [team, probability * scale]);
}
