import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCharge, newLedgerBatch, toStreamAppends } from '../../../src/accounts/credits/ledger-batch.ts';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { readJournal } from '../../../src/accounts/journal/read-journal.ts';
import { type DamagedJournal, recoverCharges } from '../../../src/accounts/journal/recover-charges.ts';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { cases } from '../../support/cases.ts';
import { chargesIn } from '../recorded-calls.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'll-damaged-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const files = () => journalFiles(folder);

const chargeOf = (number: number): ChargedCall => ({
  at: '2026-03-01T12:00:00Z',
  keyId: 7,
  operation: 'get_odds',
  requestId: `r${number}`,
  status: 200,
  milliseconds: 3,
  credits: 1,
});

/** As a server writes them: one charge an entry, each under a name of its own. */
function entryOf(number: number): ChargesEntry {
  const entered = newLedgerBatch();
  addCharge(entered, 1, chargeOf(number), false);
  return { number, appends: toStreamAppends(entered, () => `w.${number}`) };
}

/** What a server with so many charges leaves when it dies, and where each entry ends. */
async function leave(count: number): Promise<readonly number[]> {
  const journal = openJournal<ChargesEntry>(files());
  const ends: number[] = [];
  for (let number = 1; number <= count; number++) {
    await journal.write(entryOf(number));
    ends.push(readFileSync(files()[0]).lastIndexOf('\n') + 1);
  }
  journal.close();
  return ends;
}

function change(from: number, to: number, byte: (was: number) => number): void {
  const bytes = readFileSync(files()[0]);
  for (let at = from; at < to; at++) bytes[at] = byte(bytes[at]!);
  writeFileSync(files()[0], bytes);
}

/** Starts on what was left. */
async function start(log = createMemoryLog({ upcast })) {
  const damaged: DamagedJournal[] = [];
  const charges = await recoverCharges(log, createMemoryStore(), files(), (one) => damaged.push(one));
  const ledger = chargesIn(await log.readStream('account-1')).map(({ requestId }) => requestId);
  return { log, charges, ledger, damaged };
}

const names = (...numbers: number[]) => numbers.map((number) => `r${number}`);
const upTo = (count: number, but: readonly number[] = []) =>
  names(...Array.from({ length: count }, (_, i) => i + 1).filter((number) => !but.includes(number)));

