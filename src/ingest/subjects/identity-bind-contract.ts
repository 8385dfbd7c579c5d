import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { bindingKeyOf, findActInForce, type IdentityState } from '../../../commands/identity-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { isSoccer, rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { contractKey, isSameBet } from '../../domain/contracts/contract-proof.ts';
import type { ContractBet } from '../../domain/contracts/settled-side.ts';
import { type BoundSide, OPERATOR } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { refuseLeague } from '../binding/refuse-league.ts';
import { bindContract } from './contract-reports.ts';
import { type ActRules, type ContentOf, refusal, refused } from './identity-act.ts';
import { anyRefOf, findNamed } from './identity-things.ts';

type Binding = ContentOf<'bind'>;

/** `bind` with a side: a person says which bet on an event the Yes of a contract is. The last one in force counts. */
export const bindContractRules: ActRules<Binding> = {
  async plan(session, message, state) {
    const { source_ref: sourceRef, into, side } = message;
    const event = await findNamed(session, 'event', into!, 'into');
    if ('rejection' in event) return event;
    const outcomes: readonly string[] = [
      ...rolesOf(event.sport),
      ...(isSoccer(event.sport) ? ['draw'] : []),
      ...['over', 'under'],
    ];
    if (!outcomes.includes(side!.outcome)) {
      return refused('unknown_side', 'side', `must be one of ${outcomes.join(', ')} in ${event.sport}`);
    }
    const unknown = refuseLeague(event.league, 'into');
    if (unknown) return { rejection: unknown };
    const { source, ref } = sourceRef!;
    const content: Binding = {
      ...{ action: 'bind', what: 'event', sourceRef: { source, ref }, into: event.id },
      intoRef: await anyRefOf(session, 'event', event),
      ...{ sport: event.sport, league: event.league },
      side: side!,
    };
    if (findActInForce(state, { at: message.at, content }) !== undefined) return 'known';
    if (await isInForce(session, content)) return 'known';
    return { content, moved: { records: await countWaiting(session, content), refs: 1 } };
  },

  refuseAgain: async (_, content, state) =>
    refuseLeague(content.league ?? null, 'act') ?? refuseEarlier(state, content),
  refuseUndo: async (_, content, state) => refuseLeague(content.league ?? null, 'act') ?? refuseEarlier(state, content),

  async movedBy(session, content, isAgain) {
    return { records: isAgain ? await countWaiting(session, content) : 0, refs: 1 };
  },

  async apply(session, content, { at }) {
    await bindContract(session, boundOf(content, betOf(content.side!), at));
  },

  async revert(session, content, { at }) {
    await bindContract(session, boundOf(content, null, at));
  },
};

/** With a point it is a spread, of over and under a total. */
export function betOf({ outcome, point }: BoundSide): ContractBet {
  const market = outcome === 'over' || outcome === 'under' ? 'totals' : point === undefined ? 'h2h' : 'spreads';
  return { market, outcome, ...(point === undefined ? {} : { point }) };
}

const boundOf = ({ sourceRef: { source, ref }, league, into }: Binding, bet: ContractBet | null, at: string) => ({
  ...{ at, source: OPERATOR, leagueId: findLeague(league!)!.id, eventId: into },
  content: { venue: source, contract: ref, bet },
});

async function countWaiting({ identities }: IngestSession, { league, sourceRef: { source, ref } }: Binding) {
  const key = identityKeyOf.contract(findLeague(league!)!.id, source, ref);
  return (await identities.findWaitingGroup(`${source} ${key}`))?.messages ?? 0;
}

/** Whether the contract is bound so now. An earlier act that says the same may have been overruled since. */
async function isInForce(session: IngestSession, { sourceRef: { source, ref }, league, into, side }: Binding) {
  const { byHand } = await session.states.get(contractsDecider, findLeague(league!)!.id);
  const bound = byHand.get(contractKey(source, ref));
  return bound !== undefined && bound.eventId === into && isSameBet(bound.bet, betOf(side!));
}

/** The newest act in force that binds the same contract. */
function newestInForce({ acts }: IdentityState, content: Binding): number | undefined {
  const key = bindingKeyOf(content);
  const index = acts.findLastIndex(
    ({ content: other, undoneBy }) =>
      undoneBy === null && other.action === 'bind' && other.side !== undefined && bindingKeyOf(other) === key,
  );
  return index === -1 ? undefined : index + 1;
}

/** A contract that was bound again since: that act is taken back first, and nothing is in its place then. */
function refuseEarlier(state: IdentityState, content: Binding): Rejection | undefined {
  const newest = newestInForce(state, content);
  const own = state.acts.findIndex((act) => act.content === content) + 1;
  if (newest === undefined || newest <= own) return undefined;
  return refusal('stands_on', 'act', `act ${newest} has bound this contract since`);
}
