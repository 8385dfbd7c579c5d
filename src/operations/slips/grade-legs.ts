import { requireSport } from '../../calls/scopes.ts';
import { settlingScores } from '../../domain/grading/settling-score.ts';
import type { Ground } from '../../domain/grounds.ts';
import { sideName } from '../../rendering/event.ts';
import type { BoundLeg, Leg } from '../../slips/leg.ts';
import { kindOf } from '../../slips/markets.ts';
import { settleLeg } from '../../slips/settle-leg.ts';
import { isSettled, type Settled, unmapped } from '../../slips/settled.ts';
import { whyUnmapped } from '../../slips/why-unmapped.ts';
import { readSlipEvents, type SlipEvent } from './slip-events.ts';
import type { SlipReading } from './slip-reading.ts';
import type { GradedLeg } from './slip-schemas.ts';

/** Legs as they stand, in their order, and the sports of their events. */
export interface GradedLegs {
  readonly legs: readonly GradedLeg[];
  readonly sports: readonly string[];
}

/**
 * Settles legs whose names are resolved.
 * @throws ApiError sport_scope_denied where an event lies outside the caller's sports
 */
export async function gradeLegs(bound: readonly BoundLeg[], reading: SlipReading): Promise<GradedLegs> {
  const wanted = bound.flatMap(({ leg, found }) => (leg ? [leg] : hasEvent(found) ? [found] : []));
  const events = await readSlipEvents(wanted, reading);
  for (const { document } of events.values()) requireSport(reading.context.principal, document.sport);
  return {
    legs: bound.map((one) => gradeLeg(one, events, reading)),
    sports: [...new Set([...events.values()].map(({ document }) => document.sport))].sort(),
  };
}

/** A leg of which a name is not found may still name an event of a sport that is not the caller's. */
const hasEvent = (found: Partial<Leg>): found is Leg => found.event_id !== undefined && found.market_key !== undefined;

function gradeLeg(bound: BoundLeg, events: ReadonlyMap<number, SlipEvent>, { asOf }: SlipReading): GradedLeg {
  const { leg, found, event_resolve } = bound;
  const id = (leg ?? found).event_id;
  const event = id === undefined ? undefined : events.get(id);
  if (id !== undefined && !event) {
    const message = `There is no event ${id}${asOf ? ' at that time' : ''}.`;
    const resolve = { status: 'not_found', event_id: null, candidates: [], message } as const;
    return unmappedLeg({ ...bound, event_resolve: resolve }, message, null);
  }
  if (!leg) return unmappedLeg(bound, bound.message ?? 'The leg is not understood.', event?.document.id ?? null);
  const { settled, facts } = settle(leg, event!);
  if (settled.result === null) return unmappedLeg(bound, settled.message!, event!.document.id);
  const { document } = event!;
  const [home_score, away_score] = settlingScores(document);
  return {
    ...settled,
    market: {
      event_id: document.id,
      market_key: leg.market_key,
      line: leg.market_key === 'h2h' ? null : leg.line,
      side: leg.side,
      settleable: isSettled(settled.result),
      home_team: sideName(document, 0),
      away_team: sideName(document, 1),
      starts_at: document.event.schedule!.starts_at,
      home_score,
      away_score,
    },
    ...resolved({ ...bound, event_resolve }),
    facts,
  };
}

function settle(leg: Leg, event: SlipEvent): { readonly settled: Settled; readonly facts: GradedLeg['facts'] } {
  const { document, teamIds } = event;
  const isProp = kindOf(leg.market_key) === 'prop';
  const prop = isProp ? event.propFacts(leg.player_id!) : undefined;
  const reason = whyUnmapped(leg, { sport: document.sport, teamIds, hasPlayer: prop?.hasPlayer ?? false });
  if (reason !== null) return { settled: unmapped(reason), facts: [] };
  const settled = settleLeg({ ...document, teamIds, prop: prop?.facts }, leg);
  return { settled, facts: groundsOf(event, isProp) };
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
    market: { event_id, market_key, line: market_key === 'h2h' ? null : line, side, settleable: false },
    ...resolved(bound),
    facts: [],
  };
}

const resolved = ({ resolve, team_resolve, event_resolve, input }: BoundLeg) =>
  ({ resolve, team_resolve, event_resolve, input }) as Pick<
    GradedLeg,
    'resolve' | 'team_resolve' | 'event_resolve' | 'input'
  >;
