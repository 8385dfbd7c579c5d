import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXPORTS } from '../../../src/api/exports/run-export.ts';
import { TABLE_FORMATS, type TableFormat } from '../../../src/platform/table-files/table-formats.ts';
import { runs } from '../../system/properties/runs.ts';
import { arranged, history, NOW, order } from '../../system/properties/world.ts';
import { readTable } from './exported-tables.ts';
import { exportingServer } from './exporting-server.ts';
import { byEvent, operationRows } from './operation-rows.ts';

const FORMATS = Object.keys(TABLE_FORMATS) as TableFormat[];

describe('whatever sources have said, in whatever order', () => {
  it('an export has the rows of its operation’s CSV, event by event, in every format', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(history, order, async (messages, one) => {
        const server = await exportingServer(NOW);
        try {
          await server.feed(...arranged(messages, one));
          for (const what of EXPORTS) {
            const expected = byEvent(await operationRows(server, what));
            for (const format of FORMATS) {
              const exported = byEvent(await readTable(await server.export(what, { format })));
              expect([what, format, exported]).toEqual([what, format, expected]);
            }
          }
        } finally {
          await server.close();
        }
      }),
      runs(10),
    );
  });
});
