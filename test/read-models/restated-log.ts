import fc from 'fast-check';
import { replacementStream } from '../../src/domain/identities/stream-replacements.ts';
import { formatTime } from '../../src/domain/primitives/time.ts';
import { CURRENT_VERSIONS, type DomainEventType, streams } from '../../src/domain/streams/domain-events.ts';
import { IDENTITY_STREAM_ID } from '../../src/domain/streams/identity-stream.ts';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';

/** Somebody's words about what he calls an event. */
export interface Telling {
  readonly kind: 'schedule' | 'score' | 'prices' | 'box' | 'splits' | 'lineup' | 'intelligence';
  readonly ref: number;
  readonly value: number;
}
/** From now on this ref means this event. `isLost`: the process died before the act was done. */
export interface Act {
  readonly ref: number;
  readonly into: number;
  readonly isLost?: boolean;
}
export type Step = Telling | Act;

const isAct = (step: Step): step is Act => 'into' in step;
/** Each ref means another event at first. */
const REFS = [1, 2, 3];
const START = Date.parse('2026-11-01T00:00:00Z');
const at = (time: number): string => new Date(time).toISOString();

const side = (id: number) => ({
  key: `team:${id}`,
  id,
  name: `Team ${id}`,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});

type Spoken = {
  readonly stream: 'event' | 'odds' | 'box' | 'splits' | 'lineup' | 'intelligence';
  readonly type: DomainEventType;
  readonly more: object;
};

function spokenOf({ kind, ref, value }: Telling): Spoken {
  switch (kind) {
    case 'schedule': {
      const starts_at = at(START + (value % 4) * 20 * 24 * 3600_000);
      const sides = [side(1 + (value % 3)), side(4 + ref)];
      const season = { year: 2026, phase: 'regular' };
      return {
        stream: 'event',
        type: 'EventScheduled',
        more: { content: { starts_at, sides, season }, origin: { ref: `r${ref}` } },
      };
    }
    case 'score': {
      const status = value % 2 ? 'final' : 'inprogress';
      return {
        stream: 'event',
        type: 'ScoreChanged',
        more: { content: { status, sides: [{ score: String(90 + value) }, { score: '93' }] } },
      };
    }
    case 'prices': {
      const outcomes = [
        { outcome: 'home', price: -110 - value },
        { outcome: 'away', price: 100 + value },
      ];
      const markets = [{ key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes }];
      return { stream: 'odds', type: 'PricesChanged', more: { content: { bookmaker: `book${value % 2}`, markets } } };
    }
    case 'box': {
      const players = [
        { role: 'home', ref: `p${value % 2}`, name: `Jo Doe${value % 3 ? 'x' : 'y'}`, stats: { points: value } },
      ];
      return {
        stream: 'box',
        type: 'BoxChanged',
        more: { content: { final: true, players, teams: { home: { rebounds: value }, away: { rebounds: 3 } } } },
      };
    }
    case 'splits':
      return {
        stream: 'splits',
        type: 'SplitsChanged',
        more: { content: { markets: { moneyline: { home: { bets_pct: value } } } } },
      };
    case 'lineup':
      return {
        stream: 'lineup',
        type: 'LineupChanged',
        more: { content: { teams: { home: { players: [{ name: `P${value}`, ref: `p${value}`, starter: true }] } } } },
      };
    case 'intelligence':
      return {
        stream: 'intelligence',
        type: 'IntelligencePublished',
        more: {
          has_recommend: value % 2 === 0,
          model_version: `m${value}`,
          hash: 'h',
          grounds: { through: '0', facts: [] },
        },
      };
  }
}

interface Told extends Telling {
  /** Milliseconds. */
  readonly time: number;
}

const recordOf = (told: Told, event: number, firstRecordedAt?: string) => {
  const { stream, type, more } = spokenOf(told);
  const data = { eventId: event, sport: 'nba', league: 'nba', at: at(told.time), source: `s${told.ref}`, ...more };
  const meta = { partition: `event-${event}`, ...(firstRecordedAt === undefined ? {} : { firstRecordedAt }) };
  return { stream: streams[stream](event), record: { type, version: CURRENT_VERSIONS[type], data, meta } };
};

export interface RestatedWorld {
  /** As a server has it whose operator did the acts. */
  readonly log: EventLog;
  /** As a server has it to which all had been told under the right ids. Recorded at the same times. */
  oracle(): Promise<EventLog>;
  take(step: Step): Promise<void>;
}

/**
 * Logs written by hand, with the same records as the intake writes for acts.
 * @param open the log of the acts, with this clock
 */
