import type { EventDocument } from '../../../projections/events.ts';
import type { OperationContext } from '../calls/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { idsBehind, type Listed, listedEvent, listedEvents, type Moment, startOf } from './listed-events.ts';
import { OddsApiError } from './odds-api-errors.ts';
import { type Given, type ParameterName, type Parameters, readParameters } from './query-parameters.ts';
import { leagueSport, type SportKey } from './sports.ts';
import { tournamentOfKey } from './tournaments-known.ts';

/** What a path has in its address. */
export interface PathForm {
  /** `upcoming` may stand in the place of a sport. */
  readonly hasUpcoming?: boolean;
  readonly takes: readonly ParameterName[];
  /** Markets beside the featured ones. */
  readonly hasAllMarkets?: boolean;
}

/** What is asked, once sport, parameters and event are found to be right, in this order. */
export interface AskedWhat {
  readonly sport: SportKey | 'upcoming';
  readonly parameters: Parameters;
  readonly moment: Moment;
  /** Where the path names one. */
  readonly event: Listed | undefined;
}

/** @throws OddsApiError of the first thing that is wrong */
export async function readAsked(form: PathForm, given: Given, context: OperationContext): Promise<AskedWhat> {
  const { takes, hasUpcoming = false, hasAllMarkets = false } = form;
  const sport = await sportOf(given['sportKey'] ?? '', hasUpcoming, context);
  const parameters = readParameters(given, new Set(takes), { hasAllMarkets, now: context.now });
  const { asOf } = parameters;
  const moment: Moment = { at: asOf?.at ?? context.now(), asOf };
  const { eventId } = parameters;
  if (eventId === '' || sport === 'upcoming') return { sport, parameters, moment, event: undefined };
  const document: EventDocument | undefined = await listedEvent(context, sport, eventId, moment);
  if (!document) throw new OddsApiError('EVENT_NOT_FOUND');
  return { sport, parameters, moment, event: { document, sport: sport } };
}

/** @throws OddsApiError UNKNOWN_SPORT */
export async function sportOf(
  key: string,
  hasUpcoming: boolean,
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
): Promise<SportKey | 'upcoming'> {
  if (hasUpcoming && key === 'upcoming') return key;
  const found = leagueSport(key) ?? (await tournamentOfKey(store, key));
  if (!found || !grantsSport(principal, found.sport)) throw new OddsApiError('UNKNOWN_SPORT');
  return found;
}

/** The events of a list that the parameters let through. */
export async function askedEvents(
  { sport, parameters, moment }: AskedWhat,
  context: OperationContext,
): Promise<readonly Listed[]> {
  const { eventIds, commenceFrom, commenceTo, daysFrom } = parameters;
  const ids = eventIds && (await idsBehind(context, eventIds));
  const listed = await listedEvents(context, sport, moment, daysFrom);
  return listed.filter(({ document }) => {
    const start = startOf(document);
    return start >= commenceFrom && start <= commenceTo && (ids?.has(document.id) ?? true);
  });
}
