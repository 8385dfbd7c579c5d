import type { OperationContext } from '../calls/operation/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { findTournamentByKey } from './find-sports.ts';
import {
  findIdsOfHexIds,
  type ListedEvent,
  type Moment,
  readListedEvent,
  readListedEvents,
  startOf,
} from './listed-events.ts';
import { OUTRIGHTS } from './market-keys.ts';
import { OddsApiError } from './odds-api-errors.ts';
import { type OddsApiParameters, type ParameterName, type RawParameters, readParameters } from './query-parameters.ts';
import { findLeagueSport, findOutrightSport, isOutright, type OddsApiSport } from './sport-keys.ts';

/** The parameters that a path accepts. */
export interface PathRules {
  /** `upcoming` is allowed in place of a sport. */
  readonly hasUpcoming?: boolean;
  readonly takes: readonly ParameterName[];
  /** Accepts markets beyond the featured ones. */
  readonly hasAllMarkets?: boolean;
}

/** A validated query: sport, parameters and event are checked in this order. */
export interface PathQuery {
  readonly sport: OddsApiSport | 'upcoming';
  readonly parameters: OddsApiParameters;
  readonly moment: Moment;
  /** Present if the path names one. */
  readonly event: ListedEvent | undefined;
  /** Present if the query asks for some events by their ids. */
  readonly ids: ReadonlySet<number> | undefined;
  /** The events into which others were merged that the query names. */
  readonly mergedInto: readonly number[];
}

/** @throws OddsApiError for the first error */
export async function readPathQuery(
  form: PathRules,
  given: RawParameters,
  context: OperationContext,
): Promise<PathQuery> {
  const { takes, hasUpcoming = false, hasAllMarkets = false } = form;
  const sport = await readSport(given['sportKey'] ?? '', hasUpcoming, context);
  const markets = given['markets'] || (isOutright(sport) ? OUTRIGHTS : '');
  const parameters = readParameters({ ...given, markets }, new Set(takes), { hasAllMarkets, now: context.now });
  const { asOf } = parameters;
  const moment: Moment = { at: asOf?.at ?? context.now(), asOf };
  const { eventId } = parameters;
  // Who wins a season is no event that has odds of its own.
  if (eventId !== '' && isOutright(sport)) throw new OddsApiError('EVENT_NOT_FOUND');
  if (eventId === '' || sport === 'upcoming') {
    const meant = parameters.eventIds && (await findIdsOfHexIds(context, parameters.eventIds, moment));
    return { sport, parameters, moment, event: undefined, ids: meant?.ids, mergedInto: meant?.mergedInto ?? [] };
  }
  const found = await readListedEvent(context, sport, eventId, moment);
  if (!found) throw new OddsApiError('EVENT_NOT_FOUND');
  const { document, mergedInto } = found;
  return { sport, parameters, moment, event: { document, sport }, ids: undefined, mergedInto };
}

/** @throws OddsApiError UNKNOWN_SPORT */
export async function readSport(
  key: string,
  hasUpcoming: boolean,
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
): Promise<OddsApiSport | 'upcoming'> {
  if (hasUpcoming && key === 'upcoming') return key;
  const found = findLeagueSport(key) ?? findOutrightSport(key) ?? (await findTournamentByKey(store, key));
  if (!found || !grantsSport(principal, found.sport)) throw new OddsApiError('UNKNOWN_SPORT');
  return found;
}

/** The listed events that match the parameters. */
export async function readQueriedEvents(
  { sport, parameters, moment, ids }: PathQuery,
  context: OperationContext,
): Promise<readonly ListedEvent[]> {
  if (isOutright(sport)) return [];
  const { commenceFrom, commenceTo, daysFrom } = parameters;
  const listed = await readListedEvents(context, sport, moment, daysFrom);
  return listed.filter(({ document }) => {
    const start = startOf(document);
    return start >= commenceFrom && start <= commenceTo && (ids?.has(document.id) ?? true);
  });
}
