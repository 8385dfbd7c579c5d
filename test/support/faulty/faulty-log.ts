import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { AppendOutcome, EventLog, ReadPagesOptions, StreamAppend } from '../../../src/event-log/port/event-log.ts';
import { requireAppended } from '../../../src/event-log/port/event-log.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import { gappedLog } from './log-with-gaps.ts';

const BATCH = 1000;

/**
 * An embedded log as a service of another machine is. Every call takes some time, so that calls of one moment overtake
 * each other. The appends of one call go out each for itself, in order only where they are of one stream. Positions
 * have gaps. Pages may be short anywhere, as behind a filter. The answer of an append may get lost, alone.
 */
export function createFaultyLog(embedded: EventLog, far: FaultyNetwork): EventLog {
  const log = gappedLog(embedded);
  const pending = new Set<Promise<unknown>>();

  function call<T>(name: string, effect: () => Promise<T>): Promise<T> {
    const answer = far.call(name, effect);
    const settled: Promise<unknown> = answer.catch(() => {}).finally(() => pending.delete(settled));
    pending.add(settled);
    return answer;
  }

  const readAll: EventLog['readAll'] = (after, limit) =>
    call('readAll', () => log.readAll(after, 1 + far.random.below(limit)));

  async function* pages(
    after: Position | null,
    { batch = BATCH, signal }: ReadPagesOptions = {},
  ): AsyncGenerator<readonly LogRecord[]> {
    let from = after;
    for (;;) {
      signal?.throwIfAborted();
      const page = await readAll(from, batch);
      signal?.throwIfAborted();
      if (page.length === 0) return;
      yield page;
      from = page.at(-1)!.position;
    }
  }

  /** Without an index of times: from the end back to where the records are older. */
  async function* since(time: string, options?: ReadPagesOptions): AsyncGenerator<readonly LogRecord[]> {
    const found: Position[] = [];
    for await (const page of log.readSince(time)) found.push(...page.map(({ position }) => position));
    const first = found[0];
    if (first === undefined) return;
    const [before] = await call('readBackwards', () => log.readBackwards(1, first));
    yield* pages(before?.position ?? null, options);
  }

  /** The appends of one stream, one after another. */
  async function appendInTurn(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const outcomes: AppendOutcome[] = [];
    for (const append of appends) {
      outcomes.push(...(await call(`append to ${append.stream}`, () => log.appendAll([append]))));
    }
    return outcomes;
  }

  const appendAll: EventLog['appendAll'] = async (appends) => {
    // What the caller does to its objects from now on is no matter.
    const sent = structuredClone(appends);
    const places = new Map<string, number[]>();
    for (const [place, { stream }] of sent.entries()) places.set(stream, [...(places.get(stream) ?? []), place]);
    const outcomes = new Array<AppendOutcome>(sent.length);
    const ended = await Promise.allSettled(
      [...places.values()].map(async (own) => {
        const results = await appendInTurn(own.map((place) => sent[place]!));
        for (const [index, place] of own.entries()) outcomes[place] = results[index]!;
      }),
    );
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return outcomes;
  };

  return {
    appendAll,
    append: async (stream, events, expected) => requireAppended((await appendAll([{ stream, events, expected }]))[0]!),
    readStream: (...args) => call('readStream', () => log.readStream(...args)),
    readStreams: (streams) => call('readStreams', () => log.readStreams(streams)),
    readAll,
    readAllFrom: pages,
    readSince: since,
    readBackwards: (limit, before) =>
      call('readBackwards', () => log.readBackwards(1 + far.random.below(limit), before)),
    recordAt: (position) => call('recordAt', () => log.recordAt(position)),
    head: () => call('head', () => log.head()),
    countBetween: log.countBetween,
    onCommitted: log.onCommitted,
    replacements: log.replacements,
    async close() {
      while (pending.size > 0) await Promise.all(pending);
      await log.close();
    },
  };
}
