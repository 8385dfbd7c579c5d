import { z } from 'zod';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import {
  type PeriodOdds,
  type PlayerProps,
  periodOdds,
  playerProps,
  type TeamProps,
  teamProps,
} from '../../../read-models/rendering/market-schemas.ts';
import { SUSPECT } from '../../../read-models/rendering/render-odds.ts';
import { answerTable } from '../../calls/operation/table.ts';

/** Tables of lines: one row a line, bookmaker and side. */
const bookmaker = z.string();
const price = z.int().nullable();
const suspect = z.literal(true).optional();
const overOrUnder = { bookmaker, side: z.enum(['over', 'under']), price, suspect };

type Sides<Side extends string> = Readonly<Record<Side, number | null>>;

/** Each side of a line at each bookmaker. */
const offersOf = <Side extends string>(
  books: Readonly<Record<string, Sides<Side>>>,
  suspects: Readonly<Record<string, readonly string[]>> = {},
) =>
  Object.entries(books).flatMap(([book, sides]) =>
    (Object.entries(sides) as [Side, number | null][]).map(([side, offered]) => ({
      bookmaker: book,
      side,
      price: offered,
      ...(ownValue(suspects, book)?.includes(side) ? SUSPECT : undefined),
    })),
  );

const { available: _, period_odds, forecast, ...periodHead } = periodOdds.shape;
const { books: __, probability: ___, suspect: ________, ...periodLine } = period_odds.element.shape;
export const periodOddsTable = answerTable(
  z.object({
    ...periodHead,
    ...periodLine,
    bookmaker,
    side: z.enum(['home', 'away', 'over', 'under']),
    price,
    probability: z.number().nullable().optional(),
    forecast,
    suspect,
  }),
  ({ period_odds: lines, ...head }: PeriodOdds) =>
    lines.flatMap(({ books, probability, suspect: suspects, ...line }) => {
      const chances: Partial<Record<string, number>> = probability ?? {};
      return offersOf(books as Readonly<Record<string, Sides<'home' | 'away' | 'over' | 'under'>>>, suspects).map(
        (offer) => ({
          ...head,
          ...line,
          ...offer,
          probability: chances[offer.side],
        }),
      );
    }),
);

const { available: ____, team_props, ...teamHead } = teamProps.shape;
const { books: _____, suspect: _________, side: teamSide, team, team_id, ...teamLine } = team_props.element.shape;
export const teamPropsTable = answerTable(
  z.object({ ...teamHead, team, team_id, team_side: teamSide, ...teamLine, ...overOrUnder }),
  ({ team_props: lines, ...head }: TeamProps) =>
    lines.flatMap(({ books, suspect: suspects, side, ...line }) =>
      offersOf(books, suspects).map((offer) => ({ ...head, ...line, team_side: side, ...offer })),
    ),
);

const { available: ______, player_props, ...playerHead } = playerProps.shape;
const { books: _______, suspect: __________, ...playerLine } = player_props.element.shape;
export const playerPropsTable = answerTable(
  z.object({ ...playerHead, ...playerLine, ...overOrUnder }),
  ({ player_props: lines, ...head }: PlayerProps) =>
    lines.flatMap(({ books, suspect: suspects, ...line }) =>
      offersOf(books, suspects).map((offer) => ({ ...head, ...line, ...offer })),
    ),
);
