import type { Bookmaker } from '../bookmakers/demo-bookmakers.ts';
import { pricesWithMargin, total } from '../bookmakers/market-lines.ts';
import { SPORT_BOXES } from '../boxes/box-scores.ts';
import type { Expectation } from '../boxes/box-tally.ts';
import type { Step } from '../boxes/played-game.ts';
import type { Pair } from '../simulation/chances.ts';
import { type Expected, type GrowingTotal, growingTotal } from './market-scopes.ts';
import type { SecondaryMarket, SecondaryOutcome, SecondaryQuoteInputs } from './secondary-market.ts';

/** Additional margin in markets of players. */
const PLAYERS_MARGIN = 0.02;
/** Deviation of a bookmaker's own opinion of a player, as a share of the expected value. */
const OPINION = 0.035;
/** Minimum changes of a probability that are followed before the start and in play, and the limits of probabilities
 *  that are still followed. */
const FOLLOWED_BEFORE_START = 0.03;
const FOLLOWED_IN_PLAY = 0.09;
const DECIDED = 0.965;
/** Number of offered players of each side, in sports where everybody scores. */
const SCORERS = 2;

interface OpenProp extends Expectation {
  readonly point: number;
  /** Last offered probability of more than the point. */
  over: number;
  /** Whether the point has just changed. */
  moved: boolean;
}

/** Prices of player lines. The lines stay as at the start; only their prices follow the game. */
export function createPlayerPropPricer({ sport, book, lineUps, boxes, random }: SecondaryQuoteInputs) {
  const opinions = new Map<string, number>();
  let props: OpenProp[] = [];
  const opinionOf = ({ member, stat }: Expectation): number => {
    const name = `${member.ref} ${stat}`;
    const opinion = opinions.get(name) ?? random.normal(0, OPINION);
    opinions.set(name, opinion);
    return opinion;
  };
  const marketsOf = (changed: readonly OpenProp[]): SecondaryMarket[] =>
    [...new Set(changed.map(({ stat }) => stat))].map((key) => {
      // A changed line replaces the earlier one only if the message states the whole market.
      const whole = changed.some(({ stat, moved }) => stat === key && moved);
      return {
        key,
        ...(whole ? {} : { complete: false as const }),
        outcomes: (whole ? props : changed)
          .filter(({ stat }) => stat === key)
          .flatMap((prop) => outcomesOfProp(prop, book)),
      };
    });
  return {
    open(expected: Expected): SecondaryMarket[] {
      const scored: Pair = [(expected.total + expected.margin) / 2, (expected.total - expected.margin) / 2];
      const all = mostOffered(SPORT_BOXES[sport].expectations!(lineUps, scored));
      const changed: OpenProp[] = [];
      props = all.flatMap((prop) => {
        const mean = prop.mean * (1 + opinionOf(prop));
        const present = props.find(({ member, stat }) => member === prop.member && stat === prop.stat);
        const line = total(growingTotal(0, mean, prop.deviation), 0, present?.point);
        if (!line) return present ? [present] : [];
        const [point, over] = [line.point!, line.probabilities[0]!];
        const moved = present?.point !== point;
        if (present && !moved && Math.abs(over - present.over) < FOLLOWED_BEFORE_START) return [present];
        const news = { ...prop, mean, point, over, moved };
        changed.push(news);
        return [news];
      });
      return marketsOf(changed);
    },
    follow({ second }: Step, left: number): SecondaryMarket[] {
      const box = boxes.findLast((one) => one.second <= second);
      const rows = new Map(box?.players.map((row) => [row.ref, row.stats]));
      const changed = props.filter((prop) => {
        const stats = rows.get(prop.member.ref);
        if (!stats) return false;
        const over = ofProp(prop, currentStat(stats, prop.stat), left).over(prop.point);
        const wasDecided = Math.max(prop.over, 1 - prop.over) > DECIDED;
        if (wasDecided || Math.abs(over - prop.over) < FOLLOWED_IN_PLAY) return false;
        prop.over = over;
        prop.moved = false;
        return true;
      });
      return marketsOf(changed);
    },
  };
}

const ofProp = ({ mean, deviation }: Expectation, current: number, left: number): GrowingTotal =>
  growingTotal(current, mean * left, deviation === undefined ? undefined : deviation * Math.sqrt(left));

function outcomesOfProp({ member, point, over }: OpenProp, book: Bookmaker): SecondaryOutcome[] {
  const prices = pricesWithMargin([over, 1 - over], book.margin + PLAYERS_MARGIN, book.step);
  const who = { player: member.name, player_ref: member.ref };
  return (['over', 'under'] as const).map((outcome, index) => ({ outcome, price: prices[index]!, point, ...who }));
}

/** In sports where everybody scores: the players of each side who score most. */
function mostOffered(all: readonly Expectation[]): Expectation[] {
  const offered = new Set(
    [0, 1].flatMap((side) =>
      all
        .filter((one) => one.side === side && one.stat === 'points_rebounds_assists')
        .sort((a, b) => b.mean - a.mean)
        .slice(0, SCORERS)
        .map(({ member }) => member),
    ),
  );
  return offered.size === 0 ? [...all] : all.filter(({ member }) => offered.has(member));
}

/** Statistics that no box score states, with their parts. */
const COMBINED: Readonly<Record<string, readonly string[]>> = {
  points_rebounds_assists: ['points', 'rebounds', 'assists'],
  touchdowns: ['rushing_touchdowns', 'receiving_touchdowns'],
};

/** A player's current value. */
function currentStat(stats: Readonly<Record<string, number>>, stat: string): number {
  if (stat === 'total_bases') return totalBases(stats);
  return (COMBINED[stat] ?? [stat]).reduce((sum, part) => sum + (stats[part] ?? 0), 0);
}
const totalBases = ({ hits = 0, doubles = 0, triples = 0, home_runs = 0 }: Readonly<Record<string, number>>): number =>
  hits + doubles + 2 * triples + 3 * home_runs;
