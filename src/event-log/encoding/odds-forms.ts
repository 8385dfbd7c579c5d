import { depth, leagueName, sportName, venueName } from './ladder-forms.ts';
import {
  boolean,
  dictionary,
  list,
  type Member,
  number,
  numberOrNull,
  object,
  oneOf,
  orJson,
  type PositionalCodec,
  streamId,
  text,
  time,
  tuple,
} from './positional-codec.ts';
import { ofOneMarket } from './venue-forms.ts';

// Stored records depend on the members of these lists and on their order. Never change, move or add a member.
const outcomeName = oneOf('home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2');
const marketKey = oneOf('h2h', 'spreads', 'totals', 'team_totals');
const scope = oneOf('match', '1H', 'F5', 'S1');

const outcome = [
  { name: 'outcome', of: outcomeName },
  { name: 'price', of: number },
  { name: 'point', of: number, optional: true },
  { name: 'team', of: outcomeName, optional: true },
  { name: 'player', of: text, optional: true },
  { name: 'player_ref', of: text, optional: true },
] as const;
const outcomeWithDecimal = [...outcome, { name: 'decimal', of: number, optional: true }] as const;

const marketOf = (one: PositionalCodec) =>
  orJson(
    object([
      { name: 'key', of: marketKey },
      { name: 'scope', of: scope, usual: 'match' },
      { name: 'alternate', of: boolean, usual: false },
      { name: 'complete', of: boolean, usual: true },
      { name: 'outcomes', of: list(one) },
    ]),
  );

const origin = orJson(
  object([
    { name: 'ref', of: text, optional: true },
    {
      name: 'match',
      of: orJson(
        object([
          { name: 'sport', of: text },
          { name: 'league', of: text },
          { name: 'starts_at', of: time },
          { name: 'home', of: text, optional: true },
          { name: 'away', of: text, optional: true },
          { name: 'player_1', of: text, optional: true },
          { name: 'player_2', of: text, optional: true },
        ]),
      ),
      optional: true,
    },
    { name: 'turned', of: boolean, optional: true },
  ]),
);

const identity = [
  { name: 'eventId', of: streamId },
  { name: 'sport', of: text },
  { name: 'league', of: text },
  { name: 'origin', of: origin, optional: true },
] as const;

/** The `late` member of a late message: the state that results from the whole history. */
const lateOf = (one: PositionalCodec) =>
  object([
    {
      name: 'prices',
      of: object([
        { name: 'capturedAt', of: time },
        { name: 'markets', of: dictionary(text, list(one)) },
      ]),
    },
    {
      name: 'movements',
      of: object([
        { name: 'last', of: dictionary(text, tuple(number, numberOrNull)) },
        {
          name: 'movements',
          of: list(
            object([
              { name: 'market', of: marketKey },
              { name: 'outcome', of: outcomeName },
              { name: 'from', of: number },
              { name: 'to', of: number },
              { name: 'pointFrom', of: numberOrNull },
              { name: 'pointTo', of: numberOrNull },
              { name: 'at', of: time },
            ]),
          ),
        },
      ]),
    },
  ]);

const changedOf = (one: PositionalCodec, ...more: readonly Member[]): PositionalCodec =>
  object([
    { name: 'at', of: time },
    { name: 'source', of: text },
    {
      name: 'content',
      of: object([
        { name: 'bookmaker', of: text },
        { name: 'markets', of: list(marketOf(one)) },
      ]),
    },
    { name: 'late', of: lateOf(one), optional: true },
    ...identity,
    ...more,
  ]);

export const pricesChanged = changedOf(orJson(object(outcome)));
/** If an outcome has no decimal price, this form is as short as `pricesChanged`. */
export const pricesWithDecimals = changedOf(orJson(object(outcomeWithDecimal)));

export const pricesReconfirmed: PositionalCodec = object([
  { name: 'at', of: time },
  { name: 'source', of: text },
  { name: 'of', of: number },
  { name: 'bookmaker', of: text },
  ...identity,
]);

export const pricesWithDepth = changedOf(orJson(object(outcomeWithDecimal)), depth);

/** A change of a ladder at unchanged prices: venues make a hundred of them for one price that moves. */
export const pricesReconfirmedWithDepth: PositionalCodec = object([
  { name: 'at', of: time },
  { name: 'source', of: venueName },
  { name: 'of', of: number },
  { name: 'bookmaker', of: venueName },
  { name: 'eventId', of: streamId },
  { name: 'sport', of: sportName },
  { name: 'league', of: leagueName },
  { name: 'origin', of: origin, optional: true },
  depth,
]);

export const pricesOfVenues = ofOneMarket({ isAgain: false });
export const pricesReconfirmedOfVenues = ofOneMarket({ isAgain: true });
