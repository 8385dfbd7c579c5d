import { decideBinding, decideInjuriesChecked, decideScore } from '../../commands/events/decider.ts';
import { decidePrices } from '../../commands/odds/decider.ts';
import { decideSplits } from '../../commands/splits/decider.ts';
import { decideBox, decideLineup } from '../../commands/statistics/decider.ts';
import type { EventIdentity } from '../domain/domain-events.ts';
import type {
  BoxMessage,
  FeedMatch,
  InjuryMessage,
  LineupMessage,
  OddsMessage,
  ScoreMessage,
  SplitsMessage,
} from '../domain/feed/messages.ts';
import { timeOf } from '../domain/observation.ts';
import type { PricedMarket } from '../domain/prices.ts';
import type { SplitMarkets } from '../domain/splits.ts';
import { type ScoreContent, splitsCloseAt } from '../domain/sports-event.ts';
import { type Bound, bindEvent } from './binding.ts';
import { acceptedIf, type Handled, known, type Session } from './session.ts';
import { fitOutcome, sideIndex, turnSides } from './turning.ts';

interface EventMessage {
  readonly source: string;
  readonly at: string;
  readonly ref?: string | undefined;
  readonly match?: FeedMatch | undefined;
}

/** Binds the message to its event, and remembers the source's own id where `match` has found the event. */
async function withEvent(
  session: Session,
  message: EventMessage,
  handle: (bound: Bound, identity: EventIdentity) => Promise<Handled>,
): Promise<Handled> {
  const bound = await bindEvent(session, message);
  if ('reason' in bound) return { status: 'waits', wait: bound };
  const { state, turned, origin } = bound;
  const { source, at, ref } = message;
  const handled = await handle(bound, { ...bound.identity, origin });
  if (!bound.learn || ref === undefined || handled.status === 'rejected') return handled;
  await session.identities.bindEvent(source, ref, { id: bound.identity.eventId, turned });
  session.learned(known.event(source, ref));
  const events = decideBinding({ identity: bound.identity, at, source, ref, turned }, state);
  session.states.stage('event', bound.identity.eventId, events);
  return handled.status === 'unchanged' ? acceptedIf(events) : handled;
}

/** A `score` message. */
export function handleScore(session: Session, message: ScoreMessage): Promise<Handled> {
  return withEvent(session, message, async ({ state, turned }, identity) => {
    const { kind, source, at, ref, match, scores, ...facts } = message;
    const content: ScoreContent = facts;
    if (scores) {
      const sides: [object | null, object | null] = [null, null];
      for (const { role, ...said } of scores) sides[sideIndex(role, turned)] = said;
      Object.assign(content, { sides });
    }
    const events = decideScore(
      { identity, at, source, content, ...(identity.origin ? { origin: identity.origin } : {}) },
      state,
    );
    session.states.stage('event', identity.eventId, events);
    return acceptedIf(events);
  });
}

/** An `odds` message: the prices of one bookmaker. */
export function handleOdds(session: Session, message: OddsMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { source, at, bookmaker } = message;
    const markets = message.markets.map(
      ({ key, scope = 'match', alternate = false, complete = true, outcomes, ...rest }): PricedMarket => ({
        ...rest,
        key,
        scope,
        alternate,
        complete,
        outcomes: outcomes.map((outcome) => fitOutcome(outcome, identity.sport, turned)),
      }),
    );
    const state = await session.states.get('odds', identity.eventId);
    const events = decidePrices({ identity, at, source, content: { bookmaker, markets } }, state);
    session.states.stage('odds', identity.eventId, events);
    return acceptedIf(events);
  });
}

/** A `splits` message: taken only before the start as known and before the first live message. */
export function handleSplits(session: Session, message: SplitsMessage): Promise<Handled> {
  return withEvent(session, message, async ({ state: event, turned }, identity) => {
    const { source, at, bookmaker = null } = message;
    const markets: SplitMarkets = turned
      ? Object.fromEntries(Object.entries(message.markets).map(([name, sides]) => [name, turnSides(sides as object)]))
      : message.markets;
    const state = await session.states.get('splits', identity.eventId);
    const events = decideSplits({ identity, at, source, content: { bookmaker, markets } }, state);
    if (events.length > 0 && timeOf(at) >= splitsCloseAt(event.event)) {
      const text = 'at: splits are taken only before the start of the event';
      return { status: 'rejected', rejection: { code: 'splits_closed', message: text, path: 'at' } };
    }
    session.states.stage('splits', identity.eventId, events);
    return acceptedIf(events);
  });
}

/** A `box` message: statistics. */
export function handleBox(session: Session, message: BoxMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { kind, source, at, ref, match, teams, players, ...facts } = message;
    const content = {
      ...facts,
      ...(teams ? { teams: turned ? turnSides(teams) : teams } : {}),
      ...(players ? { players: players.map((player) => fitRole(player, identity.sport, turned)) } : {}),
    };
    const state = await session.states.get('box', identity.eventId);
    const events = decideBox({ identity, at, source, content }, state);
    session.states.stage('box', identity.eventId, events);
    return acceptedIf(events);
  });
}

const fitRole = <Player extends { role: Parameters<typeof sideIndex>[0] }>(
  player: Player,
  sport: string,
  turned: boolean,
): Player => {
  const roles = sport === 'tennis' ? (['player_1', 'player_2'] as const) : (['home', 'away'] as const);
  return { ...player, role: roles[sideIndex(player.role, turned)] };
};

/** A `lineup` message. */
export function handleLineup(session: Session, message: LineupMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { kind, source, at, ref, match, teams, probable_starters: starters, ...facts } = message;
    const content = {
      ...facts,
      teams: turned ? turnSides(teams) : teams,
      ...(starters ? { probable_starters: turned ? turnSides(starters) : starters } : {}),
    };
    const state = await session.states.get('lineup', identity.eventId);
    const events = decideLineup({ identity, at, source, content }, state);
    session.states.stage('lineup', identity.eventId, events);
    return acceptedIf(events);
  });
}

/** `checked: true` without a player: the source looked at this event and found nothing new. */
export function handleInjuriesChecked(session: Session, message: InjuryMessage): Promise<Handled> {
  return withEvent(session, message, async ({ state }, identity) => {
    const { source, at } = message;
    const events = decideInjuriesChecked(
      { identity, at, source, ...(identity.origin ? { origin: identity.origin } : {}) },
      state,
    );
    session.states.stage('event', identity.eventId, events);
    return acceptedIf(events);
  });
}