export function restatedWorld(
  open: (options: { readonly now: () => number }) => EventLog = createMemoryLog,
): RestatedWorld {
  let time = START - 40 * 24 * 3600_000;
  const log = open({ now: () => time });
  const owners = new Map(REFS.map((ref) => [ref, ref]));
  const all: Told[] = [];
  const suffixes = new Map<number, string>();
  let acts = 0;
  let attempts = 0;
  const streamOf = (plain: string, event: number) => {
    const suffix = suffixes.get(event);
    return suffix === undefined ? plain : replacementStream(plain, suffix);
  };

  async function act({ ref, into, isLost = false }: Act): Promise<void> {
    const from = owners.get(ref)!;
    if (from === into) return;
    const suffix = String(++attempts);
    const after = new Map(owners).set(ref, into);
    const events = [from, into];
    // Intelligence is learnt again.
    for (const told of all.filter(({ kind }) => kind !== 'intelligence')) {
      const event = after.get(told.ref)!;
      if (!events.includes(event)) continue;
      const { stream, record } = recordOf(told, event, at(told.time));
      await log.append(replacementStream(stream, suffix), [record], 'any');
    }
    if (isLost) return;
    const said = { at: at(time), source: 'operator', act: ++acts };
    const content = {
      action: 'split',
      what: 'event',
      sourceRef: { source: `s${ref}`, ref: `r${ref}` },
      from,
      into,
      intoRef: null,
      sport: 'nba',
      league: 'nba',
    };
    const data = {
      ...said,
      content,
      moved: { records: 0, refs: 1 },
      replacement: { suffix, events },
      note: null,
      by: null,
    };
    await log.append(
      streams.identity(IDENTITY_STREAM_ID),
      [{ type: 'IdentityActed', version: 1, data, meta: { partition: 'identity-1' } }],
      'any',
    );
    log.replacements.note({
      act: acts,
      at: formatTime(time),
      content: content as never,
      replacement: { suffix, events },
      recordedAt: time,
    });
    for (const event of events) {
      const restated = {
        eventId: event,
        sport: 'nba',
        league: 'nba',
        ...said,
        suffix,
        previous: suffixes.get(event) ?? null,
      };
      const meta = { partition: `event-${event}` };
      await log.append(
        replacementStream(streams.event(event), suffix),
        [{ type: 'EventRestated', version: 1, data: restated, meta }],
        'any',
      );
      suffixes.set(event, suffix);
    }
    owners.set(ref, into);
    for (let i = all.length - 1; i >= 0; i--) {
      if (all[i]!.kind === 'intelligence' && events.includes(after.get(all[i]!.ref)!)) all.splice(i, 1);
    }
    // That of the former streams is of nobody any more.
    for (let i = all.length - 1; i >= 0; i--)
      if (all[i]!.kind === 'intelligence' && all[i]!.ref === ref) all.splice(i, 1);
  }

  return {
    log,
    async oracle() {
      let then = 0;
      const other = createMemoryLog({ now: () => then });
      for (const told of all) {
        then = told.time;
        const { stream, record } = recordOf(told, owners.get(told.ref)!);
        await other.append(stream, [record], 'any');
      }
      return other;
    },
    async take(step) {
      time += 60_000;
      if (isAct(step)) return act(step);
      const told = { ...step, time };
      all.push(told);
      const event = owners.get(step.ref)!;
      const { stream, record } = recordOf(told, event);
      await log.append(streamOf(stream, event), [record], 'any');
    },
  };
}

const ref = fc.constantFrom(...REFS);
const telling: fc.Arbitrary<Telling> = fc.record({
  kind: fc.constantFrom<Telling['kind']>(
    'schedule',
    'score',
    'score',
    'prices',
    'prices',
    'box',
    'splits',
    'lineup',
    'intelligence',
  ),
  ref,
  value: fc.nat({ max: 9 }),
});
const act: fc.Arbitrary<Act> = fc.record({
  ref,
  into: fc.constantFrom(1, 2, 3, 4),
  isLost: fc.nat({ max: 4 }).map((n) => n === 0),
});

/** Every ref is scheduled first, as in a log of a server. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.oneof({ weight: 5, arbitrary: telling }, { weight: 2, arbitrary: act }), { maxLength: 30 })
  .map((rest) => [...REFS.map((one): Step => ({ kind: 'schedule', ref: one, value: one })), ...rest]);

/** A document without positions, which differ from log to log. */
export const withoutPositions = (document: unknown): unknown =>
  JSON.parse(
    JSON.stringify(document, (name, value) =>
      ['rowAt', 'changedAt', 'position', 'through'].includes(name) ? undefined : value,
    ),
  );
