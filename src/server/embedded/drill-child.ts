import { mkdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { projections } from '../../../projections/index.ts';
import type { DrillResult, DrillWork } from '../backup/drill-process.ts';
import { openTarget } from '../backup/open-target.ts';
import { restoreFolder } from '../backup/restore-folder.ts';
import { errorLine } from '../control/error-line.ts';
import { verifyFolder } from './verify-folder.ts';

// Calls of the server come first.
setPriority(constants.priority.PRIORITY_LOW);
// Nobody waits for it when the server is gone.
process.once('disconnect', () => process.exit());
process.once('message', (work: DrillWork) => {
  void drill(work)
    .catch((error: unknown): DrillResult => ({ records: null, problem: errorLine(error) }))
    .then((result) => process.send!(result, () => process.exit()));
});

async function drill({ address, key, folder, secrets, expected }: DrillWork): Promise<DrillResult> {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const { records } = await restoreFolder({
    target: (staging) => openTarget(address, staging),
    key: key === undefined ? undefined : Buffer.from(key, 'base64'),
    folder,
    timeline: expected.timeline,
    secrets,
  });
  if (records < expected.records)
    return { records, problem: `${expected.records} records were backed up, and ${records} can be restored` };
  const config = { dataDir: folder, keyPepper: secrets['key-pepper'] };
  for await (const { text, isDamage } of verifyFolder(config, projections))
    if (isDamage) return { records, problem: text };
  return { records, problem: null };
}
