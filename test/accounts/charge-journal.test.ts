import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChargeJournal, readJournal } from '../../src/accounts/credits/charge-journal.ts';
import { type AccountsCharges, enterCharge, newEntered } from '../../src/accounts/credits/ledger-appends.ts';
import { journalFiles } from '../../src/data-folder/paths.ts';
import { anyCharge } from './calls.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const files = () => journalFiles(folder);
const numbers = () => readJournal(files()).map(({ number }) => number);

const anyCharges: fc.Arbitrary<AccountsCharges> = fc
  .array(fc.record({ accountId: fc.nat(3), charge: anyCharge, unlimited: fc.boolean() }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((all) => {
    const entered = newEntered();
    for (const { accountId, charge, unlimited } of all) enterCharge(entered, accountId, charge, unlimited);
    return entered.charges!;
  });

const [someCharges] = fc.sample(anyCharges, { numRuns: 1, seed: 1 }) as [AccountsCharges];

describe('a journal of charges', () => {
  it('has what was written and not released, whatever was released before', async () => {
    // Given a journal whose files take turns after few entries.
    const step = fc.record({ charges: anyCharges, release: fc.boolean(), behind: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const journal = openChargeJournal(files(), 'j', 1500);
        const written: AccountsCharges[] = [];
        let released = 0;
        for (const { charges, release, behind } of steps) {
          written.push(charges);
          await journal.write(written.length, charges);
          if (release) {
            released = Math.max(released, written.length - behind);
            journal.release(released);
          }
          // Then the entries that were not released are there at any time, each as it was, in their order.
          const entries = readJournal(files());
          const kept = entries.filter(({ number }) => number > released);
          expect(kept.map(({ number }) => number)).toEqual(
            Array.from({ length: written.length - released }, (_, i) => released + 1 + i),
          );
          for (const { id, number, charges: read } of kept) {
            expect(id).toBe('j');
            expect(read).toEqual(JSON.parse(JSON.stringify(written[number - 1])));
          }
        }
        journal.close();
      }),
      { numRuns: 60 },
    );
  });

  it('does not grow without end', async () => {
    const journal = openChargeJournal(files(), 'j', 2000);
    for (let number = 1; number <= 200; number++) {
      await journal.write(number, someCharges);
      journal.release(number - 3);
    }
    journal.close();
    for (const file of files()) expect(statSync(file).size).toBeLessThan(10_000);
  });

  it('is read as far as it is whole, wherever its end was cut off or spoiled', async () => {
    const journal = openChargeJournal(files(), 'j');
    const ends: number[] = [];
    for (const charges of fc.sample(anyCharges, { numRuns: 5, seed: 1 })) {
      await journal.write(ends.length + 1, charges);
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
      expect(numbers()).toEqual(entries);
    }
  });

  it('leaves nothing behind when all of it is in the log', async () => {
    const journal = openChargeJournal(files(), 'j');
    await journal.write(1, someCharges);
    journal.release(1);
    journal.close();
    expect(() => statSync(files()[0])).toThrow('ENOENT');
    expect(readJournal(files())).toEqual([]);
  });

  it('stays for the next start when something of it is not', async () => {
    const journal = openChargeJournal(files(), 'j');
    await journal.write(1, someCharges);
    await journal.write(2, someCharges);
    journal.release(1);
    journal.close();
    expect(numbers()).toEqual([1, 2]);
  });

  it('is readable by its owner alone', () => {
    openChargeJournal(files(), 'j');
    expect(statSync(files()[0]).mode & 0o777).toBe(0o600);
  });
});
