import { z } from 'zod';
import { type OddsDocument, odds } from '../../../projections/odds.ts';
import { MINUTE } from '../../domain/time.ts';
import { breathe } from '../../platform/time/breathe.ts';
import type { Operation, OperationContext } from '../calls/operation.ts';
import { readDocument } from '../operations/reading.ts';
import { type AskedWhat, askedEvents, type PathForm, readAsked, sportOf } from './asked.ts';
import type { Listed, Moment } from './listed-events.ts';
import { participantsOf } from './listed-participants.ts';
import { creditsOfBooks, type Given, type Include, type ParameterName, readParameters } from './query-parameters.ts';
import { shownEvent, shownScore, shownTime } from './shown-events.ts';
import { type PricesShown, shownOdds } from './shown-odds.ts';
import type { SportKey } from './sports.ts';
import { sportsList } from './sports-list.ts';

/** The base of all paths. */
export const BASE = '/compat/the-odds-api/v4';

/** What a call gives. */
interface PathDefinition {
  readonly name: string;
  /** Below `BASE`, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The most that a call costs. */
  readonly most: (given: Given) => number;
  /** Whether there is anything in the answer that is paid for. */
  readonly isPaid: (answer: any) => boolean;
  /** @throws OddsApiError for what path and parameters tell; it comes before credits */
  readonly judge: (given: Given, context: OperationContext) => Promise<unknown>;
  readonly run: (given: Given, context: OperationContext) => Promise<unknown>;
}

/** Of a historical answer: when the log begins, in milliseconds; null while it is empty. */
export type LogBegin = () => Promise<number | null>;

const given = z.record(z.string(), z.string());

/** A path as an operation: it passes all stages of a call. It is no endpoint of this server's own API, and no tool. */
const operationOf = ({ name, path, summary, most, isPaid, judge, run }: PathDefinition): Operation<any, Given> => ({
  name: `odds_api_${name}`,
  method: 'GET',
  path: `${BASE}${path}`,
  tag: 'The Odds API',
  summary,
  restOnly: true,
  input: { query: given },
  output: z.unknown(),
  price: {
    says: 'As The Odds API, in credits of this server',
    of: (input, output) => (isPaid(output) ? most(input) : 0),
    bounds: (input) => ({ min: 0, max: most(input) }),
  },
  judge: async (input, context) => {
    await judge(input, context);
  },
  run: (input, context) => run(input, context),
});

const INCLUDES: readonly Include[] = [
  ...(['includeLinks', 'includeSids', 'includeBetLimits', 'includeMultipliers', 'includeRotationNumbers'] as const),
];
const OF_ODDS: readonly ParameterName[] = ['books', 'markets', 'dateFormat', 'oddsFormat', ...INCLUDES];
const OF_LISTS: readonly ParameterName[] = ['eventIds', 'commenceTimes'];

