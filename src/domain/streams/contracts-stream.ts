import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { ContractMessage, Known } from '../feed/feed-messages.ts';
import type { Origin } from './stream-definitions.ts';

/** A `contract` message with its side in the order of the event. */
export type ContractContent = Omit<Known<ContractMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'> & {
  /** Whether the market was settled as the game of its side ended. */
  readonly settled?: 'right' | 'wrong';
};

interface ContractsData {
  ContractReported: {
    readonly at: string;
    readonly source: string;
    readonly leagueId: number;
    readonly eventId: number;
    readonly origin: Origin;
    readonly content: ContractContent;
  };
}

/** `contracts-LEAGUEID`: which side each contract of the prediction markets stands for, and what speaks for that. */
export const contractsStream = defineStream<ContractsData>()({
  name: 'contracts',
  partition: 'season',
  versions: { ContractReported: 1 },
});
