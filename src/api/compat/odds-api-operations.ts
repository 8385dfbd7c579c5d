import { z } from 'zod';
import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { Operation, OperationContext } from '../calls/operation/operation.ts';
import { readDocument } from '../operations/shared/read-documents.ts';
import { findSports } from './find-sports.ts';
import { listParticipants } from './list-participants.ts';
import type { ListedEvent, Moment } from './listed-events.ts';
import { oddsOfSeasons } from './outright-odds.ts';
import { type PathQuery, type PathRules, readPathQuery, readQueriedEvents, readSport } from './path-query.ts';
import {
  costOfBookmakers,
  type Include,
  type ParameterName,
  type RawParameters,
  readParameters,
} from './query-parameters.ts';
import { renderEvent, renderScore, renderTime } from './render-odds-api-events.ts';
import { type OddsDetail, renderEventOdds } from './render-odds-api-odds.ts';
import { isOutright, leaguesOfKey, type OddsApiSport } from './sport-keys.ts';

/** Prefix of all paths. */
export const ODDS_API_BASE_PATH = '/compat/the-odds-api/v4';

interface PathDefinition {
  readonly name: string;
  /** Below `ODDS_API_BASE_PATH`, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Maximum cost of a call. */
  readonly maxCredits: (given: RawParameters) => number;
  /** Whether the answer contains anything that is charged for. */
  readonly isPaid: (answer: any) => boolean;
  /** @throws OddsApiError from path and parameters alone, before credits are checked */
  readonly checkUnpaid: (given: RawParameters, context: OperationContext) => Promise<unknown>;
  readonly run: (given: RawParameters, context: OperationContext) => Promise<unknown>;
  /** The answer depends on the feeds of its sport. */
  readonly isLive?: true | undefined;
}

/** First time of the log, in milliseconds, for historical answers; null while the log is empty. */
export type ReadLogStart = () => Promise<number | null>;

const given = z.record(z.string(), z.string());

/** A path as an operation, for the pipeline. It is neither in the API reference nor an MCP tool. */
const operationOf = ({
  name,
  path,
  summary,
  maxCredits,
  isPaid,
  checkUnpaid,
  run,
  isLive,
}: PathDefinition): Operation<any, RawParameters> => ({
  name: `odds_api_${name}`,
  method: 'GET',
  path: `${ODDS_API_BASE_PATH}${path}`,
  tag: 'The Odds API',
  summary,
  restOnly: true,
  ...(isLive && { feedLeagues: (input) => leaguesOfKey(input['sportKey'] ?? '') }),
  input: { query: given },
  output: z.unknown(),
  cost: {
    description: 'As The Odds API, in credits of this server',
    creditsFor: (input, output) => (isPaid(output) ? maxCredits(input) : 0),
    bounds: (input) => ({ min: 0, max: maxCredits(input) }),
  },
  checkUnpaid: async (input, context) => {
    await checkUnpaid(input, context);
  },
  run: (input, context) => run(input, context),
});

const INCLUDES: readonly Include[] = [
  ...(['includeLinks', 'includeSids', 'includeBetLimits', 'includeMultipliers', 'includeRotationNumbers'] as const),
];
const OF_ODDS: readonly ParameterName[] = ['books', 'markets', 'dateFormat', 'oddsFormat', ...INCLUDES];
const OF_LISTS: readonly ParameterName[] = ['eventIds', 'commenceTimes'];

