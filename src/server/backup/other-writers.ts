import { digits, listTimelines, readTimeline } from './backup-folder.ts';
import type { BackupTarget } from './backup-target.ts';

/** So long after another server has written, it is told: somebody who looks once an hour sees it. */
const TOLD_MS = 3_600_000;

/** Finds out whether other servers write to the same backup. */
export interface OtherWriters {
  /**
   * Looks at the other timelines. The first look only notes how far they are: one that is there already may have ended.
   * @param own timelines of this server
   * @returns whether another one was written to since the last look
   */
  look(own: ReadonlySet<string>): Promise<boolean>;
  /** The timeline that another server has written to lately; undefined: none. */
  latest(): string | undefined;
}

export function createOtherWriters(target: BackupTarget, now: () => number): OtherWriters {
  /** The number of the next point of each. */
  let next: ReadonlyMap<string, number> | undefined;
  let found: { readonly id: string; readonly at: number } | undefined;

  async function nextOf(id: string): Promise<number> {
    const { points } = await readTimeline(target, id);
    return points.reduce((highest, { to }) => Math.max(highest, to), 0) + 1;
  }

  return {
    async look(own) {
      const seen = new Map<string, number>();
      const grown: string[] = [];
      for (const id of await listTimelines(target)) {
        if (own.has(id)) continue;
        const known = next?.get(id);
        const isAsBefore = known !== undefined && (await target.names(id, `points/${digits(known, 10)}`)).length === 0;
        seen.set(id, isAsBefore ? known : await nextOf(id));
        if (next && !isAsBefore) grown.push(id);
      }
      next = seen;
      if (grown.length > 0) found = { id: grown.at(-1)!, at: now() };
      return grown.length > 0;
    },
    latest: () => (found && Math.abs(now() - found.at) < TOLD_MS ? found.id : undefined),
  };
}
