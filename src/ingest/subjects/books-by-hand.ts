import { contractsDecider } from '../../../commands/contracts-decider.ts';
import {
  type BoundByHand,
  type ContractState,
  contractKey,
  type LeagueContracts,
} from '../../domain/contracts/contract-proof.ts';
import type { ContractBet } from '../../domain/contracts/settled-side.ts';
import type { FeedBookOutcome } from '../../domain/feed/book-message.ts';
import { isSameOutcome } from '../../domain/odds/book-depth.ts';
import type { IngestSession } from '../binding/ingest-session.ts';

type Bet = Pick<FeedBookOutcome, 'outcome' | 'point'>;

/**
 * The bets on an event whose ladders come one by one, since a person has bound their contracts. Those of which the
 * source tells what they are come in the books of their markets.
 */
export async function betsByHand(
  session: IngestSession,
  leagueId: number,
  { eventId, venue }: Pick<BookPlace, 'eventId' | 'venue'>,
): Promise<readonly ContractBet[]> {
  const { byHand, contracts } = await session.states.get(contractsDecider, leagueId);
  const isOfVenue = `${venue} `;
  return [...byHand].flatMap(([key, one]) =>
    key.startsWith(isOfVenue) && one.eventId === eventId && !contracts.has(key) ? [one.bet] : [],
  );
}

interface BookPlace {
  readonly venue: string;
  readonly eventId: number;
  readonly market: string;
}

/**
 * The outcomes of one market, in the order of the event, with the sides that people say. What they say of another event
 * or market is left out, as is another contract on a side that they have given away.
 */
export function outcomesByHand(
  outcomes: readonly FeedBookOutcome[],
  { byHand, contracts }: Pick<LeagueContracts, 'byHand' | 'contracts'>,
  { venue, eventId, market }: BookPlace,
): FeedBookOutcome[] {
  const byContract = ({ contract }: FeedBookOutcome) =>
    contract === undefined ? undefined : byHand.get(contractKey(venue, contract));
  const said = outcomes.flatMap((one) => {
    const bound = byContract(one);
    if (!bound || bound.eventId !== eventId || bound.bet.market !== market) return [];
    return outcomeByHand(one, bound, contracts.get(contractKey(venue, one.contract!))) ?? [];
  });
  const others = outcomes.filter((one) => !byContract(one) && !said.some((own) => isSameOutcome(own, one)));
  return [...said, ...others];
}

/**
 * The side that a source takes for that of a contract is the one that a person says, and the other one is the opposite.
 * Undefined where it cannot be told.
 * @param known what the source has reported of the contract
 */
function outcomeByHand(
  one: FeedBookOutcome,
  { bet }: BoundByHand,
  known: ContractState | undefined,
): FeedBookOutcome | undefined {
  if (!known || known.bet.market !== bet.market) return undefined;
  const { outcome, point } = bet;
  if (isSameOutcome(one, known.bet)) return { ...one, outcome, point };
  const opposite = oppositeOf(bet);
  const knownOpposite = oppositeOf(known.bet);
  return opposite && knownOpposite && isSameOutcome(one, knownOpposite) ? { ...one, ...opposite } : undefined;
}

const OPPOSITES: Readonly<Record<string, ContractBet['outcome']>> = {
  home: 'away',
  away: 'home',
  player_1: 'player_2',
  player_2: 'player_1',
  over: 'under',
  under: 'over',
};

/** Undefined for a draw, which has two others. */
function oppositeOf({ outcome, point, market }: ContractBet): Bet | undefined {
  const other = OPPOSITES[outcome];
  if (other === undefined) return undefined;
  if (point === undefined) return { outcome: other, point: undefined };
  return { outcome: other, point: market === 'spreads' ? -point : point };
}
