import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import { HONESTY } from '../../../domain/grading/house-rules.ts';
import type { Leg } from '../../../domain/grading/leg.ts';
import { legKindOf, unmappedReason } from '../../../domain/grading/leg-markets.ts';
import { isSettledLeg, type LegOutcome, unmappedOutcome } from '../../../domain/grading/leg-result.ts';
import { settleLeg } from '../../../domain/grading/settle-leg.ts';
import { settlingScores } from '../../../domain/grading/settling-score.ts';
import type { Provenance } from '../../../domain/sports-events/provenance.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import type { BoundLeg } from '../../../text/slips/slip-leg.ts';
import { slipStatus, summarizeSlip } from '../../../text/slips/slip-summary.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { readAsOf } from '../shared/parameters.ts';
import { bindStructuredLegs } from './bind-structured-legs.ts';
import { bindTextBets } from './bind-text-bets.ts';
import type { BindingContext } from './binding-context.ts';
import type { SlipBody } from './slip-body.ts';
import { readSlipEvents, type SlipEvent } from './slip-events.ts';
import type { GradedLeg, GradedSlip } from './slip-schemas.ts';

type SlipGradingContext = BindingContext['context'] & Pick<OperationContext, 'now' | 'baseUrl'>;

/** A graded slip, with the data for its receipt. */
interface SlipGrade {
  /** Without a receipt. */
  readonly answer: GradedSlip;
  readonly bound: readonly BoundLeg[];
  /** Sports of the legs' events. */
  readonly sports: readonly string[];
}

/**
 * Grades a slip, without charge and receipt. Used by the operation and by the public sheet.
 * @throws ApiError bad_request for `as_of`, sport_scope_denied
 */
export async function gradeSlipBody(body: SlipBody, context: SlipGradingContext): Promise<SlipGrade> {
  const asOf = readAsOf(body, context.now);
  const reading: BindingContext = { context, asOf, moment: asOf?.at ?? context.now() };
  const bound = [
    ...(await bindStructuredLegs(body.legs ?? [], reading)),
    ...(body.text ? await bindTextBets(body.text.bets, body.clues ?? {}, reading) : []),
  ];
  const { legs, sports } = await gradeLegs(bound, reading);
  const summary = summarizeSlip(legs.map(({ result, market }) => ({ result, side: market.side })));
  const answer: GradedSlip = {
    status: slipStatus(summary),
    legs: [...legs],
    summary,
    branding: {
      name: 'Ledgerline',
      url: context.baseUrl(),
      attribution: 'Graded by Ledgerline from an event log, entry by entry.',
    },
    honesty: HONESTY as unknown as GradedSlip['honesty'],
    slip_id: null,
    receipt: null,
  };
  return { answer, bound, sports };
}

/** Graded legs in order, and the sports of their events. */
interface GradedLegs {
  readonly legs: readonly GradedLeg[];
  /** For each leg the records that its event and box score are based on, even if it is unmapped. */
  readonly grounds: readonly (readonly Provenance[])[];
  readonly sports: readonly string[];
  /** The sport of an event of the legs; undefined: there is no such event. */
  readonly sportOf: (eventId: number) => string | undefined;
}

/**
 * Settles legs with resolved names.
 * @param isAgain a leg graded before stays valid, even if the player has changed the team since
 * @throws ApiError sport_scope_denied if an event lies outside the caller's sports
 */
export async function gradeLegs(
  bound: readonly BoundLeg[],
  reading: BindingContext,
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
    sportOf: (eventId) => events.get(eventId)?.document.sport,
  };
}

/** A leg with an unknown name may still name an event outside the caller's sports. */
const hasEvent = (found: Partial<Leg>): found is Leg => found.event_id !== undefined && found.market_key !== undefined;

interface LegGrade {
  readonly leg: GradedLeg;
  readonly grounds: readonly Provenance[];
}

function gradeLeg(
  bound: BoundLeg,
  events: ReadonlyMap<number, SlipEvent>,
  { asOf }: BindingContext,
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
  const grounds = groundsOf(event, legKindOf(leg.market_key) === 'prop');
  const { document } = event;
  if (settled.result === null) return { leg: unmappedLeg(bound, settled.message!, document.id), grounds };
  const [home_score, away_score] = settlingScores(document);
  const market = {
    event_id: document.id,
    market_key: leg.market_key,
    line: leg.line,
    side: leg.side,
    settleable: isSettledLeg(settled.result),
    home_team: sideName(document, 0),
    away_team: sideName(document, 1),
    starts_at: document.event.schedule!.starts_at,
    home_score,
    away_score,
  };
  return { leg: { ...settled, market, ...resolved(bound), facts: grounds }, grounds };
}

function settle(leg: Leg, event: SlipEvent, isAgain: boolean): LegOutcome {
  const { document, teamIds } = event;
  const prop = legKindOf(leg.market_key) === 'prop' ? event.propFacts(leg.player_id!) : undefined;
  const hasPlayer = isAgain || prop?.hasPlayer === true;
  const reason = unmappedReason(leg, { sport: document.sport, teamIds, hasPlayer });
  return reason === null ? settleLeg({ ...document, teamIds, prop: prop?.facts }, leg) : unmappedOutcome(reason);
}

/** The records that a result is based on: status, score, and further ones; in the order of the log. */
function groundsOf({ document, boxGround }: SlipEvent, isProp: boolean): Provenance[] {
  const { status, score, period } = document.grounds;
  // The length of a baseball game comes from its period if no source reports its innings.
  const needsPeriod =
    playsLike(document.sport) === 'mlb' && document.event.sides.every(({ period_scores }) => !period_scores);
  const all = [status, score, needsPeriod ? period : undefined, isProp ? boxGround : undefined];
  const byPosition = new Map(all.flatMap((ground) => (ground ? [[ground.position, ground]] : [])));
  return [...byPosition.values()].sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1));
}

function unmappedLeg(bound: BoundLeg, message: string, event_id: number | null): GradedLeg {
  const { market_key = null, line = null, side = null } = bound.leg ?? bound.found;
  return {
    ...unmappedOutcome(message),
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
