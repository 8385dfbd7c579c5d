import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { assumedScheduleTime } from '../parsing/assumed-times.ts';
import { asTime, readJson, unwrapEnvelope } from '../parsing/json-values.ts';
import { type Provider, UnknownAnswerShape } from './provider.ts';

interface VenueFiles {
  readonly name: string;
  readonly summary: string;
  readonly createProvider: () => Provider;
  /** The path whose answers have this shape; undefined: none. */
  readonly pathOf: (body: unknown) => string | undefined;
}

/**
 * The importer of saved lists of markets: what their contracts are, and how they were settled. Order books are read from
 * archives, in which the list that names their markets stands before them.
 */
export const createVenueImporter = ({ name, summary, createProvider, pathOf }: VenueFiles): Importer => ({
  name,
  summary,
  async *translate(file, { at }) {
    const { body } = unwrapEnvelope(await readJson(file, summary));
    const path = pathOf(body);
    if (path === undefined) throw new UnknownFileShape(file.name, summary);
    const given = asTime(at);
    const times = { observedAt: given ?? 0, arrivedAt: given ?? 0 };
    try {
      for await (const item of createProvider().read({ request: { path, query: {} }, body, ...times })) {
        // Of an unclear contract whose game is not told nobody knows a time: its note stands beside it.
        if ('message' in item && given === undefined && item.message['match'] === undefined) continue;
        if ('message' in item) yield given === undefined ? { message: withAssumedTime(item.message) } : item;
        else if ('note' in item) yield item;
        else if ('rejected' in item) yield { note: item.rejected };
        else yield { note: { code: 'drift', message: `${item.drift.path}: ${item.drift.problem}` } };
      }
    } catch (error) {
      if (error instanceof UnknownAnswerShape) throw new UnknownFileShape(file.name, summary);
      throw error;
    }
  },
});

/** Where nobody says when the list was saved: the time that schedules without one have, by the start of the game. */
function withAssumedTime(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { starts_at: startsAt } = message['match'] as { readonly starts_at: string };
  return { ...message, at: assumedScheduleTime(Date.parse(startsAt)) };
}