/** The ten paths, as operations. */
export function oddsApiOperations(logBegin: LogBegin): readonly Operation<any, Given>[] {
  const ODDS = { hasUpcoming: true, takes: [...OF_ODDS, ...OF_LISTS] } as const;
  const EVENTS = { hasUpcoming: true, takes: ['dateFormat', ...OF_LISTS, 'includeRotationNumbers'] } as const;
  const EVENT_ODDS = { takes: [...OF_ODDS, 'eventId'], hasAllMarkets: true } as const;
  const isQuoted = ({ bookmakers }: { readonly bookmakers: readonly unknown[] }): boolean => bookmakers.length > 0;
  const anyQuoted = (events: readonly { readonly bookmakers: readonly unknown[] }[]) => events.some(isQuoted);
  const isAny = (list: readonly unknown[]): boolean => list.length > 0;
  const one = () => 1;
  const free = { most: () => 0, isPaid: () => false };
  const ofBooks = { most: creditsOfBooks };

  /** A path that has a sport. */
  const path = (
    definition: Omit<PathDefinition, 'judge' | 'run'>,
    form: PathForm,
    answer: (asked: AskedWhat, context: OperationContext) => Promise<unknown>,
  ): PathDefinition => ({
    ...definition,
    judge: (input, context) => readAsked(form, input, context),
    run: async (input, context) => answer(await readAsked(form, input, context), context),
  });
  /** The same of the past: what the path answered then, between its neighbours in time. */
  const historical = (
    { isPaid, ...definition }: Omit<PathDefinition, 'judge' | 'run'>,
    form: PathForm,
    answer: (asked: AskedWhat, context: OperationContext) => Promise<unknown>,
  ): PathDefinition =>
    path(
      { ...definition, isPaid: ({ data }) => isPaid(data) },
      { ...form, takes: [...form.takes, 'date'] },
      async (asked, context) => ({
        ...(await neighbours(asked, logBegin, context.now())),
        data: await answer(asked, context),
      }),
    );

  const definitions: readonly PathDefinition[] = [
    {
      ...{ name: 'sports', path: '/sports', summary: 'The sports that have events, or all that are known.', ...free },
      judge: async (input, { now }) => readAll(input, now),
      run: async (input, context) => sportsList(context, readAll(input, context.now), context.now()),
    },
    path(
      {
        name: 'odds',
        path: '/sports/{sportKey}/odds',
        summary: 'The featured markets.',
        ...ofBooks,
        isPaid: anyQuoted,
      },
      ODDS,
      oddsOfList,
    ),
    path(
      { name: 'scores', path: '/sports/{sportKey}/scores', summary: 'The scores.', most: one, isPaid: isAny },
      { hasUpcoming: true, takes: ['dateFormat', 'eventIds', 'daysFrom'] },
      async (asked, context) => (await askedEvents(asked, context)).map((event) => shownScore(event, asked.parameters)),
    ),
    path({ name: 'events', path: '/sports/{sportKey}/events', summary: 'The events.', ...free }, EVENTS, eventsOfList),
    path(
      {
        ...{
          name: 'event_odds',
          path: '/sports/{sportKey}/events/{eventId}/odds',
          summary: 'All markets of an event.',
        },
        ...{ ...ofBooks, isPaid: isQuoted },
      },
      EVENT_ODDS,
      (asked, context) => oddsOfEvent(asked, context, { timesOfBooks: false, outcomes: true }),
    ),
    path(
      {
        ...{ name: 'event_markets', path: '/sports/{sportKey}/events/{eventId}/markets', summary: 'Keys of markets.' },
        ...{ most: one, isPaid: isQuoted },
      },
      { takes: ['books', 'dateFormat', 'eventId'] },
      (asked, context) => oddsOfEvent(asked, context, { timesOfBooks: false, outcomes: false }),
    ),
    {
      ...{ name: 'participants', path: '/sports/{sportKey}/participants', summary: 'Teams, or players.' },
      ...{ most: one, isPaid: isAny },
      judge: (input, context) => sportOf(input['sportKey'] ?? '', false, context),
      async run(input, context) {
        const sport = await sportOf(input['sportKey'] ?? '', false, context);
        return participantsOf(context.store, sport as SportKey);
      },
    },
    historical(
      {
        ...{ name: 'historical_odds', path: '/historical/sports/{sportKey}/odds', summary: 'Odds of a moment.' },
        ...{ ...ofBooks, isPaid: anyQuoted },
      },
      ODDS,
      oddsOfList,
    ),
    historical(
      {
        ...{ name: 'historical_events', path: '/historical/sports/{sportKey}/events', summary: 'Events of a moment.' },
        ...free,
      },
      EVENTS,
      eventsOfList,
    ),
    historical(
      {
        name: 'historical_event_odds',
        path: '/historical/sports/{sportKey}/events/{eventId}/odds',
        summary: 'All markets of an event, of a moment.',
        ...{ ...ofBooks, isPaid: isQuoted },
      },
      EVENT_ODDS,
      (asked, context) => oddsOfEvent(asked, context, { timesOfBooks: true, outcomes: true }),
    ),
  ];
  return definitions.map(operationOf);
}

const ALL: ReadonlySet<ParameterName> = new Set(['all']);
const readAll = (input: Given, now: () => number): boolean =>
  readParameters(input, ALL, { hasAllMarkets: false, now }).all;

async function eventsOfList(asked: AskedWhat, context: OperationContext): Promise<unknown> {
  return (await askedEvents(asked, context)).map((event) => shownEvent(event, asked.parameters));
}

/** So many events' prices are read at once. */
const TOGETHER = 50;

async function oddsOfList(asked: AskedWhat, context: OperationContext): Promise<unknown> {
  const listed = await askedEvents(asked, context);
  const shown: unknown[] = [];
  for (let first = 0; first < listed.length; first += TOGETHER) {
    const some = listed.slice(first, first + TOGETHER);
    const prices = await pricesOf(some, asked.moment, context);
    for (const [index, event] of some.entries()) {
      const { parameters } = asked;
      const what: PricesShown = { timesOfBooks: true, outcomes: true };
      shown.push(shownOdds(event, prices[index], parameters, what, context.bookmakers));
      await breathe();
    }
  }
  return shown;
}

async function oddsOfEvent(
  { event, parameters, moment }: AskedWhat,
  context: OperationContext,
  what: PricesShown,
): Promise<unknown> {
  const [prices] = await pricesOf([event!], moment, context);
  return shownOdds(event!, prices, parameters, what, context.bookmakers);
}

async function pricesOf(
  listed: readonly Listed[],
  { asOf }: Moment,
  context: OperationContext,
): Promise<readonly (OddsDocument | undefined)[]> {
  const keys = listed.map(({ document }) => String(document.id));
  if (!asOf) {
    const found = await context.store.getMany<OddsDocument>(odds.name, keys);
    return found.map((stored) => stored?.document);
  }
  const folded: (OddsDocument | undefined)[] = [];
  for (const key of keys) {
    folded.push(await readDocument(context, odds, key, asOf));
    await breathe();
  }
  return folded;
}

const STEP = 5 * MINUTE;

/** There is no grid of moments: any other one would do as well. */
async function neighbours({ moment: { at }, parameters }: AskedWhat, logBegin: LogBegin, now: number) {
  const begin = await logBegin();
  const time = (milliseconds: number) => shownTime(milliseconds, parameters.dateFormat);
  return {
    timestamp: time(at),
    previous_timestamp: begin === null || at - STEP < begin ? null : time(at - STEP),
    next_timestamp: at + STEP > now ? null : time(at + STEP),
  };
}
