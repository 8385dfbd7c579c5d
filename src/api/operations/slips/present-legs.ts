import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { Leg, LegSide } from '../../../domain/grading/leg.ts';
import type { BoundLeg } from '../../../text/slips/slip-leg.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readDocument } from '../shared/read-documents.ts';

type Context = Pick<OperationContext, 'store' | 'histories' | 'replacements'>;

/**
 * Legs that were bound at a moment, as they stand now: on the event that their event was merged into, and on the same
 * team, though that event may have the sides in the opposite order.
 * @param boundAt milliseconds
 */
export async function toPresentLegs(
  bound: readonly BoundLeg[],
  boundAt: number,
  context: Context,
): Promise<readonly BoundLeg[]> {
  if (context.replacements.isEmpty) return bound;
  const ids = new Set(bound.flatMap(({ leg, found }) => (leg ?? found).event_id ?? []));
  const turned = new Set<number>();
  for (const id of ids) if (await isTurned(id, boundAt, context)) turned.add(id);
  const toPresent = <Part extends Partial<Leg>>(leg: Part): Part => {
    const { event_id, side } = leg;
    if (event_id === undefined) return leg;
    const present = { ...leg, event_id: context.replacements.meaningOf('event', event_id) };
    return side !== undefined && turned.has(event_id) ? { ...present, side: OPPOSITE[side] } : present;
  };
  return bound.map((one) => ({ ...one, leg: one.leg && toPresent(one.leg), found: toPresent(one.found) }));
}

const OPPOSITE: Readonly<Record<LegSide, LegSide>> = {
  home: 'away',
  away: 'home',
  over: 'over',
  under: 'under',
  draw: 'draw',
};

/** Whether the sides stood the other way round at the moment. */
async function isTurned(id: number, boundAt: number, context: Context): Promise<boolean> {
  const { replacements } = context;
  const keysOf = async (of: number, asOf?: { at: number; basis: 'recorded' }) =>
    (await readDocument<EventDocument>(context, events, String(of), asOf))?.sides?.map(({ key }) => key);
  const then = await keysOf(replacements.meaningOf('event', id, boundAt), { at: boundAt, basis: 'recorded' });
  const now = await keysOf(replacements.meaningOf('event', id));
  return then !== undefined && now !== undefined && then[0] !== now[0] && (then[0] === now[1] || then[1] === now[0]);
}
