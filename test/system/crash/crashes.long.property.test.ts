import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Random } from '../../api/fuzz/random.ts';
import { cases } from '../../support/cases.ts';
import { faultOf, faultyDisk } from './disk-faults.ts';
import { type Played, playCrashes } from './play-crashes.ts';
import { prepareFolder } from './prepared-folder.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

/**
 * A real server on a real folder, whose disk fails by a seed's plan: see `disk-faults.ts` for what fails, and
 * `play-crashes.ts` for what must hold then. CRASH_SEED=n plays that one and prints what came; CRASH_RUNS says how many
 * are played, CRASH_FROM the first.
 */
const SEED = process.env['CRASH_SEED'];
const RUNS = SEED === undefined ? Number(process.env['CRASH_RUNS'] ?? cases(16)) : 1;
const FROM = Number(SEED ?? process.env['CRASH_FROM'] ?? 1);
/** Of each run. Each start looks at what the failure before it has left, and has the next one. */
const FAILURES = Number(process.env['CRASH_FAILURES'] ?? 5);
const LANES = Number(process.env['CRASH_LANES'] ?? 2);
/** Seeds that fail, after which no more are played: one fault shows by many of them. */
const MOST_RED = 10;

const COMMAND = 'npx vitest run --project thorough test/system/crash';
const linesOf = ({ seed, lines, broken }: Played) =>
  [`seed ${seed}${broken ? `: ${broken.stack}` : ''}`, ...lines, `again: CRASH_SEED=${seed} ${COMMAND}`].join('\n  ');

/** What was done, so that nobody takes an idle net for a sound server. */
function summary(played: readonly Played[], { bodies }: Receiver) {
  const lines = played.flatMap((one) => one.lines);
  const count = (of: (one: Played['acknowledged']) => readonly unknown[]) =>
    played.reduce((sum, one) => sum + of(one.acknowledged).length, 0);
  return {
    failures: lines.length,
    byOperation: lines.filter((line) => !line.includes('did not come')).length,
    atTheStart: lines.filter((line) => line.includes('at the start')).length,
    messages: count((one) => one.messages),
    calls: count((one) => one.calls.filter(({ status }) => status === 200)),
    purchases: count((one) => one.purchases.filter(({ isAnswered }) => isAnswered)),
    keys: count((one) => one.keys),
    users: count((one) => one.users),
    subscriptions: count((one) => one.users.filter(({ subscribed }) => subscribed === 'yes')),
    webhooks: [...bodies.values()].reduce((sum, own) => sum + own.size, 0),
  };
}

describe.skipIf(faultyDisk() === undefined)('a disk that fails (this needs Linux and a C compiler)', () => {
  it(`loses, doubles and hides nothing: seeds ${FROM} to ${FROM + RUNS - 1}`, {
    timeout: 120_000 + RUNS * FAILURES * 15_000,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'll-crash-'));
    const receiver = await startReceiver();
    const red: Played[] = [];
    const played: Played[] = [];
    const prepared = await prepareFolder(place);
    let seed = FROM;
    const faults = (random: Random) => Array.from({ length: FAILURES }, () => faultOf(random));
    const lane = async () => {
      while (seed < FROM + RUNS && red.length < MOST_RED) {
        const one = await playCrashes(seed++, { place, prepared, receiver, faults });
        played.push(one);
        if (played.length % 20 === 0) console.log(JSON.stringify(summary(played, receiver)));
        if (!one.broken) continue;
        red.push(one);
        console.error(linesOf(one));
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, RUNS) }, lane));
    await receiver.close();
    if (SEED !== undefined) console.log(played.map(linesOf).join('\n'));
    console.log(JSON.stringify({ runs: played.length, red: red.map((one) => one.seed), ...summary(played, receiver) }));
    // Not of a few: by chance one of them may have no time for something.
    if (RUNS >= 10) expect(Object.values(summary(played, receiver))).not.toContain(0);
    expect(red.map(linesOf)).toEqual([]);
    rmSync(place, { recursive: true });
  });
});
