import { eventDecider } from '../../../commands/events/event-decider.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { pairKeyOf } from '../../ingest/binding/event-binding.ts';
import { StreamStates } from '../../ingest/states/stream-states.ts';
import type { Config } from '../../platform/settings/config.ts';
import { createStartCollector, type SeasonGame, type StartCollector } from '../../sources/importing/known-starts.ts';
import type { ReadPorts } from '../composition/ports.ts';

/** Starts from the files of this command, and from the data folder. */
export type RecordedStarts = StartCollector & { close(): Promise<void> };

/**
 * The starts of events in the data folder, looked up one by one. Works before they are projected, and for a log of any length.
 * A missing or empty folder has none.
 */
export async function recordedStarts(config: Config): Promise<RecordedStarts> {
  const book = createStartCollector();
  const { openReading } = await import('./open-reading.ts');
  const parts = await openReading(config).catch((error: { code?: unknown }) => {
    if (error.code === 'data_folder' || error.code === 'empty_folder') return undefined;
    throw error;
  });
  if (!parts) return { ...book, close: async () => {} };
  const { identities } = parts;
  const states = new StreamStates(parts.log);
  const seen = new Set<number>();
  return {
    add: book.add,
    async ofRef(source, ref) {
      const known = await book.ofRef(source, ref);
      if (known !== undefined) return known;
      const bound = await identities.findEvent(source, ref);
      const schedule = bound && (await states.get(eventDecider, bound.id)).event.schedule;
      return schedule ? timeOf(schedule.starts_at) : undefined;
    },
    async ofGame(game) {
      const known = await book.ofGame(game);
      if (known !== undefined) return known;
      for (const id of await eventsOf(game, parts)) {
        if (seen.has(id)) continue;
        seen.add(id);
        await addEvent(id, states, book);
      }
      return book.ofGame(game);
    },
    close: () => parts.close(),
  };
}

/** The events of the game's sides, of any season. */
async function eventsOf({ sport, home, away }: SeasonGame, { identities }: ReadPorts): Promise<number[]> {
  const idsOf = async (names: readonly string[]) => {
    const found = await Promise.all(names.map((name) => identities.findByName('team', sport, normalizeName(name))));
    return new Set(found.flat());
  };
  const [homes, aways] = [await idsOf(home), await idsOf(away)];
  const pairs = [...homes].flatMap((first) =>
    [...aways].map((second) => pairKeyOf(`team:${first}`, `team:${second}`)!),
  );
  const fixtures = await Promise.all(pairs.map((pair) => identities.findFixtures(pair)));
  return fixtures.flat().map(({ id }) => id);
}

/** Uses the event's own id in place of the source's, so that a moved start belongs to one event. */
async function addEvent(id: number, states: StreamStates, book: StartCollector): Promise<void> {
  const { identity, event } = await states.get(eventDecider, id);
  if (!identity || !event.schedule) return;
  const { season, starts_at, sides } = event.schedule;
  const participants = (sides ?? []).map(({ name, abbreviation }, index) => ({
    role: index === 0 ? 'home' : 'away',
    name,
    abbreviation,
  }));
  const { league } = identity;
  book.add({ kind: 'schedule', source: 'ledgerline', ref: String(id), league, season, starts_at, participants });
}
