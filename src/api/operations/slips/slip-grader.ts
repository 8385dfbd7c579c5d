import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { gameRulesOf } from '../../../domain/catalogue/game-rules.ts';
import { HONESTY, noteOfRules } from '../../../domain/grading/house-rules.ts';
import type { Leg } from '../../../domain/grading/leg.ts';
import { legKindOf, unmappedReason } from '../../../domain/grading/leg-markets.ts';
import { isSettledLeg, type LegOutcome, unmappedOutcome } from '../../../domain/grading/leg-result.ts';
import { parlayFactor, payoutFactor } from '../../../domain/grading/payout.ts';
import type { SportRules } from '../../../domain/grading/rules/rule-set.ts';
import { DEFAULT_RULES, findRuleSet, sportRulesOf } from '../../../domain/grading/rules/rule-sets.ts';
import { legScopeState } from '../../../domain/grading/scope-scores.ts';
import { countsInSecondHalf, settleLeg } from '../../../domain/grading/settle-leg.ts';
import { type SettlingScores, scoresByOvertime } from '../../../domain/grading/settling-score.ts';
import type { Provenance } from '../../../domain/sports-events/provenance.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { roundTo } from '../../../intelligence/prices/rounding.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import type { BoundLeg } from '../../../text/slips/slip-leg.ts';
import { slipStatus, summarizeSlip } from '../../../text/slips/slip-summary.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { isGiven, readAsOf } from '../shared/parameters.ts';
import { bindStructuredLegs } from './bind-structured-legs.ts';
import { bindTextBets } from './bind-text-bets.ts';
import type { BindingContext } from './binding-context.ts';
import type { SlipBody } from './slip-body.ts';
import { readSlipEvents, type SlipEvent } from './slip-events.ts';
import type { GradedLeg, GradedSlip } from './slip-schemas.ts';

/** As of published probabilities and own bets. */
const PAYOUT_DECIMALS = 6;

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
  const { rules } = body;
  const reading: BindingContext = { context, asOf, moment: asOf?.at ?? context.now(), rules: rules ?? undefined };
  const bound = [
    ...(await bindStructuredLegs(body.legs ?? [], reading)),
    ...(body.text ? await bindTextBets(body.text.bets, body.clues ?? {}, reading) : []),
  ];
  const { legs, sports } = await gradeLegs(bound, reading);
  const summary = summaryOf(legs);
  const answer: GradedSlip = {
    status: slipStatus(summary),
    legs: [...legs],
    summary,
    ...payoutOf(body, legs, bound),
    branding: {
      name: 'Ledgerline',
      url: context.baseUrl(),
      attribution: 'Graded by Ledgerline from an event log, entry by entry.',
    },
    honesty: honestyOf(rules) as unknown as GradedSlip['honesty'],
    ...rulesOf(rules),
    slip_id: null,
    receipt: null,
  };
  return { answer, bound, sports };
}

export const summaryOf = (legs: readonly GradedLeg[]) =>
  summarizeSlip(legs.map(({ result, market }) => ({ result, side: market.side })));

type RulesName = SlipBody['rules'];

/** What was asked for: nothing unless a rule set was named. */
function rulesOf(name: RulesName) {
  const set = isGiven(name) ? findRuleSet(name) : undefined;
  return set && { rules: { book: set.book, exchange: set.exchange, source: set.source, date: set.date } };
}

const honestyOf = (name: RulesName) =>
  isGiven(name) && name !== DEFAULT_RULES ? { ...HONESTY, note: noteOfRules(name) } : HONESTY;

