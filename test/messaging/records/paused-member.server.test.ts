import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followRecordFeed } from '../../../src/event-log/subscription/follow-record-feed.ts';
import { realDelay } from '../../../src/platform/async/retry.ts';
import { everything, scored } from '../../event-log/port/event-log.contract.ts';
import { brokerWorld, PARTITIONS, until } from '../kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../kafka-server.ts';

describe.skipIf(withoutKafka !== '')(`members of a group ${withoutKafka}`, () => {
  const server = kafkaServer();

  async function startMember(prefix: string) {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerline-member-'));
    symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    const script = join(folder, 'member.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('member-process.ts', import.meta.url))],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    const child = spawn(process.execPath, [script, server.url, prefix, String(PARTITIONS), `${prefix}g`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
    return { child, lines };
  }

  it('one that hangs loses its partitions to the others, and gets its share again when it continues', async () => {
    const world = brokerWorld(server.url);
    onTestFinished(() => world.close());
    const { log, feed, topics } = world;
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    const append = async (from: number) => {
      for (let n = from; n < from + 20; n++) await log.append(`event-${n}`, [scored(n, `event-${n}`)], 'any');
    };
    await append(0);
    const { child, lines } = await startMember(topics.changes.replace('changes.v1', ''));
    await until(() => lines.filter((line) => line.startsWith('got')).length >= 20);

    const controller = new AbortController();
    let own: ReadonlySet<string> = new Set();
    const found = new Set<bigint>();
    const following = followRecordFeed(
      feed,
      {
        readers: { group: topics.changes.replace('changes.v1', 'g') },
        after: () => null,
        batchSize: 10,
        bufferLimit: 100,
        signal: controller.signal,
        delay: realDelay,
        onRetry: () => {},
        onAssigned: (names) => {
          own = names;
        },
      },
      (message) => {
        if (message.kind === 'records') for (const { position } of message.records) found.add(position);
      },
    );
    await until(() => own.size > 0 && own.size < PARTITIONS);
    child.kill('SIGSTOP');
    await append(20);
    await until(() => own.size === PARTITIONS && found.size >= 40);
    expect([...found].sort()).toEqual((await everything(log)).map(({ position }) => position as bigint).sort());

    child.kill('SIGCONT');
    await until(() => own.size > 0 && own.size < PARTITIONS);
    const before = lines.length;
    await append(40);
    const got = () => lines.slice(before).flatMap((line) => (line.startsWith('got ') ? [BigInt(line.slice(4))] : []));
    await until(() => new Set([...found, ...got()]).size >= 60);
    controller.abort();
    await following;
    expect(got().length).toBeGreaterThan(0);
    const all = (await everything(log)).map(({ position }) => position as bigint);
    expect([...new Set([...found, ...got()])].sort()).toEqual(all.sort());
  });
});