/** The ten paths, as operations. */
export function oddsApiOperations(logBegin: ReadLogStart): readonly Operation<any, RawParameters>[] {
  const ODDS = { hasUpcoming: true, takes: [...OF_ODDS, ...OF_LISTS] } as const;
  const EVENTS = { hasUpcoming: true, takes: ['dateFormat', ...OF_LISTS, 'includeRotationNumbers'] } as const;
  const EVENT_ODDS = { takes: [...OF_ODDS, 'eventId'], hasAllMarkets: true } as const;
  const isQuoted = ({ bookmakers }: { readonly bookmakers: readonly unknown[] }): boolean => bookmakers.length > 0;
  const anyQuoted = (events: readonly { readonly bookmakers: readonly unknown[] }[]) => events.some(isQuoted);
  const isAny = (list: readonly unknown[]): boolean => list.length > 0;
  const one = () => 1;
  const free = { maxCredits: () => 0, isPaid: () => false };
  const ofBooks = { maxCredits: costOfBookmakers };

  /** A path with a sport. */
  const path = (
    definition: Omit<PathDefinition, 'checkUnpaid' | 'run'>,
    form: PathRules,
    answer: (query: PathQuery, context: OperationContext) => Promise<unknown>,
  ): PathDefinition => ({
    isLive: true,
    ...definition,
    checkUnpaid: (input, context) => readPathQuery(form, input, context),
    async run(input, context) {
      const query = await readPathQuery(form, input, context);
      if (query.mergedInto.length > 0) context.call.mergedInto = query.mergedInto;
      return answer(query, context);
    },
  });
  /** A historical path: the answer of that time, with the timestamps before and after. */
  const historical = (
    { isPaid, ...definition }: Omit<PathDefinition, 'checkUnpaid' | 'run'>,
    form: PathRules,
    answer: (query: PathQuery, context: OperationContext) => Promise<unknown>,
  ): PathDefinition => ({
    ...path(
      { ...definition, isPaid: ({ data }) => isPaid(data) },
      { ...form, takes: [...form.takes, 'date'] },
      async (query, context) => ({
        ...(await neighbours(query, logBegin, context.now())),
        data: await answer(query, context),
      }),
    ),
    isLive: undefined,
  });

  const definitions: readonly PathDefinition[] = [
    {
      name: 'sports',
      path: '/sports',
      summary: 'The sports that have events, or all that are known.',
      ...free,
      checkUnpaid: async (input, { now }) => readAll(input, now),
      run: async (input, context) => findSports(context, readAll(input, context.now), context.now()),
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
      { name: 'scores', path: '/sports/{sportKey}/scores', summary: 'The scores.', maxCredits: one, isPaid: isAny },
      { hasUpcoming: true, takes: ['dateFormat', 'eventIds', 'daysFrom'] },
      async (query, context) =>
        (await readQueriedEvents(query, context)).map((event) => renderScore(event, query.parameters)),
    ),
    path({ name: 'events', path: '/sports/{sportKey}/events', summary: 'The events.', ...free }, EVENTS, eventsOfList),
    path(
      {
        name: 'event_odds',
        path: '/sports/{sportKey}/events/{eventId}/odds',
        summary: 'All markets of an event.',
        ...ofBooks,
        isPaid: isQuoted,
      },
      EVENT_ODDS,
      (query, context) => oddsOfEvent(query, context, { timesOfBooks: false, outcomes: true }),
    ),
    path(
      {
        name: 'event_markets',
        path: '/sports/{sportKey}/events/{eventId}/markets',
        summary: 'Keys of markets.',
        maxCredits: one,
        isPaid: isQuoted,
      },
      { takes: ['books', 'dateFormat', 'eventId'] },
      (query, context) => oddsOfEvent(query, context, { timesOfBooks: false, outcomes: false }),
    ),
    {
      name: 'participants',
      path: '/sports/{sportKey}/participants',
      summary: 'Teams, or players.',
      maxCredits: one,
      isPaid: isAny,
      checkUnpaid: (input, context) => readSport(input['sportKey'] ?? '', false, context),
      async run(input, context) {
        const sport = await readSport(input['sportKey'] ?? '', false, context);
        return listParticipants(context.store, sport as OddsApiSport);
      },
    },
    historical(
      {
        name: 'historical_odds',
        path: '/historical/sports/{sportKey}/odds',
        summary: 'Odds of a moment.',
        ...ofBooks,
        isPaid: anyQuoted,
      },
      ODDS,
      oddsOfList,
    ),
    historical(
      {
        name: 'historical_events',
        path: '/historical/sports/{sportKey}/events',
        summary: 'Events of a moment.',
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
        ...ofBooks,
        isPaid: isQuoted,
      },
      EVENT_ODDS,
      (query, context) => oddsOfEvent(query, context, { timesOfBooks: true, outcomes: true }),
    ),
  ];
  return definitions.map(operationOf);
}

const ALL: ReadonlySet<ParameterName> = new Set(['all']);
const readAll = (input: RawParameters, now: () => number): boolean =>
  readParameters(input, ALL, { hasAllMarkets: false, now }).all;

async function eventsOfList(query: PathQuery, context: OperationContext): Promise<unknown> {
  return (await readQueriedEvents(query, context)).map((event) => renderEvent(event, query.parameters));
}

/** Events whose prices are read at once. */
const PRICES_BATCH = 50;

async function oddsOfList(query: PathQuery, context: OperationContext): Promise<unknown> {
  if (isOutright(query.sport)) return oddsOfSeasons(query.sport, query, context);
  const listed = await readQueriedEvents(query, context);
  const shown: unknown[] = [];
  for (let first = 0; first < listed.length; first += PRICES_BATCH) {
    const some = listed.slice(first, first + PRICES_BATCH);
    const prices = await pricesOf(some, query.moment, context);
    for (const [index, event] of some.entries()) {
      const { parameters } = query;
      const detail: OddsDetail = { timesOfBooks: true, outcomes: true };
      shown.push(renderEventOdds(event, prices[index], parameters, detail, context.bookmakers));
      await yieldToEventLoop();
    }
  }
  return shown;
}

async function oddsOfEvent(
  { event, parameters, moment }: PathQuery,
  context: OperationContext,
  detail: OddsDetail,
): Promise<unknown> {
  const [prices] = await pricesOf([event!], moment, context);
  return renderEventOdds(event!, prices, parameters, detail, context.bookmakers);
}

async function pricesOf(
  listed: readonly ListedEvent[],
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
    await yieldToEventLoop();
  }
  return folded;
}

const STEP = 5 * MINUTE;

/** There is no fixed grid of snapshots, so any distance would do. */
async function neighbours({ moment: { at }, parameters }: PathQuery, logBegin: ReadLogStart, now: number) {
  const begin = await logBegin();
  const time = (milliseconds: number) => renderTime(milliseconds, parameters.dateFormat);
  return {
    timestamp: time(at),
    previous_timestamp: begin === null || at - STEP < begin ? null : time(at - STEP),
    next_timestamp: at + STEP > now ? null : time(at + STEP),
  };
}
