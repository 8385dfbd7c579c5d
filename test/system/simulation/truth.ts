import { isDeepStrictEqual } from 'node:util';
import { odds } from '../../../projections/odds/odds.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import { isOver } from '../../../src/domain/sports-events/sports-event.ts';
import type { StoredRecord } from '../../../src/event-log/storage/stored-record.ts';
import type { ScoreSnapshot } from '../../../src/read-models/rendering/event-schemas.ts';
import { renderScoreSnapshot } from '../../../src/read-models/rendering/render-event.ts';
import { decoded } from './disk.ts';

/** Shows every record that went into it. Folds in place, as projections may; most kinds of records pass it by. */
interface Trail {
  seen: number[];
  readonly version: number;
}

export const trail = (version: number, poison: boolean): Projection<Trail> => ({
  name: 'trail',
  version,
  types: ['ScoreChanged', 'PricesChanged'],
  key: ({ data }) => (data.content.period === 'of no document' ? undefined : String(data.eventId)),
  apply(document = { seen: [], version }, { position, data }) {
    document.seen.push(Number(position) * version);
    if (poison && version === 1 && data.content.period === 'poison') throw new Error('poison');
    return document;
  },
  fields: { count: { kind: 'number', of: ({ seen }) => seen.length } },
  indexes: [['count']],
});

/** Only a projection that is patient folds these. */
export const PATIENT_TYPE = 'EventBound';

/** A document for each record. */
const marks: Projection<{ readonly type: string; readonly position: number }> = {
  name: 'marks',
  version: 1,
  types: ['ScoreChanged', PATIENT_TYPE],
  key: ({ position }) => String(position),
  apply: (_, { type, position }) => ({ type, position: Number(position) }),
  fields: { type: { kind: 'string', of: ({ type }) => type } },
  indexes: [['type']],
  hasDocumentPerRecord: true,
  toleratesDelay: true,
};

export const projectionsOf = (trailVersion: number, poison: boolean): readonly Projection[] => [
  events,
  odds,
  trail(trailVersion, poison),
  marks,
];

export const NAMES: readonly string[] = ['events', 'odds', 'trail', 'marks'];

/** A document after one of its records. */
interface Stage {
  readonly position: number;
  /** JSON. */
  readonly text: string;
}

/** What an event's score showed after one record of its stream. */
export interface Shown {
  readonly position: number;
  readonly text: string;
  /** Differs when anything changed that the stream tells of. */
  readonly mark: string;
  readonly over: boolean;
}

/** What must be so: a plain fold of the log, record by record as they become durable. */
export class Truth {
  #folds: { projection: Projection; documents: Map<string, unknown>; stages: Map<string, Stage[]>; isOver: boolean }[];
  #shown = new Map<string, Shown[]>();
  #said = new Map<string, number>();

  constructor(poison: boolean) {
    const trails = [1, 2, 3].map((version) => trail(version, poison));
    this.#folds = [events, odds, marks, ...trails].map((projection) => ({
      projection,
      documents: new Map(),
      stages: new Map(),
      isOver: false,
    }));
  }

  add(stored: StoredRecord): void {
    const said = `${stored.stream} ${/"at":"([^"]*)"/.exec(stored.data)?.[1]}`;
    this.#said.set(said, (this.#said.get(said) ?? 0) + 1);
    for (const fold of this.#folds) {
      const { projection, documents, stages } = fold;
      if (fold.isOver || !projection.types.includes(stored.type)) continue;
      const record = decoded(stored);
      const key = projection.key(record);
      if (key === undefined) continue;
      let document: any;
      try {
        document = projection.apply(documents.get(key), record);
      } catch {
        // The projection stops before this record.
        fold.isOver = true;
        continue;
      }
      documents.set(key, document);
      push(stages, key, { position: stored.position, text: JSON.stringify(document) });
      if (projection === events) push(this.#shown, stored.stream, shownOf(stored.position, document));
    }
  }

  /** How many records of a stream tell what was said at this time. */
  timesSaid(stream: string, at: string): number {
    return this.#said.get(`${stream} ${at}`) ?? 0;
  }

  #stages(name: string, version: number): Map<string, Stage[]> {
    return this.#folds.find(({ projection }) => projection.name === name && projection.version === version)!.stages;
  }

  /** The last record up to `until` of each document. */
  lastOf(name: string, version: number, until: number): Map<string, Stage> {
    const last = new Map<string, Stage>();
    for (const [key, stages] of this.#stages(name, version)) {
      const stage = stages.findLast(({ position }) => position <= until);
      if (stage) last.set(key, stage);
    }
    return last;
  }

  /** What is wrong with a document as of a position; undefined when nothing is. */
  wrongWith(name: string, version: number, key: string, position: number, document: unknown): string | undefined {
    const stage = this.#stages(name, version)
      .get(key)
      ?.find((one) => one.position === position);
    if (!stage) return `${name} ${key}: no record of it at ${position}`;
    const text = JSON.stringify(document);
    if (text === stage.text || isDeepStrictEqual(JSON.parse(text), JSON.parse(stage.text))) return undefined;
    return `${name} ${key} as of ${position}:\n  ${text}\nbut the fold of the log is\n  ${stage.text}`;
  }

  /** How an event's score showed, record by record. */
  shown(stream: string): readonly Shown[] {
    return this.#shown.get(stream) ?? [];
  }
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function shownOf(position: number, document: EventDocument): Shown {
  const snapshot = renderScoreSnapshot(document);
  const { status, period, clock, scores } = snapshot;
  const mark = JSON.stringify([status, period, clock, scores.map(({ name: _, abbreviation: __, ...rest }) => rest)]);
  return { position, text: JSON.stringify(snapshot), mark, over: isOver(status) };
}

export const sameSnapshot = (text: string, snapshot: ScoreSnapshot): boolean =>
  isDeepStrictEqual(JSON.parse(text), snapshot);
