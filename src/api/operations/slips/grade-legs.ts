import { settlingScores } from '../../../domain/grading/settling-score.ts';
import type { Ground } from '../../../domain/grounds.ts';
import { sideName } from '../../../read-models/rendering/event.ts';
import type { BoundLeg, Leg } from '../../../text/slips/leg.ts';
import { kindOf } from '../../../text/slips/markets.ts';
import { settleLeg } from '../../../text/slips/settle-leg.ts';
import { isSettled, type Settled, unmapped } from '../../../text/slips/settled.ts';
import { whyUnmapped } from '../../../text/slips/why-unmapped.ts';
import { requireSport } from '../../calls/scopes.ts';
import { readSlipEvents, type SlipEvent } from './slip-events.ts';
import type { SlipReading } from './slip-reading.ts';
import type { GradedLeg } from './slip-schemas.ts';

/** Legs as they stand, in their order, and the sports of their events. */
export interface GradedLegs {
  readonly legs: readonly GradedLeg[];
  /** Of each leg the entries that its event, and its box, rest on, also where it is unmapped. */
  readonly grounds: readonly (readonly Ground[])[];
  readonly sports: readonly string[];
}

/**
 * Settles legs whose names are resolved.
 * @param isAgain they were graded before: a player was in the event then, wherever he plays by now
 * @throws ApiError sport_scope_denied where an event lies outside the caller's sports
 */
export async function gradeLegs(
  bound: readonly BoundLeg[],
  reading: SlipReading,
  isAgain = false,
): Promise<GradedLegs> {
  const wanted = bound.flatMap(({ leg, found }) => (leg ? [leg] : hasEvent(found) ? [found] : []));
  const events = await readSlipEvents(wanted, reading);
  for (const { document } of events.values()) requireSport(reading.context.principal, document.sport);
  const graded = bound.map((one) => gradeLeg(one, events, reading, isAgain));
  return {
    legs: graded.map(({ leg }) => leg),
    grounds: graded.map(({ grounds }) => grounds),
    sports: [...new Set([...events.values()].map(({ document }) => document.sport))].sort(),
  };
}

/** A leg of which a name is not found may still name an event of a sport that is not the caller's. */
const hasEvent = (found: Partial<Leg>): found is Leg => found.event_id !== undefined && found.market_key !== undefined;

interface LegGrade {
  readonly leg: GradedLeg;
  readonly grounds: readonly Ground[];
}

function gradeLeg(
  bound: BoundLeg,
  events: ReadonlyMap<number, SlipEvent>,
  { asOf }: SlipReading,
  isAgain: boolean,
): LegGrade {
  const { leg, found } = bound;
  const id = (leg ?? found).event_id;
  const event = id === undefined ? undefined : events.get(id);
  if (id !== undefined && !event) {
    const message = `There is no event ${id}${asOf ? ' at that time' : ''}.`;
    const event_resolve = { status: 'not_found', event_id: null, candidates: [], message } as const;
    return { leg: unmappedLeg({ ...bound, event_resolve }, message, null), grounds: [] };
  }
  if (!leg || !event) {
    const message = bound.message ?? 'The leg is not understood.';
    return { leg: unmappedLeg(bound, message, event?.document.id ?? null), grounds: [] };
  }
  const settled = settle(leg, event, isAgain);
  const grounds = groundsOf(event, kindOf(leg.market_key) === 'prop');
  const { document } = event;
  if (settled.result === null) return { leg: unmappedLeg(bound, settled.message!, document.id), grounds };
  const [home_score, away_score] = settlingScores(document);
  const market = {
    event_id: document.id,
    market_key: leg.market_key,
    line: leg.line,
    side: leg.side,
    settleable: isSettled(settled.result),
    home_team: sideName(document, 0),
    away_team: sideName(document, 1),
    starts_at: document.event.schedule!.starts_at,
    home_score,
    away_score,
  };
  return { leg: { ...settled, market, ...resolved(bound), facts: grounds }, grounds };
}

function settle(leg: Leg, event: SlipEvent, isAgain: boolean): Settled {
  const { document, teamIds } = event;
  const prop = kindOf(leg.market_key) === 'prop' ? event.propFacts(leg.player_id!) : undefined;
  const hasPlayer = isAgain || prop?.hasPlayer === true;
  const reason = whyUnmapped(leg, { sport: document.sport, teamIds, hasPlayer });
  return reason === null ? settleLeg({ ...document, teamIds, prop: prop?.facts }, leg) : unmapped(reason);
}

/** Status and score, and what else a result rests on, in the order of the log. */
function groundsOf({ document, boxGround }: SlipEvent, isProp: boolean): Ground[] {
  const { status, score, period } = document.grounds;
  // How long a game of baseball was is told by its period where nobody states its innings.
  const needsPeriod = document.sport === 'mlb' && document.event.sides.every(({ period_scores }) => !period_scores);
  const all = [status, score, needsPeriod ? period : undefined, isProp ? boxGround : undefined];
  const byPosition = new Map(all.flatMap((ground) => (ground ? [[ground.position, ground]] : [])));
  return [...byPosition.values()].sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1));
}

function unmappedLeg(bound: BoundLeg, message: string, event_id: number | null): GradedLeg {
  const { market_key = null, line = null, side = null } = bound.leg ?? bound.found;
  return {
    ...unmapped(message),
    market: { event_id, market_key, line, side, settleable: false },
    ...resolved(bound),
    facts: [],
  };
}

const resolved = ({ resolve, team_resolve, event_resolve, input }: BoundLeg) =>
  ({ resolve, team_resolve, event_resolve, input }) as Pick<
    GradedLeg,
    'resolve' | 'team_resolve' | 'event_resolve' | 'input'
  >;
