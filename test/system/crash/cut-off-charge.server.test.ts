import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultWith, faultyDisk } from './disk-faults.ts';
import { playCrashes } from './play-crashes.ts';
import { prepareFolder } from './prepared-folder.ts';
import { startReceiver } from './webhook-receiver.ts';

/** The first two make the files. */
const FIRST_CHARGE = 3;

describe.skipIf(faultyDisk() === undefined)('a charge (this needs Linux and a C compiler)', () => {
  it('that a kill cut off in its write is told by the next start as damage, and nobody lacks it', async () => {
    const place = mkdtempSync(join(tmpdir(), 'll-cut-off-'));
    const [receiver, prepared] = [await startReceiver(), await prepareFolder(place)];
    const cutsOff = faultWith({ name: 'kill', files: 'journal', operations: ['write'], at: FIRST_CHARGE, torn: true });
    const later = faultWith({ name: 'kill', files: 'wal', operations: ['write'], at: 1000, from: 'work' });
    const played = await playCrashes(1, { place, prepared, receiver, faults: () => [cutsOff, later] });
    await receiver.close();
    expect(played.broken?.message).toBeUndefined();
    expect(played.lines[0]).toContain(`write ${FIRST_CHARGE} of journal`);
    rmSync(place, { recursive: true });
  });
});
