import { describe, expect, it } from 'vitest';
import { progressLine, showProgress } from '../../../src/server/cli/progress.ts';

function terminal(isTTY: boolean, columns = 200) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe('progress', () => {
  it('tells what, how far, how fast and how long it still takes', () => {
    expect(progressLine('ingest a.ndjson', 'messages', 2500, 10_000, 5)).toBe(
      'ingest a.ndjson: 2,500 messages of 10,000 messages (25 %), 500 messages/s, 15 s left',
    );
    expect(progressLine('ingest -', 'messages', 10, undefined, 0)).toBe('ingest -: 10 messages');
    expect(progressLine('import', 'bytes', 3e6, 9e8, 1)).toMatch(/^import: 3\.0 MB of 900\.0 MB .* 4 min 59 s left$/);
  });

  it('writes to a terminal, not more often than it can be read, and leaves a clean line', () => {
    const screen = terminal(true);
    let time = 0;
    const progress = showProgress('work', 'records', screen, () => time);

    for (time = 0; time < 1000; time += 10) progress.update(time, 1000);
    progress.end();

    expect(screen.written).toHaveLength(6);
    expect(screen.written.at(-1)).toBe('\r\x1b[K');
  });

  it('fits the width of the terminal, where that is known', () => {
    const shown = (columns: number) => {
      const screen = terminal(true, columns);
      showProgress('work', 'records', screen, () => 0).update(12, 1000);
      return screen.written.join('').replace('\r\x1b[K', '');
    };
    expect(shown(10)).toBe('work: 12 r');
    expect(shown(0)).toBe('work: 12 records of 1,000 records (1 %)');
  });

  it('tells no rate of the first moment', () => {
    expect(progressLine('work', 'records', 500, 1000, 0.01)).toBe('work: 500 records of 1,000 records (50 %)');
  });

  it('writes nothing into a pipe', () => {
    const pipe = terminal(false);
    const progress = showProgress('work', 'records', pipe);
    progress.update(1, 2);
    progress.end();

    expect(pipe.written).toEqual([]);
  });
});
