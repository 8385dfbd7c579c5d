import { beforeEach, describe, expect, it } from 'vitest';
import { renameStored, viewRenamed } from '../../../src/platform/sqlite/schema-renames.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';

describe('tables and columns that an earlier version stored under other names', () => {
  let database: SqliteDatabase;
  beforeEach(() => {
    database = openSqliteDatabase({ file: ':memory:' });
    database.exec(`
      create table old_one (id integer primary key, old_value text, other text);
      create index old_one_value on old_one (old_value);
      create table changes (number integer not null);
      insert into changes values (0);
      create trigger old_one_changes after insert on old_one begin update changes set number = number + 1; end;
      create table two (old_value text);
      insert into old_one values (1, 'a', 'b');
      insert into two values ('c');
    `);
  });
  const read = (query: string) => database.prepare(query).all([]);
  const names = () => database.prepare('select name from sqlite_master order by name').raw().all().flat();
  const ONE = {
    from: 'old_one',
    to: 'one',
    columns: { old_value: 'value' },
    indexes: { old_one_value: 'one_value' },
  };
  const TWO = { from: 'two', to: 'two', columns: { old_value: 'value' } };

  it('get their new names once; triggers go with them, and indexes are left to be made', () => {
    for (let time = 0; time < 2; time++) renameStored(database, [ONE, TWO]);
    database.exec("insert into one values (2, 'd', 'e')");
    expect(read('select * from one')).toEqual([
      { id: 1, value: 'a', other: 'b' },
      { id: 2, value: 'd', other: 'e' },
    ]);
    expect(read('select * from two')).toEqual([{ value: 'c' }]);
    expect(read('select * from changes')).toEqual([{ number: 2 }]);
    expect(names()).toEqual(['changes', 'old_one_changes', 'one', 'two']);
  });

  it('keep all old names, where one cannot be renamed', () => {
    const before = names();
    expect(() => renameStored(database, [ONE, { from: 'two', to: 'sqlite_two' }])).toThrow('reserved');
    expect(names()).toEqual(before);
    expect(read('select old_value from old_one')).toEqual([{ old_value: 'a' }]);
  });

  it('may lack: a new folder, or one that is older than a table or a column', () => {
    database.exec('drop table two; drop index old_one_value; alter table old_one drop column old_value');
    renameStored(database, [ONE, TWO, { from: 'three', to: 'four' }]);
    expect(read('select * from one')).toEqual([{ id: 1, other: 'b' }]);
    expect(names()).toEqual(['changes', 'old_one_changes', 'one']);
  });

  it('stand beside a table of the new name, then neither is touched', () => {
    database.exec('create table one (id integer primary key)');
    renameStored(database, [ONE]);
    expect(read('select old_value from old_one')).toEqual([{ old_value: 'a' }]);
    expect(read('select * from one')).toEqual([]);
  });

  it('are shown by views under the new names, for a connection that only reads', () => {
    const before = names();
    for (let time = 0; time < 2; time++) viewRenamed(database, [ONE, TWO]);
    expect(read('select * from one')).toEqual([{ id: 1, value: 'a', other: 'b' }]);
    expect(read('select * from two')).toEqual([{ value: 'c' }]);
    expect(names()).toEqual(before);
  });
});
