import { MINUTE } from '../../../src/domain/primitives/time.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { recordsAfter } from '../../../src/server/cli/replay.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';

interface Said {
  readonly at: number;
  readonly content: string;
}

/** What the log has twice: of one subject, from one source, the same within a minute of its former. */
export async function findDuplicates(folder: string): Promise<readonly string[]> {
  const { log, close } = await openForReading(readConfig({}, folder));
  const contents = new Map<string, string>();
  const last = new Map<string, Said>();
  const doubled: string[] = [];
  try {
    for await (const { stream, revision, type, data } of recordsAfter(log, null)) {
      const { at, source, content, of, bookmaker, player, market } = data as Record<string, unknown>;
      const text = of === undefined ? JSON.stringify(content) : contents.get(`${stream}/${of}`);
      if (text === undefined || typeof at !== 'string') continue;
      if (of === undefined) contents.set(`${stream}/${revision}`, text);
      const about = type.replace(/(Changed|Reported|Reconfirmed|Scheduled)$/, '');
      const subject = JSON.stringify([stream, about, source, bookmaker, player, market]);
      const before = last.get(subject);
      const time = Date.parse(at);
      if (before?.content === text && Math.abs(time - before.at) < MINUTE) {
        doubled.push(`${subject} ${type} at ${at}: ${text}`);
      }
      last.set(subject, { at: time, content: text });
    }
  } finally {
    await close();
  }
  return doubled;
}
