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
  ContractBound: {
    readonly at: string;
    readonly source: string;
    readonly leagueId: number;
    readonly eventId: number;
    readonly content: {
      readonly venue: string;
      readonly contract: string;
      /** What a person says that its Yes is a bet on, in the order of the event; null: nobody says so any more. */
      readonly bet: Pick<ContractContent, 'market' | 'outcome' | 'point'> | null;
    };
  };
}

/** `contracts-LEAGUEID`: which side each contract of the prediction markets stands for, and what speaks for that. */
export const contractsStream = defineStream<ContractsData>()({
  name: 'contracts',
  partition: 'season',
  versions: { ContractReported: 1, ContractBound: 1 },
});
