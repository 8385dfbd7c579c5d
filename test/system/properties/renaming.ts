import { normalizeName } from '../../../src/domain/primitives/name-normalization.ts';
import { type EventSides, profileOfSide } from '../../../src/domain/side-profiles.ts';
import { FIRST_ID, type SmallServer } from './small-server.ts';
import { EVENTS } from './world.ts';

/**
 * What a server holds and answers, with ids renamed by the sources' names: ids are given in the order of arrival, so
 * two servers that were told the same in another order agree only then.
 * @param isCompared whether the documents of a projection are
 */
export async function seenBy(
  server: SmallServer,
  isCompared: (projection: string) => boolean = () => true,
): Promise<{ documents: unknown; answers: unknown }> {
  // The order of arrival tells: what comes late is no correction.
  const { corrections: _, ...others } = await server.documents();
  const compared = Object.fromEntries(Object.entries(others).filter(([name]) => isCompared(name)));
  const documents = renamed(masked(compared), await namesOf(server));
  return { documents, answers: await answersOf(server) };
}

/** What a server answers of the events that it knows, as of a moment or now; ids renamed, `updated_at` left out. */
export async function answersOf(server: SmallServer, asOf: object = {}): Promise<unknown> {
  const answers: Record<string, unknown> = {};
  for (const { ref } of EVENTS) {
    const bound = await server.identities.findEvent('alpha', `alpha-${ref}`);
    const own = bound && (await answersFor(server, bound.id, asOf));
    if (own && !('error' in (own.detail as object))) answers[ref] = own;
  }
  return renamed(masked(answers), await namesOf(server));
}

type Names = ReadonlyMap<number, string>;

async function namesOf(server: SmallServer): Promise<Names> {
  const names = new Map<number, string>();
  for (const { ref } of EVENTS) {
    const bound = await server.identities.findEvent('alpha', `alpha-${ref}`);
    if (!bound) continue;
    names.set(bound.id, ref);
    for (const index of [0, 1]) names.set(2 * bound.id - 1 + index, `${ref}/${index}`);
  }
  for (const kind of ['teams', 'players'] as const) {
    for (const [id, document] of Object.entries((await server.documents())[kind]!)) {
      const { facts } = document as { facts: { name?: string; full_name?: string } };
      names.set(Number(id), normalizeName((facts.name ?? facts.full_name)!));
    }
  }
  return names;
}

/** Ten digits are an id; of what kind, its beginning tells. */
const ID = /\b[1-4]\d{9}\b/g;

function renamed(value: unknown, names: Names): unknown {
  const nameOf = (id: number): string => {
    const name = names.get(id);
    if (name === undefined) throw new Error(`nobody is known by the id ${id}`);
    return `<${name}>`;
  };
  if (typeof value === 'string') return value.replaceAll(ID, (digits) => nameOf(Number(digits)));
  if (typeof value === 'number') return value >= FIRST_ID.event && value < FIRST_ID.venue ? nameOf(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => renamed(member, names));
  const members = Object.entries(value).map(([key, member]) => [renamed(key, names), renamed(member, names)]);
  return Object.fromEntries(members);
}

/** Every read of one event, as of a moment or now. */
export async function answersFor(server: SmallServer, id: number, asOf: object = {}) {
  const addOns = { include_odds: true, include_intelligence: true, bookmaker: 'all' };
  return {
    detail: await server.ask('get_event', { id, ...addOns, include_alts: true, ...asOf }),
    score: await server.ask('get_live_score', { id, ...asOf }),
    odds: await server.ask('get_odds', { id, bookmaker: 'all', ...asOf }),
    history: await server.ask('get_odds_history', { id, bookmaker: 'all', limit: 200, ...asOf }),
    summary: await server.ask('get_odds_summary', { id, bookmaker: 'all', ...asOf }),
    intelligence: await server.ask('get_intelligence', { id, ...asOf }),
    periods: await server.ask('get_period_odds', { id, include_alts: true, ...asOf }),
    totals: await server.ask('get_team_props', { id, include_alts: true, ...asOf }),
    props: await server.ask('get_player_props', { id, include_alts: true, ...asOf }),
    splits: await server.ask('get_splits', { id, ...asOf }),
    injuries: await server.ask('get_injuries', { id, ...asOf }),
    stats: await server.ask('get_stats', { id, ...asOf }),
    batch: await server.ask('batch_get_events', { event_ids: [id], ...addOns, ...asOf }),
  };
}

/** Rows of tables, which stay where they stood once, and since when they are as they are. What is read from them is
 *  compared in the answers. */
const OF_TABLES = [
  ...['row', 'tables', 'left', 'recorded', 'observed', 'newest', 'newestAt', 'newestBox', 'rowAt', 'changedAt'],
  ...['recordedAt', 'endRecordedAt'],
];
/** They cite entries of the log by their place in it; of two that say the same, the first one. */
const OF_GROUNDS = ['ground', 'grounds', 'namedBy'];
const TABLE = /^(?:(?:season|teams?|players?):|(?:name|ref) )/;

/** Without what tells the order of arrival by its nature. */
function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  const result: Record<string, unknown> = {};
  const { described, updated_at: _, ...rest } = value as Record<string, unknown>;
  for (const [key, member] of Object.entries(rest)) if (!TABLE.test(key)) result[key] = masked(member);
  if (described !== undefined) {
    // What the directory says is told to an event only where it does not show already.
    result['shown'] = [0, 1].map((index) => profileOfSide(value as EventSides, index as 0 | 1));
  }
  if ('id' in result && 'name' in result && isPlace(result['id']))
    result['id'] = `place ${normalizeName(String(result['name']))}`;
  // How often a calendar had to be changed.
  delete result['calendar'];
  for (const name of ['revision', ...OF_GROUNDS, ...OF_TABLES]) delete result[name];
  // Of a game, since when its box is as it is.
  if (Array.isArray(result['box'])) delete result['box'];
  return result;
}

const isPlace = (id: unknown): boolean => typeof id === 'number' && id >= FIRST_ID.venue;