/** Graded legs in order, and the sports of their events. */
export interface GradedLegs {
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
  { asOf, rules: ruleSet = DEFAULT_RULES }: BindingContext,
  isAgain: boolean,
): LegGrade {
  const { leg, found } = bound;
  const id = (leg ?? found).event_id;
  const event = id === undefined ? undefined : events.get(id);
  if (id !== undefined && !event) {
    const message = `There is no event ${id}${asOf ? ' at that time' : ''}.`;
    const event_resolve = { status: 'not_found', event_id: null, candidates: [], message } as const;
    return { leg: unmappedLeg({ ...bound, event_resolve }, unmappedOutcome(message), null), grounds: [] };
  }
  if (!leg || !event) {
    const message = bound.message ?? 'The leg is not understood.';
    return { leg: unmappedLeg(bound, unmappedOutcome(message), event?.document.id ?? null), grounds: [] };
  }
  const rules = sportRulesOf(ruleSet, event.document.sport);
  const settled = settle(leg, event, rules, isAgain);
  const grounds = groundsOf(event, leg);
  const { document } = event;
  if (settled.result === null) return { leg: unmappedLeg(bound, settled, document.id), grounds };
  const [home_score, away_score] = scoresOf(document, leg, rules);
  const market = {
    event_id: document.id,
    market_key: leg.market_key,
    line: leg.line,
    side: leg.side,
    ...scopeOf(leg),
    settleable: isSettledLeg(settled.result),
    home_team: sideName(document, 0),
    away_team: sideName(document, 1),
    starts_at: document.event.schedule!.starts_at,
    home_score,
    away_score,
  };
  return { leg: { ...withFactor(settled, bound), market, ...resolved(bound), facts: grounds }, grounds };
}

function settle(leg: Leg, event: SlipEvent, rules: SportRules, isAgain: boolean): LegOutcome {
  const { document, teamIds } = event;
  const prop = legKindOf(leg.market_key) === 'prop' ? event.propFacts(leg.player_id!) : undefined;
  const hasPlayer = isAgain || prop?.hasPlayer === true;
  const reason = unmappedReason(leg, { sport: document.sport, league: document.league, teamIds, hasPlayer });
  return reason === null ? settleLeg({ ...document, teamIds, prop: prop?.facts }, leg, rules) : unmappedOutcome(reason);
}

const scopeOf = ({ scope }: Partial<Leg>): Pick<Leg, 'scope'> => (scope === undefined ? {} : { scope });

/** The numbers that settle the leg. */
const scoresOf = (document: EventDocument, { scope }: Leg, rules: SportRules): SettlingScores =>
  scope === undefined
    ? scoresByOvertime(document, rules.overtime !== false)
    : legScopeState(document, scope, countsInSecondHalf(rules)).scores;

/** The records that a result is based on: status, score, and further ones; in the order of the log. */
function groundsOf({ document, boxGround }: SlipEvent, { market_key, scope }: Leg): Provenance[] {
  const { status, score, period } = document.grounds;
  // The length of a baseball game comes from its period if no source reports its innings.
  const needsPeriod =
    scope !== undefined ||
    (gameRulesOf(document).unit === 'inning' && document.event.sides.every(({ period_scores }) => !period_scores));
  const isProp = legKindOf(market_key) === 'prop';
  const all = [status, score, needsPeriod ? period : undefined, isProp ? boxGround : undefined];
  const byPosition = new Map(all.flatMap((ground) => (ground ? [[ground.position, ground]] : [])));
  return [...byPosition.values()].sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1));
}

function unmappedLeg(bound: BoundLeg, outcome: LegOutcome, event_id: number | null): GradedLeg {
  const { market_key = null, line = null, side = null } = bound.leg ?? bound.found;
  return {
    ...withFactor(outcome, bound),
    market: { event_id, market_key, line, side, ...scopeOf(bound.leg ?? bound.found), settleable: false },
    ...resolved(bound),
    facts: [],
  };
}

function withFactor({ result, result_detail, ...more }: LegOutcome, { price, stake }: BoundLeg) {
  const factor = payoutFactor(result_detail, price ?? null);
  const own = { result, result_detail, payout_factor: multiplied(factor, 1), ...more };
  return stake === undefined ? own : { ...own, payout: multiplied(factor, stake) };
}

const multiplied = (factor: number | null, stake: number): number | null =>
  factor === null ? null : roundTo(factor * stake, PAYOUT_DECIMALS);

/** What the legs come back as when one stake is on all of them together. */
function payoutOf({ stake, price }: SlipBody, legs: readonly GradedLeg[], bound: readonly BoundLeg[]) {
  if (!isGiven(stake)) return {};
  const priced = legs.map(({ result_detail: result }, index) => ({ result, price: bound[index]!.price ?? null }));
  return { payout: multiplied(parlayFactor(priced, isGiven(price) ? decimalOdds(price) : null), stake) };
}

const resolved = ({ resolve, team_resolve, event_resolve, input }: BoundLeg) =>
  ({ resolve, team_resolve, event_resolve, input }) as Pick<
    GradedLeg,
    'resolve' | 'team_resolve' | 'event_resolve' | 'input'
  >;
