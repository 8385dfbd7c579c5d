import { players } from '../../../projections/directory/players.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { idPages } from './id-pages.ts';

interface LoggedResultsParts {
  readonly log: Pick<EventLog, 'readStreams' | 'replacements'>;
  readonly store: Pick<ReadStore, 'find'>;
  readonly signal: AbortSignal;
}

/** Events, or players, in one read. */
const PER_PAGE = 50;

/** The records of players whose rankings forecasts use, in pages. */
export async function* playerRecords({ log, store, signal }: LoggedResultsParts): AsyncGenerator<DomainRecord[]> {
  for await (const ids of idPages(store, players.name, { where: { sport: 'tennis' }, limit: PER_PAGE, signal })) {
    const names = ids.map((id) => log.replacements.current(streams.player(id)));
    const found = (await log.readStreams(names)).flat() as DomainRecord[];
    yield found.filter(({ type }) => type === 'PlayerChanged');
  }
}

/** The ids of all finished events, sport by sport in order of their starts, in pages. */
export async function* finishedEvents({ store, signal }: Omit<LoggedResultsParts, 'log'>): AsyncGenerator<number[]> {
  for (const sport of SPORT_SLUGS) {
    const where = { sport, status: 'final' };
    yield* idPages(store, events.name, { where, order: 'starts_at', limit: PER_PAGE, signal });
  }
}
