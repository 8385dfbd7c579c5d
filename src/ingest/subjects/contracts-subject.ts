import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { hasComeTrue } from '../../domain/contracts/settled-side.ts';
import type { ContractMessage, FeedOutcome } from '../../domain/feed/feed-messages.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import type { ContractContent } from '../../domain/streams/contracts-stream.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import { alignOutcome } from '../binding/side-swap.ts';
import { reportContract } from './contract-reports.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';
import { handleUnclearContract, unclearContractLookups } from './unclear-contract-handler.ts';

/** A `contract` message: what a contract stands for, its price beside the fair ones, or how it was settled. */
function handleContract(session: IngestSession, message: ContractMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped, state: event }, identity) => {
    const { kind: _, source, at, ref: __, match: ___, result, ...said } = message;
    const { sport, league, eventId } = identity;
    const aligned = swapContent(said, sport, swapped);
    const isOfMatch = (said.scope ?? 'match') === 'match';
    const cameTrue =
      result === undefined || !isOfMatch
        ? null
        : hasComeTrue({ sport, league, event: event.event }, withMarket(aligned));
    // The game gives the money back, or nobody knows how this part of it ended: how it was settled says nothing.
    if (result !== undefined && cameTrue === null && (!isOfMatch || isOver(event.event.status)))
      return { status: 'unchanged' };
    const settled =
      cameTrue === null ? {} : ({ settled: cameTrue === (result === 'yes') ? 'right' : 'wrong' } as const);
    const content = { ...aligned, ...(result === undefined ? {} : { result }), ...settled } as ContractContent;
    const fact = { at, source, leagueId: findLeague(league)!.id, eventId, origin: identity.origin ?? {}, content };
    return { status: (await reportContract(session, fact)) ? 'accepted' : 'unchanged' };
  });
}

const withMarket = ({ market, outcome, point }: Said) => ({ market, outcome, point });

type Said = Omit<ContractContent, 'result' | 'settled'>;

const swapContent = <Content extends Said>(content: Content, sport: string, swapped: boolean): Content => {
  const { outcome } = alignOutcome({ outcome: content.outcome, price: 100 } as FeedOutcome, sport, swapped);
  return { ...content, outcome };
};

const ofEvent = eventLookups();
export const contractsSubject = defineSubject({
  decider: contractsDecider,
  messages: {
    contract: { handle: handleContract, lookups: ofEvent },
    unclear_contract: { handle: handleUnclearContract, lookups: unclearContractLookups },
  },
  // What a person says is told by the act itself.
  replay: {
    ContractReported({ data }) {
      const { settled: _, ...content } = data.content;
      return { ...messageHead('contract', data), ...content };
    },
  },
  swap: { ContractReported: (content, sport) => swapContent(content, sport, true) },
});
