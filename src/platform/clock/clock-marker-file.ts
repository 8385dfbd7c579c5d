import { z } from 'zod';
import { formatTime, parseTime } from '../../domain/primitives/time.ts';
import { readFolderFile, replaceFolderFile } from '../data-folder/folder-file.ts';
import type { ClockReading } from './check-clock.ts';

const form = z.object({
  time: z.string(),
  boot_id: z.string().nullable(),
  /** Seconds. */
  uptime: z.number(),
});

/** The data folder's file with the last moment at which its clock was trusted. */
export interface ClockMarkerFile {
  /** Null: there is no file, or it holds something else. @throws DataFolderError if the disk cannot read it */
  read(): ClockReading | null;
  /** Replaces the file atomically and flushes it. Does not create the folder. */
  write(marker: ClockReading): void;
}

export function createClockMarkerFile(path: string): ClockMarkerFile {
  return {
    read() {
      const bytes = readFolderFile(path);
      if (!bytes) return null;
      try {
        const { time, boot_id: bootId, uptime } = form.parse(JSON.parse(bytes.toString('utf8')));
        const at = parseTime(time);
        return at === null ? null : { time: at, bootId, uptime: uptime * 1000 };
      } catch {
        // Without the marker a start uses the log. What is written in it must not stop the server.
        return null;
      }
    },
    write({ time, bootId, uptime }) {
      const marker = { time: formatTime(time), boot_id: bootId, uptime: uptime / 1000 };
      replaceFolderFile(path, `${JSON.stringify(marker)}\n`);
    },
  };
}
