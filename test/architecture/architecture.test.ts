import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesOf, type FileImport, importsOfSource, packagesOf, roomOf, sourceLines } from './imports.ts';
import { ROOM_NAMES, ROOMS, type Room } from './rooms.ts';

const imports = importsOfSource();
const isClient = (file: string): boolean => file.startsWith('src/api/client/');
const told = ({ from, to }: FileImport): string => `${from} imports ${to}`;

describe('who may import whom', () => {
  it('every folder of the source is a room of the floor plan', () => {
    expect(imports.length).toBeGreaterThan(500);
    expect([...new Set(imports.map(({ from }) => roomOf(from)))].sort()).toEqual([...ROOM_NAMES].sort());
  });

  it('a room may import only rooms above it in the list', () => {
    const downwards = ROOM_NAMES.flatMap((room, at) =>
      ROOMS[room].filter((other) => ROOM_NAMES.indexOf(other as Room) >= at).map((other) => `${room} imports ${other}`),
    );
    expect(downwards).toEqual([]);
  });

  it.each(ROOM_NAMES)('%s imports the rooms that the list says, and no other', (room) => {
    const imported = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) !== room);
    expect([...new Set(imported.map(({ to }) => roomOf(to)))].sort()).toEqual([...ROOMS[room]].sort());
  });

  it('folders beside each other within one folder form no cycle', () => {
    const edges = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      for (const [own, other] of siblingsOf(dirname(from).split('/'), dirname(to).split('/'))) {
        edges.set(own, (edges.get(own) ?? new Set()).add(other));
      }
    }
    expect(edges.size).toBeGreaterThan(3);
    expect(cyclesOf(edges)).toEqual([]);
  });

  it('files form no cycle', () => {
    const edges = new Map<string, Set<string>>();
    for (const { from, to } of imports) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    expect(cyclesOf(edges)).toEqual([]);
  });

  it.each(['projections', 'commands'])('%s knows the domain and nothing else of src', (room) => {
    const others = imports.filter(({ from, to }) => roomOf(from) === room && !['domain', room].includes(roomOf(to)));
    expect(others.map(told)).toEqual([]);
  });

  it('the client stands alone: it goes to other machines, and to browsers', () => {
    const crossing = imports.filter(({ from, to }) => isClient(from) !== isClient(to));
    expect(crossing.map(told)).toEqual([]);
    expect(packagesOf('src/api/client')).toEqual(['eventsource-parser']);
  });

  it('only the composition chooses adapters', () => {
    const isAdapter = (file: string) => /\/(?:sqlite|sql|memory)-[a-z-]+\.ts$/.test(file);
    const chosen = imports.filter(({ from, to }) => isAdapter(to) && subjectOf(from) !== subjectOf(to));
    const elsewhere = chosen.filter(
      ({ from, to }) => !COMPOSITION.includes(subjectOf(from)) && !subjectOf(to).startsWith('platform/sql'),
    );
    expect(chosen.length).toBeGreaterThan(0);
    expect(elsewhere.map(told)).toEqual([]);
  });

  it('only the adapters of the log count with positions: elsewhere they are compared and kept', () => {
    const adapters =
      /^src\/event-log\/(?:sqlite|storage)\/(?:sqlite-log|memory-log|stored-record)|^src\/domain\/event-sourcing\/position\.ts$/;
    // Addresses of 128 bits, and the integers that SQLite binds.
    const others = ['src/platform/ip-address.ts', 'src/read-models/store/sqlite/sqlite-writer.ts'];
    const counting = /[+\-*/%] ?\d+n\b|\d+n [+\-*/%]|Number\([^()]*[pP]osition|BigInt\([^()]*(?:length|size|count|\d)/;
    const found = sourceLines().filter(({ file, text }) => counting.test(text) && !adapters.test(file));
    const told = found.filter(({ file, text }) => !others.includes(file) && !isSentinel(text));
    expect(told.map(({ file, text }) => `${file}: ${text.trim()}`)).toEqual([]);
  });
});

/** Who opens the stores: what both profiles share, one machine, what makes its folder anew, a process of a cluster. */
const COMPOSITION: readonly string[] = ['server/composition', 'server/embedded', 'server/backup', 'server/cluster'];

/** The folder of a room that has a subject of its own: `ingest/identities`, else the room. */
const subjectOf = (file: string): string => {
  const [, room, folder] = dirname(file).split('/');
  return folder === undefined || room === 'accounts' ? room! : `${room}/${folder}`;
};

/** A place before every record. */
const isSentinel = (text: string): boolean => /[=?:] -1n\b/.test(text);

/** The two folders in which the ways of these folders part, where both have one there. */
function siblingsOf(own: readonly string[], other: readonly string[]): (readonly [string, string])[] {
  const at = own.findIndex((name, index) => other[index] !== name);
  // At the root of the project stand rooms, which the layers are about.
  if (at <= 0 || at >= other.length || (at === 1 && own[0] === 'src')) return [];
  return [[own.slice(0, at + 1).join('/'), other.slice(0, at + 1).join('/')]];
}
