import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { cellInteger, cellNumber, openCsv } from '../../../src/sources/parsing/csv.ts';

const read = async (text: string) => {
  const csv = await openCsv(Readable.from([Buffer.from(text)]));
  const rows = [];
  for await (const row of csv.rows) rows.push([row.line, ...csv.header.map((column) => row.get(column))]);
  return { header: csv.header, rows };
};

describe('reading CSV', () => {
  it('gives rows by column name with the line on which each ends', async () => {
    expect(await read('\uFEFFa, b ,c\r\n1,"x\ny",3\r\n\r\n2\r\n,,,\r\n4,5,6,7\r\n')).toEqual({
      header: ['a', 'b', 'c'],
      rows: [
        [3, '1', 'x\ny', '3'],
        [5, '2', '', ''],
        [7, '4', '5', '6'],
      ],
    });
  });

  it('takes the first of two columns of one name, and has no others', async () => {
    const csv = await openCsv(Readable.from([Buffer.from('a,a\n1,2\n')]));
    for await (const row of csv.rows) expect([row.get('a'), row.get('b')]).toEqual(['1', '']);
    expect([csv.has('a'), csv.has('b')]).toEqual([true, false]);
  });

  it('reads an empty file as one without columns', async () => {
    expect(await read('')).toEqual({ header: [], rows: [] });
  });

  it('throws what reading the input throws', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('incorrect header check'));
      },
    });
    await expect(openCsv(broken)).rejects.toThrow('incorrect header check');
  });

  it('reads no further than it is asked to, and closes the input', async () => {
    let chunks = 0;
    const endless = new Readable({
      read() {
        chunks += 1;
        this.push(chunks === 1 ? 'a\n' : '1\n'.repeat(1000));
      },
    });
    const csv = await openCsv(endless);
    for await (const row of csv.rows) if (row.line > 100) break;
    csv.close();
    await new Promise((resolve) => (endless.closed ? resolve(undefined) : endless.once('close', resolve)));
    expect(chunks).toBeLessThan(100);
  });

  it('reads numbers, and nothing that only begins as one', () => {
    expect(['1', '-2.5', '+3', '.5', '2.0', '', 'NA', '2.,3', '1e5', '0x10'].map(cellNumber)).toEqual([
      1,
      -2.5,
      3,
      0.5,
      2,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(['2', '2.0', '2.5', ''].map(cellInteger)).toEqual([2, 2, undefined, undefined]);
  });
});
