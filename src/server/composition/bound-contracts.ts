import { findLeague } from '../../domain/catalogue/catalogue.ts';
import {
  applyByHand,
  contractKey,
  type LeagueContracts,
  newLeagueContracts,
} from '../../domain/contracts/contract-proof.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import type { ReadBoundContracts } from '../../sources/provider-base/venue-memory.ts';

type Log = Pick<EventLog, 'readStream'> & { readonly replacements: Pick<EventLog['replacements'], 'meaningOf'> };

/** How far the contracts of a league were read. */
interface ReadContracts {
  next: number;
  readonly contracts: LeagueContracts;
  /** Resolves when all readings that were asked for are done. */
  reading: Promise<void>;
}

/**
 * The contracts that persons have bound, from the log: each call reads what has come to it since the last one. What was
 * bound to an event that was merged into another one is unclear again, since nobody has said which way round its sides
 * are now.
 */
export function createBoundContractReader(log: Log): ReadBoundContracts {
  const leagues = new Map<number, ReadContracts>();

  async function readOn(leagueId: number, known: ReadContracts): Promise<void> {
    for await (const page of readStreamPages(log, streams.contracts(leagueId), known.next)) {
      for (const { type, data } of page as readonly DomainRecord[]) {
        if (type !== 'ContractBound') continue;
        const { venue, contract, bet } = data.content;
        applyByHand(known.contracts, contractKey(venue, contract), bet && { eventId: data.eventId, bet });
      }
      known.next += page.length;
    }
  }

  return async (source, league) => {
    const leagueId = findLeague(league)?.id;
    if (leagueId === undefined) return new Set();
    const known = leagues.get(leagueId) ?? {
      next: 0,
      contracts: newLeagueContracts(),
      reading: Promise.resolve(),
    };
    leagues.set(leagueId, known);
    // One after the other; one that fails is no reason for the next one to fail.
    const reading = known.reading.catch(() => {}).then(() => readOn(leagueId, known));
    known.reading = reading.catch(() => {});
    await reading;
    const ofSource = contractKey(source, '');
    return new Set(
      [...known.contracts.byHand].flatMap(([key, { eventId }]) =>
        key.startsWith(ofSource) && log.replacements.meaningOf('event', eventId) === eventId
          ? [key.slice(ofSource.length)]
          : [],
      ),
    );
  };
}
