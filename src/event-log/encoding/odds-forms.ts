import {
  flag,
  idOfStream,
  list,
  number,
  numberOrNull,
  orJson,
  type Piece,
  table,
  text,
  time,
  tuple,
  word,
} from './positional.ts';
import { object } from './positional-object.ts';

// What these lists hold is part of what has been written: nothing in them may be changed, moved or added.
const outcomeName = word('home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2');
const marketKey = word('h2h', 'spreads', 'totals', 'team_totals');
const scope = word('match', '1H', 'F5', 'S1');

const outcome = [
  { name: 'outcome', of: outcomeName },
  { name: 'price', of: number },
  { name: 'point', of: number, optional: true },
  { name: 'team', of: outcomeName, optional: true },
  { name: 'player', of: text, optional: true },
  { name: 'player_ref', of: text, optional: true },
] as const;
const outcomeWithDecimal = [...outcome, { name: 'decimal', of: number, optional: true }] as const;

const marketOf = (one: Piece) =>
  orJson(
    object([
      { name: 'key', of: marketKey },
      { name: 'scope', of: scope, usual: 'match' },
      { name: 'alternate', of: flag, usual: false },
      { name: 'complete', of: flag, usual: true },
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
    { name: 'turned', of: flag, optional: true },
  ]),
);

const identity = [
  { name: 'eventId', of: idOfStream },
  { name: 'sport', of: text },
  { name: 'league', of: text },
  { name: 'origin', of: origin, optional: true },
] as const;

/** Of a message that came late: what the whole history amounts to. */
const lateOf = (one: Piece) =>
  object([
    {
      name: 'prices',
      of: object([
        { name: 'capturedAt', of: time },
        { name: 'markets', of: table(text, list(one)) },
      ]),
    },
    {
      name: 'movements',
      of: object([
        { name: 'last', of: table(text, tuple(number, numberOrNull)) },
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

const changedOf = (one: Piece): Piece =>
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
  ]);

export const pricesChanged = changedOf(orJson(object(outcome)));
/** Where an outcome has no decimal price it is as long as the form before it. */
export const pricesWithDecimals = changedOf(orJson(object(outcomeWithDecimal)));

export const pricesReconfirmed: Piece = object([
  { name: 'at', of: time },
  { name: 'source', of: text },
  { name: 'of', of: number },
  { name: 'bookmaker', of: text },
  ...identity,
]);
