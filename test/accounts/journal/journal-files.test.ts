import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCharge, newLedgerBatch, toStreamAppends } from '../../../src/accounts/credits/ledger-batch.ts';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { readJournal } from '../../../src/accounts/journal/read-journal.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { anyCharge } from './any-charge.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const files = () => journalFiles(folder);
const numbers = () => readJournal(files()).entries.map(({ number }) => number);

const openFiles = (bytes?: number) => openJournal<ChargesEntry>(files(), bytes);

const anyAppends: fc.Arbitrary<ChargesEntry['appends']> = fc
  .array(fc.record({ accountId: fc.nat(3), charge: anyCharge, unlimited: fc.boolean() }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((all) => {
    const entered = newLedgerBatch();
    for (const { accountId, charge, unlimited } of all) addCharge(entered, accountId, charge, unlimited);
    return toStreamAppends(entered, () => 'w.1');
  });

const [someAppends] = fc.sample(anyAppends, { numRuns: 1, seed: 1 }) as [ChargesEntry['appends']];

describe('a journal of charges', () => {
  it('has the entries that were written and not released', async () => {
    // Given a journal whose files take turns after few entries.
    const step = fc.record({ appends: anyAppends, release: fc.boolean(), behind: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const journal = openFiles(1500);
        const written: ChargesEntry['appends'][] = [];
        let released = 0;
        for (const { appends, release, behind } of steps) {
          written.push(appends);
          await journal.write({ number: written.length, appends });
          if (release) {
            released = Math.max(released, written.length - behind);
            journal.release(released);
          }
          // Then the entries that were not released are there at any time, each as it was, in their order.
          const entries = readJournal<ChargesEntry>(files()).entries;
          const kept = entries.filter(({ number }) => number > released);
          expect(kept.map(({ number }) => number)).toEqual(
            Array.from({ length: written.length - released }, (_, i) => released + 1 + i),
          );
          for (const { number, appends: read } of kept) {
            expect(read).toEqual(JSON.parse(JSON.stringify(written[number - 1])));
          }
        }
        journal.close();
      }),
      { numRuns: 60 },
    );
  });

  it('does not grow without end', async () => {
    const journal = openFiles(2000);
    for (let number = 1; number <= 200; number++) {
      await journal.write({ number, appends: someAppends });
      journal.release(number - 3);
    }
    journal.close();
    for (const file of files()) expect(statSync(file).size).toBeLessThan(10_000);
  });

  it('is read wherever it is whole, before and after truncated or damaged parts', async () => {
    const journal = openFiles();
    const ends: number[] = [];
    for (const appends of fc.sample(anyAppends, { numRuns: 5, seed: 1 })) {
      await journal.write({ number: ends.length + 1, appends });
      ends.push(readFileSync(files()[0]).lastIndexOf('\n') + 1);
    }
    journal.close();
    const whole = readFileSync(files()[0]).subarray(0, ends.at(-1));
    for (let length = 0; length <= whole.length; length += 7) {
      const entries = ends.filter((end) => end <= length).map((_, i) => i + 1);
      writeFileSync(files()[0], whole.subarray(0, length));
      expect(numbers()).toEqual(entries);
      if (length === whole.length) continue;
      const spoiled = Buffer.from(whole);
      spoiled[length]! ^= 1;
      writeFileSync(files()[0], spoiled);
      const hit = entries.length + 1;
      expect(numbers()).toEqual(ends.map((_, i) => i + 1).filter((number) => number !== hit));
    }
  });

  it('is deleted when all of it is in the log', async () => {
    const journal = openFiles();
    await journal.write({ number: 1, appends: someAppends });
    journal.release(1);
    journal.close();
    expect(() => statSync(files()[0])).toThrow('ENOENT');
    expect(readJournal(files()).entries).toEqual([]);
  });

  it('stays for the next start if a part is not in the log', async () => {
    const journal = openFiles();
    await journal.write({ number: 1, appends: someAppends });
    await journal.write({ number: 2, appends: someAppends });
    journal.release(1);
    journal.close();
    expect(numbers()).toEqual([1, 2]);
  });

  it('is readable by its owner only', () => {
    openFiles();
    expect(statSync(files()[0]).mode & 0o777).toBe(0o600);
  });
});
