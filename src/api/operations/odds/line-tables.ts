import { z } from 'zod';
import {
  type PeriodOdds,
  type PlayerProps,
  periodOdds,
  playerProps,
  type TeamProps,
  teamProps,
} from '../../../read-models/rendering/market-schemas.ts';
import { answerTable } from '../../calls/operation/table.ts';

/** Tables of lines: one row a line, bookmaker and side. */
const bookmaker = z.string();
const price = z.int().nullable();
const overOrUnder = { bookmaker, side: z.enum(['over', 'under']), price };

type Sides<Side extends string> = Readonly<Record<Side, number | null>>;

/** Each side of a line at each bookmaker. */
const offersOf = <Side extends string>(books: Readonly<Record<string, Sides<Side>>>) =>
  Object.entries(books).flatMap(([book, sides]) =>
    (Object.entries(sides) as [Side, number | null][]).map(([side, offered]) => ({
      bookmaker: book,
      side,
      price: offered,
    })),
  );

const { available: _, period_odds, forecast, ...periodHead } = periodOdds.shape;
const { books: __, probability: ___, ...periodLine } = period_odds.element.shape;
export const periodOddsTable = answerTable(
  z.object({
    ...periodHead,
    ...periodLine,
    bookmaker,
    side: z.enum(['home', 'away', 'over', 'under']),
    price,
    probability: z.number().nullable().optional(),
    forecast,
  }),
  ({ period_odds: lines, ...head }: PeriodOdds) =>
    lines.flatMap(({ books, probability, ...line }) => {
      const chances: Partial<Record<string, number>> = probability ?? {};
      return offersOf(books as Readonly<Record<string, Sides<'home' | 'away' | 'over' | 'under'>>>).map((offer) => ({
        ...head,
        ...line,
        ...offer,
        probability: chances[offer.side],
      }));
    }),
);

const { available: ____, team_props, ...teamHead } = teamProps.shape;
const { books: _____, side: teamSide, team, team_id, ...teamLine } = team_props.element.shape;
export const teamPropsTable = answerTable(
  z.object({ ...teamHead, team, team_id, team_side: teamSide, ...teamLine, ...overOrUnder }),
  ({ team_props: lines, ...head }: TeamProps) =>
    lines.flatMap(({ books, side, ...line }) =>
      offersOf(books).map((offer) => ({ ...head, ...line, team_side: side, ...offer })),
    ),
);

const { available: ______, player_props, ...playerHead } = playerProps.shape;
const { books: _______, ...playerLine } = player_props.element.shape;
export const playerPropsTable = answerTable(
  z.object({ ...playerHead, ...playerLine, ...overOrUnder }),
  ({ player_props: lines, ...head }: PlayerProps) =>
    lines.flatMap(({ books, ...line }) => offersOf(books).map((offer) => ({ ...head, ...line, ...offer }))),
);
