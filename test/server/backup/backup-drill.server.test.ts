import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer, teams } from '../cli/launching.ts';
import { ask, end, givenBackup, send } from './backup-world.ts';

const EIGHT_DAYS = 8 * 86_400_000;
/** Health is asked as often as a key of the free plan may. */
const PATIENT = { interval: 4000, timeout: 60_000 };

describe('a drill', () => {
  it('of a whole backup passes, and of a damaged one fails; health says so, and nothing of it is left', async () => {
    const { backup, env, folder } = givenBackup({ BACKUP_DRILL: 'weekly' });
    const first = await startServer(folder('data'), env);
    const health = async (server: typeof first) => JSON.parse((await ask(server, first.key, '/v1/health')).body);
    await send(first, teams(20));
    await expect.poll(async () => (await health(first)).backup?.drill?.outcome, PATIENT).toBe('passed');
    expect((await health(first)).status).toBe('ok');
    expect(existsSync(join(folder('data'), 'backup-drill'))).toBe(false);
    await send(first, teams(30));
    await end(first);

    const kept = join(folder('data'), 'backup-drill.json');
    const outcome = JSON.parse(readFileSync(kept, 'utf8'));
    writeFileSync(kept, JSON.stringify({ ...outcome, at: outcome.at - EIGHT_DAYS }));
    // The server looks at the last segment of the log when it starts, and at no other.
    const log = join(backup, readdirSync(backup)[0]!, 'log');
    const [damaged] = readdirSync(log).map((name) => join(log, name));
    const bytes = readFileSync(damaged!);
    bytes[60]! ^= 1;
    writeFileSync(damaged!, bytes);

    const second = await startServer(folder('data'), env);
    expect((await health(second)).backup.drill).toMatchObject({ outcome: 'passed' });
    await expect.poll(async () => (await health(second)).backup.drill, PATIENT).toMatchObject({ outcome: 'failed' });
    expect(await health(second)).toMatchObject({ status: 'degraded', reasons: ['backup'] });
    expect(existsSync(join(folder('data'), 'backup-drill'))).toBe(false);
    await end(second);
  });
});