describe('fault 12: a charge journal that is damaged', () => {
  it('recovers the charges after four damaged bytes of its first entry, and is kept', async () => {
    const [end] = await leave(20);
    change(40, 44, () => 0x23);
    const held = readFileSync(files()[0]);

    const { charges, ledger, damaged } = await start();

    expect(ledger).toEqual(upTo(20, [1]));
    expect(charges).toBe(19);
    expect(damaged).toEqual([{ file: files()[0], place: 0, bytes: end, charges: 19, kept: `${files()[0]}.damaged` }]);
    expect(readFileSync(`${files()[0]}.damaged`)).toEqual(held);
    expect(files().some(existsSync)).toBe(false);
  });

  it('recovers the charges before the place where it was cut off, and is kept', async () => {
    const ends = await leave(20);
    writeFileSync(files()[0], readFileSync(files()[0]).subarray(0, ends[1]! + 30));

    const { ledger, damaged } = await start();

    expect(ledger).toEqual(names(1, 2));
    expect(damaged).toMatchObject([{ place: ends[1], bytes: 1024 * 1024 - ends[1]!, charges: 2 }]);
  });

  it('is kept next to earlier damaged journals', async () => {
    for (let i = 0; i < 3; i++) {
      await leave(2);
      change(20, 21, (was) => was ^ 1);
      await start();
    }
    const [name] = files().map((file) => basename(file));
    expect(readdirSync(folder).sort()).toEqual([`${name}.damaged`, `${name}.damaged.2`, `${name}.damaged.3`]);
  });

  it('is recovered once if the recovery was interrupted before the file was renamed', async () => {
    await leave(5);
    change(20, 21, (was) => was ^ 1);
    const held = readFileSync(files()[0]);
    const { log } = await start();
    writeFileSync(files()[0], held);

    const { charges, ledger, damaged } = await start(log);

    expect(charges).toBe(0);
    expect(ledger).toEqual(upTo(5, [1]));
    expect(damaged).toHaveLength(1);
  });

  it('recovers the charges after a part that was lost as zeros', async () => {
    const ends = await leave(9);
    change(ends[2]!, ends[4]! + 10, () => 0);
    const { ledger, damaged } = await start();
    expect(ledger).toEqual(upTo(9, [4, 5, 6]));
    expect(damaged).toMatchObject([{ place: ends[2], bytes: ends[5]! - ends[2]! }]);
  });

  it.each([
    ['no object', () => '7'],
    ['no JSON', () => '{"number":2,'],
    ['no appends', () => '{"number":2}'],
    ['appends of another form', () => '{"number":2,"appends":[{"stream":"account-1","events":"none"}]}'],
    ['a charge of another form', () => JSON.stringify(entryOf(2)).replace('"r2"', '2')],
    ['a stream that is not the account’s', () => JSON.stringify(entryOf(2)).replace('"account-1"', '"account-2"')],
    ['columns of another form', () => '{"id":"run","number":2,"charges":{"requestIds":["a"]}}'],
  ])('where an entry has a right checksum, but is %s: the start goes on', async (_, content) => {
    const [first] = await leave(3);
    const bytes = readFileSync(files()[0]);
    const text = `${content()}\n`;
    const hex = (value: number) => value.toString(16).padStart(8, '0');
    const entry = Buffer.from(hex(crc32(text)) + hex(Buffer.byteLength(text)) + text);
    writeFileSync(files()[0], Buffer.concat([bytes.subarray(0, first), entry, bytes.subarray(first!)]));

    const { ledger, damaged } = await start();

    expect(ledger).toEqual(upTo(3));
    expect(damaged).toMatchObject([{ place: first, bytes: entry.length }]);
  });

  it('is distinguished from a whole one: crashes, switched files and older entries are no damage', async () => {
    const steps = fc.array(fc.record({ release: fc.boolean(), behind: fc.nat(3) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const bytes = 1500;
        const journal = openJournal<ChargesEntry>(files(), bytes);
        let number = 0;
        for (const { release, behind } of all) {
          await journal.write(entryOf(++number));
          if (release) journal.release(number - behind);
          expect(readJournal<ChargesEntry>(files(), { bytes }).damage).toEqual([]);
        }
        journal.close();
      }),
      { numRuns: cases(100) },
    );
  });

  it('a start that was interrupted while creating the files has damaged nothing', async () => {
    await leave(0);
    for (const length of [0, 1000]) {
      writeFileSync(files()[1], Buffer.alloc(length));
      expect((await start()).damaged).toEqual([]);
      await leave(0);
    }
  });

  it('has every whole entry recovered, whatever was damaged or cut off', async () => {
    const count = 6;
    const ends = await leave(count);
    const whole = readFileSync(files()[0]);
    const begins = [0, ...ends];
    const last = ends.at(-1)!;
    const hit = fc.record({
      at: fc.nat(last - 1),
      length: fc.integer({ min: 1, max: 300 }),
      mask: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(hit, { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat(last), { freq: 3 }),
        async (hits, cut) => {
          const bytes = Buffer.from(whole);
          for (const { at, length, mask } of hits) {
            for (let i = at; i < Math.min(at + length, last); i++) bytes[i] = whole[i]! ^ mask;
          }
          const spoiled = bytes.subarray(0, cut ?? bytes.length);
          const isWhole = (number: number) => {
            const [from, to] = [begins[number - 1]!, begins[number]!];
            return spoiled.length >= to && spoiled.subarray(from, to).equals(whole.subarray(from, to));
          };
          const kept = Array.from({ length: count }, (_, i) => i + 1).filter(isWhole);
          writeFileSync(files()[0], spoiled);
          writeFileSync(files()[1], Buffer.alloc(1024 * 1024));

          const { ledger, damaged } = await start();

          expect(ledger).toEqual(names(...kept));
          expect(damaged).toHaveLength(1);
          expect(readFileSync(damaged[0]!.kept).equals(spoiled)).toBe(true);
          rmSync(damaged[0]!.kept);
        },
      ),
      { numRuns: cases(300) },
    );
  });
});
