import { describe, expect, it } from 'vitest';
import { isCache, isDerived } from '../../../src/server/backup/derived-tables.ts';
import { isOfRegistry } from '../../../src/server/composition/registry-ports.ts';
import { FOLDER_RENAMES } from '../../../src/server/embedded/folder-renames.ts';

const kindOf = (table: string) => [isDerived(table), isCache(table), isOfRegistry(table)];

describe('a table that earlier versions stored under another name', () => {
  it.each(FOLDER_RENAMES)('given $from, when it is told what it is, then it is what $to is', ({ from, to }) => {
    expect(kindOf(from)).toEqual(kindOf(to));
  });
});
