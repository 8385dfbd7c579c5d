import { expect, it } from 'vitest';
import { odds } from '../../../projections/odds/odds.ts';
import { oddsMovements } from '../../../projections/odds/odds-movements.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { plainFold } from '../../system/properties/plain-fold.ts';
import { BEGIN, counted, longHistory } from './long-history.ts';

const CHANGES = 12_000;
/** Less than what the records and all snapshots of their folds would take, which is some 30 MiB: half of this is for
 *  records, and an eighth for the snapshots of one fold, of which each has half a MiB. */
const SMALL = { maxBytes: 14 * 1024 * 1024 };

it('fault 7: a second as_of costs no whole fold where the history is too large to be kept', async () => {
  for (const basis of ['recorded', 'observed'] as const) {
    const whole = await longHistory(CHANGES, { time: BEGIN });
    const { log, read } = counted(whole);
    const histories = createDocumentHistory(log, SMALL);
    const at = (part: number) => ({ basis, at: BEGIN + Math.round(part * 1000 * CHANGES) });
    await histories.documentsAsOf(oddsMovements, '1:', at(1));
    expect(read.records).toBeGreaterThanOrEqual(CHANGES);
    for (const part of [0.93, 0.31, 0.77, 0.05, 1]) {
      read.records = 0;
      const found = await histories.documentsAsOf(oddsMovements, '1:', at(part));
      expect(read.records).toBeLessThan(CHANGES / 2);
      expect([...found]).toEqual([...(await plainFold(whole, oddsMovements, '1:', at(part)))]);
    }
    expect(read.largest).toBeLessThan(CHANGES);
  }
});

it('fault 7: whoever asks first pays for the whole history, and nobody who asks for a later moment pays again', async () => {
  for (const late of [100, 3000]) {
    for (const basis of ['recorded', 'observed'] as const) {
      const whole = await longHistory(CHANGES, { time: BEGIN }, late);
      const { log, read } = counted(whole);
      const histories = createDocumentHistory(log, SMALL);
      const at = (part: number) => ({ basis, at: BEGIN + Math.round(part * 1000 * CHANGES) });
      await histories.documentsAsOf(oddsMovements, '1:', at(0.05));
      expect(read.records).toBeLessThan(3 * CHANGES);
      for (const part of [0.1, 0.53, 0.93, 1]) {
        read.records = 0;
        const found = await histories.documentsAsOf(oddsMovements, '1:', at(part));
        expect(read.records).toBeLessThan(CHANGES / 4);
        expect([...found]).toEqual([...(await plainFold(whole, oddsMovements, '1:', at(part)))]);
      }
    }
  }
});

it('fault 7: a cold as_of of a long history lets others have the event loop', async () => {
  const log = await longHistory(CHANGES, { time: BEGIN });
  for (const basis of ['recorded', 'observed'] as const) {
    const { longest } = await longestBlocking(() =>
      createDocumentHistory(log).documentsAsOf(oddsMovements, '1:', { basis, at: BEGIN + 1000 * CHANGES }),
    );
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  }
});

it('records that come later are folded onto what is kept, and nothing else is read', async () => {
  const clock = { time: BEGIN };
  const whole = await longHistory(CHANGES, clock);
  const { log, read } = counted(whole);
  const histories = createDocumentHistory(log, SMALL);
  const now = { basis: 'observed', at: Number.POSITIVE_INFINITY } as const;
  await histories.documentsAsOf(oddsMovements, '1:', now);
  const [last] = await whole.readStream('odds-1', { direction: 'backwards', limit: 1 });
  for (let again = 0; again < 3; again++) {
    const { type, version, data, meta } = last!;
    await whole.append('odds-1', [{ type, version, data, meta }], 'any');
    read.records = 0;
    const found = await histories.documentsAsOf(oddsMovements, '1:', now);
    expect(read.records).toBeLessThan(CHANGES / 2);
    expect([...found]).toEqual([...(await plainFold(whole, oddsMovements, '1:', now))]);
  }
});

it('a reconfirmation is folded at its own time, however often it is read again', async () => {
  const clock = { time: BEGIN };
  const whole = await longHistory(100, clock);
  const at = '2026-03-01T00:03:00Z';
  const [record] = await whole.readStream('odds-1', { fromRevision: 95, limit: 1 });
  const { content, ...same } = record!.data as { content: { bookmaker: string } };
  const data = { ...same, at, of: 95, bookmaker: content.bookmaker };
  await whole.append('odds-1', [{ type: 'PricesReconfirmed', version: 1, data, meta: record!.meta }], 'any');
  const histories = createDocumentHistory(whole, { snapshotEvery: 4 });
  const now = { basis: 'observed', at: Number.POSITIVE_INFINITY } as const;
  const { books } = (await histories.documentsAsOf(odds, '1', now)).get('1')!;
  expect(books[content.bookmaker]!.capturedAt).toBe(at);
  expect([...(await histories.documentsAsOf(odds, '1', now))]).toEqual([...(await plainFold(whole, odds, '1', now))]);
});
