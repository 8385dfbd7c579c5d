import stringify from 'safe-stable-stringify';
import { projections } from '../../../projections/index.ts';
import { corrections } from '../../../projections/sports-events/corrections.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { recordsAfter } from '../../../src/server/cli/replay.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';

/** What a data folder holds, without when it was recorded. Keys are places, values canonical JSON. */
export interface Dump {
  /** `projection/key`. What is a correction, and by which id, the order of the log tells: so those are left out. */
  readonly documents: ReadonlyMap<string, string>;
  /** How often each fact stands in the log. Messages that waited may be taken up in another order after a crash, which
   *  changes no fact: so neither the order counts, nor what a record repeats for the sake of its place in it. */
  readonly facts: ReadonlyMap<string, string>;
  /** Fingerprints of what waits. */
  readonly waiting: readonly string[];
}

const PAGE = 1000;
const subjectOf = (type: string): string =>
  type === 'EventScheduled' ? 'Schedule' : type.replace(/(Changed|Reported|Reconfirmed)$/, '');
/** When the server recorded something, and where in the log, differs from one run to the next. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  ...['updatedAt', 'recordedAt', 'endRecordedAt', 'recorded', 'recorded_at', 'rowAt', 'changedAt'],
  ...['ground', 'grounds', 'namedBy', 'heardAt'],
]);

function withoutThose(key: string, value: unknown): unknown {
  if (OF_THE_RUN.has(key)) return undefined;
  // Its time is that of a recording.
  if (key === 'calendar') return (value as { readonly sequence: number }).sequence;
  // Of games, as texts.
  if (key === 'row' && typeof value === 'string') return gameWithoutThose(value);
  if (key === 'rows' && typeof value === 'object') {
    const rows = Object.entries(value ?? {});
    return Object.fromEntries(rows.map(([id, row]) => [id, typeof row === 'string' ? gameWithoutThose(row) : row]));
  }
  return key === 'box' && Array.isArray(value) ? observedOf(value) : value;
}

/** Of a game's row, as `rowText` writes it: when it was recorded stands before when it was observed. */
function gameWithoutThose(text: string): unknown {
  const [counts, game, known, box] = JSON.parse(text);
  return [counts, game, observedOf(known), ...(box ? [[box[0], observedOf(box[1])]] : [])];
}
const observedOf = (known: readonly unknown[]): unknown => known.slice(2);

/** Reads a folder whose read models stand at the end of its log. */
export async function dumpFolder(folder: string): Promise<Dump> {
  const { log, store, identities, close } = await openForReading(readConfig({}, folder));
  const documents = new Map<string, string>();
  const facts = new Map<string, string>();
  try {
    for (const { name } of projections) {
      if (name === corrections.name) continue;
      const build = await store.activeGeneration(name);
      let after: string | null = null;
      for (;;) {
        const page = await store.scan(name, build!, after, PAGE);
        for (const { key, document } of page) documents.set(`${name}/${key}`, stringify(document, withoutThose)!);
        if (page.length < PAGE) break;
        after = page.at(-1)!.key;
      }
    }
    const contents = new Map<string, object>();
    for await (const { stream, revision, type, data } of recordsAfter(log, null)) {
      // Whether a price is suspect is judged by the prices that had arrived before it.
      const { late, correction, of, bookmaker, player, playerId, suspect, ...said } = data as Record<string, unknown>;
      if (type === 'EventBound') delete said['at'];
      if ('content' in said) contents.set(`${stream}/${revision}`, said['content'] as object);
      // A repetition in compact form is the same fact as in its whole form.
      if (of !== undefined) said['content'] = contents.get(`${stream}/${of}`);
      const fact = `${stream} ${subjectOf(type)} ${stringify(said)}`;
      facts.set(fact, String(Number(facts.get(fact) ?? 0) + 1));
    }
    const waiting = (await identities.listQuarantined(100_000)).map(({ fingerprint }) => fingerprint).sort();
    return { documents, facts, waiting };
  } finally {
    await close();
  }
}

/** The places at which two dumps differ, the first few with what stands there. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const places = [...new Set([...before.keys(), ...after.keys()])].filter(
    (place) => before.get(place) !== after.get(place),
  );
  return places
    .slice(0, 5)
    .map((place) => `${place}: ${before.get(place)} BECAME ${after.get(place)} (${places.length} differ)`);
}
