import {
  applyReport,
  type ContractReport,
  contractKey,
  isNews,
  type LeagueContracts,
  newLeagueContracts,
} from '../src/domain/contracts/contract-proof.ts';
import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../src/domain/observations/observation.ts';
import { contractsStream } from '../src/domain/streams/contracts-stream.ts';

type ContractsEvent = EventOfKind<typeof contractsStream>;
export type ContractCommand = ContractsEvent['data'];

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
export const contractsDecider: StreamDecider<LeagueContracts, ContractCommand, ContractsEvent> = {
  stream: contractsStream,
  stateVersion: 2,
  // It decides which books the odds of events get.
  affectsOtherStreams: true,
  initial: newLeagueContracts,
  decide(command, { contracts }) {
    const { venue, contract } = command.content;
    if (!isNews(contracts.get(contractKey(venue, contract)), reportOf(command), command.eventId)) return [];
    return [createEvent(contractsStream, command.leagueId, 'ContractReported', command)];
  },
  evolve(state, { data }) {
    const { eventId, content } = data;
    const { venue, contract, series, market, outcome, point, scope = 'match', by_name: byName } = content;
    const place = { eventId, venue, key: market, scope };
    const bet = { market, outcome, ...(point === undefined ? {} : { point }) };
    return applyReport(state, { key: contractKey(venue, contract), series, byName, place, bet }, reportOf(data));
  },
};
