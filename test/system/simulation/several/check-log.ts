import type { DomainRecord } from '../../../../src/domain/streams/domain-events.ts';
import type { Identities } from '../../../../src/ingest/identities/identities.ts';
import type { World } from '../world.ts';
import { GAMES, SOURCES, type Told } from './messages.ts';
import type { Settings } from './settings.ts';

/** What becomes of a message of each kind; the second where it says what is known. */
const TYPES: Readonly<Record<Told['kind'], readonly string[]>> = {
  schedule: ['EventScheduled'],
  score: ['ScoreChanged', 'ScoreReconfirmed'],
  odds: ['PricesChanged', 'PricesReconfirmed'],
  injury: ['InjuryReported', 'InjuryReconfirmed'],
};
const KINDS = Object.entries(TYPES);

/** Each message is one fact of its game's stream; each game is one event, whoever tells of it. */
export async function checkLog(
  world: World,
  settings: Settings,
  messages: readonly Told[],
  identities: Identities,
  records: readonly DomainRecord[],
): Promise<void> {
  const ids = new Map<string, number>();
  for (const { ref } of GAMES.slice(0, settings.games)) {
    const found = new Set<number>();
    for (const source of SOURCES) found.add((await identities.findEvent(source, `${source}-${ref}`))?.id ?? -1);
    const [id] = found;
    world.check(found.size === 1 && id !== -1, () => `the sources know ${ref} by several events: ${[...found]}`);
    ids.set(ref, id!);
  }
  world.check(new Set(ids.values()).size === ids.size, () => `games share an event: ${[...ids]}`);
  const made = new Set(records.flatMap(({ type, stream }) => (type === 'EventScheduled' ? [stream] : [])));
  world.check(made.size === settings.games, () => `${settings.games} games became ${[...made]}`);

  const facts = new Map<string, string[]>();
  for (const { type, stream, data } of records) {
    const [kind] = KINDS.find(([, types]) => types.includes(type)) ?? [];
    if (!kind) continue;
    const fact = `${kind} ${data.source} ${Date.parse(data.at)}`;
    facts.set(fact, [...(facts.get(fact) ?? []), stream]);
  }
  for (const { kind, source, at, game } of messages) {
    const fact = `${kind} ${source} ${Date.parse(at)}`;
    const streams = facts.get(fact) ?? [];
    const expected =
      kind === 'injury' ? streamOfInjury(streams) : `${kind === 'odds' ? 'odds' : 'event'}-${ids.get(game)}`;
    world.check(
      streams.length === 1 && streams[0] === expected,
      () => `${fact} of ${game} should stand in ${expected} once, but is in [${streams}]`,
    );
    facts.delete(fact);
  }
  world.check(facts.size === 0, () => `nobody told ${[...facts.keys()]}`);
}

/** Whatever the id of its team, it stands among that team's injuries. */
const streamOfInjury = ([stream = '']: readonly string[]): string =>
  stream.startsWith('injuries-') ? stream : 'the injuries of its team';
