import { describe, expect, it } from 'vitest';
import { type CheckedMessage, IntakeBatch } from '../../../src/ingest/pipeline/intake-batch.ts';

const message = (line: number): CheckedMessage => ({ line, message: { kind: 'score' } as never });
const rejected: CheckedMessage = { line: 2, rejection: { code: 'c', message: 'm', path: '' } };
const lines = (batch: IntakeBatch) => batch.openMessages().map(({ line }) => line);

/** Lines 1 and 3 were decided, on these streams; line 2 was refused at once. */
function decided(streams: Record<1 | 3, readonly string[]>) {
  const batch = new IntakeBatch([message(1), rejected, message(3)]);
  const open = batch.openMessages();
  for (const item of open) {
    batch.markDecided(item, { line: item.line, status: 'accepted' }, streams[item.line as 1 | 3]);
  }
  return { batch, open };
}

describe('a batch', () => {
  it('given that everything is appended, then nothing is open, and outcomes are in order', () => {
    const { batch } = decided({ 1: ['event-1'], 3: ['odds-1'] });
    batch.markAppendedExcept(new Set());
    expect(lines(batch)).toEqual([]);
    expect(batch.outcomes().map(({ line, status }) => [line, status])).toEqual([
      [1, 'accepted'],
      [2, 'rejected'],
      [3, 'accepted'],
    ]);
  });

  it('given a stream in conflict, then only what was staged to it is open', () => {
    const { batch } = decided({ 1: ['event-1'], 3: ['odds-1'] });
    batch.markAppendedExcept(new Set(['odds-1']));
    expect(lines(batch)).toEqual([3]);
  });

  it('given a message of which a part was written, when the rest is known by then, then it was accepted', () => {
    const { batch } = decided({ 1: ['event-1', 'odds-1'], 3: ['odds-1'] });
    batch.markAppendedExcept(new Set(['odds-1']));
    for (const item of batch.openMessages()) batch.markDecided(item, { line: item.line, status: 'unchanged' }, []);
    batch.markAppendedExcept(new Set());
    // Of the other nothing was written: somebody else has told it.
    expect(batch.outcomes().map(({ status }) => status)).toEqual(['accepted', 'rejected', 'unchanged']);
  });

  it('given a refusal before anything was appended, then all that was decided is open again', () => {
    const { batch, open } = decided({ 1: ['event-1'], 3: [] });
    batch.reopen(open);
    expect(lines(batch)).toEqual([1, 3]);
    for (const item of batch.openMessages()) batch.markDecided(item, { line: item.line, status: 'unchanged' }, []);
    expect(batch.outcomes().map(({ status }) => status)).toEqual(['unchanged', 'rejected', 'unchanged']);
  });

  it('given a stream in conflict to which what was parked is released, then that is open, and keeps its outcome', () => {
    const batch = new IntakeBatch([message(1), message(2)]);
    const [parked, other] = batch.openMessages();
    batch.markDecided(parked!, { line: 1, status: 'quarantined' }, [], true);
    batch.markDecided(other!, { line: 2, status: 'accepted' }, ['odds-1']);
    batch.noteRetried(['event-1']);
    batch.markAppendedExcept(new Set(['event-1']));
    expect(lines(batch)).toEqual([1]);
    batch.markDecided(parked!, { line: 1, status: 'unchanged' }, []);
    expect(batch.outcomes().map(({ status }) => status)).toEqual(['quarantined', 'accepted']);
  });

  it('given a conflict elsewhere, then what was parked and released stays decided', () => {
    const batch = new IntakeBatch([message(1), message(2)]);
    const [parked, other] = batch.openMessages();
    batch.markDecided(parked!, { line: 1, status: 'quarantined' }, [], true);
    batch.noteRetried(['event-1']);
    batch.markDecided(other!, { line: 2, status: 'accepted' }, ['odds-1']);
    batch.markAppendedExcept(new Set(['odds-1']));
    expect(lines(batch)).toEqual([2]);
  });
});
