import {
  applyByHand,
  applyReport,
  type ContractReport,
  contractKey,
  isNews,
  isSameBet,
  type LeagueContracts,
  newLeagueContracts,
} from '../src/domain/contracts/contract-proof.ts';
import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../src/domain/observations/observation.ts';
import { contractsStream } from '../src/domain/streams/contracts-stream.ts';

type ContractsEvent = EventOfKind<typeof contractsStream>;
type DataOf<Type extends ContractsEvent['type']> = Extract<ContractsEvent, { readonly type: Type }>['data'];
export type ContractCommand = DataOf<'ContractReported'>;
/** A person says what a contract is a bet on, or takes it back. */
export interface BindContractCommand {
  readonly byHand: DataOf<'ContractBound'>;
}

const reportOf = ({ at, content: { seen, settled, result } }: ContractCommand): ContractReport => ({
  at: timeOf(at),
  seen,
  settled,
  unjudged: settled ? undefined : result,
});

/**
 * A source reports a contract, its price beside the fair ones, or how it was settled. Recorded if that brings the proof
 * of its side nearer, or takes it away.
 */
export const contractsDecider: StreamDecider<LeagueContracts, ContractCommand | BindContractCommand, ContractsEvent> = {
  stream: contractsStream,
  stateVersion: 3,
  // It decides which books the odds of events get.
  affectsOtherStreams: true,
  initial: newLeagueContracts,
  decide(command, { contracts, byHand }) {
    if ('byHand' in command) {
      const { leagueId, eventId, content } = command.byHand;
      const known = byHand.get(contractKey(content.venue, content.contract));
      const isSame = content.bet === null ? !known : known?.eventId === eventId && isSameBet(known.bet, content.bet);
      return isSame ? [] : [createEvent(contractsStream, leagueId, 'ContractBound', command.byHand)];
    }
    const { venue, contract } = command.content;
    if (!isNews(contracts.get(contractKey(venue, contract)), reportOf(command), command.eventId)) return [];
    return [createEvent(contractsStream, command.leagueId, 'ContractReported', command)];
  },
  evolve(state, record) {
    if (record.type === 'ContractBound') {
      const { eventId, content } = record.data;
      return applyByHand(
        state,
        contractKey(content.venue, content.contract),
        content.bet && { eventId, bet: content.bet },
      );
    }
    const { data } = record;
    const { eventId, content } = data;
    const { venue, contract, series, market, outcome, point, scope = 'match', by_name: byName } = content;
    const place = { eventId, venue, key: market, scope };
    const bet = { market, outcome, ...(point === undefined ? {} : { point }) };
    return applyReport(state, { key: contractKey(venue, contract), series, byName, place, bet }, reportOf(data));
  },
};
