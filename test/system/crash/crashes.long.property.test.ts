import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { faultyDisk } from './disk-faults.ts';
import { type Played, playCrashes } from './play-crashes.ts';
import { prepareFolder } from './prepared-folder.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * A real server on a real folder, whose disk fails by a seed's plan: see `disk-faults.ts` for what fails, and
 * `play-crashes.ts` for what must hold then. CRASH_SEED=n plays that one and prints what came; CRASH_RUNS says how many
 * are played, CRASH_FROM the first.
 */
const SEED = process.env['CRASH_SEED'];
const RUNS = SEED === undefined ? Number(process.env['CRASH_RUNS'] ?? cases(120)) : 1;
const FROM = Number(SEED ?? process.env['CRASH_FROM'] ?? 1);
/** Each start but the first looks at what the failure before it has left. */
const FAILURES = Number(process.env['CRASH_FAILURES'] ?? 1);
const LANES = Number(process.env['CRASH_LANES'] ?? 2);
const READS = process.env['CRASH_READS'] === '1';
/** Seeds that fail, after which no more are played: one fault shows by many of them. */
const MOST_RED = 10;

const COMMAND = 'npx vitest run --project thorough test/system/crash';
const linesOf = ({ seed, lines, broken }: Played) =>
  [`seed ${seed}${broken ? `: ${broken.stack}` : ''}`, ...lines, `again: CRASH_SEED=${seed} ${COMMAND}`].join('\n  ');

describe.skipIf(faultyDisk() === undefined)('a disk that fails (this needs Linux and a C compiler)', () => {
  it(`loses, doubles and hides nothing: seeds ${FROM} to ${FROM + RUNS - 1}`, {
    timeout: 60_000 + RUNS * 20_000,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'll-crash-'));
    const receiver = await startReceiver();
    const red: Played[] = [];
    const played: Played[] = [];
    const prepared = await prepareFolder(place);
    let seed = FROM;
    const lane = async () => {
      while (seed < FROM + RUNS && red.length < MOST_RED) {
        const one = await playCrashes(seed++, { place, prepared, receiver, failures: FAILURES, reads: READS });
        played.push(one);
        if (!one.broken) continue;
        red.push(one);
        console.error(linesOf(one));
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, RUNS) }, lane));
    await receiver.close();
    if (SEED !== undefined) console.log(played.map(linesOf).join('\n'));
    const lines = played.flatMap((one) => one.lines);
    const came = lines.filter((line) => !line.includes('did not come')).length;
    console.log(
      JSON.stringify({
        runs: played.length,
        failures: lines.length,
        byOperation: came,
        red: red.map((one) => one.seed),
      }),
    );
    expect(red.map(linesOf)).toEqual([]);
    rmSync(place, { recursive: true });
  });
});
