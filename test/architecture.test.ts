import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesOf, type FileImport, importsOfSource, packagesOf, roomOf, sourceLines } from './imports.ts';
import { LAYERS } from './layers.ts';

const imports = importsOfSource();
const told = ({ from, to }: FileImport): string => `${from} imports ${to}`;
const layerOf = new Map(LAYERS.flatMap((rooms, layer) => rooms.map((room) => [room, layer] as const)));

describe('who may import whom', () => {
  it('every folder has a layer, and every layer has its folders', () => {
    const rooms = new Set(imports.map(({ from }) => roomOf(from)));
    expect(imports.length).toBeGreaterThan(500);
    expect([...rooms].sort()).toEqual([...layerOf.keys()].filter((room) => rooms.has(room)).sort());
    expect([...layerOf.keys()].length).toBe(LAYERS.flat().length);
  });

  it('imports go downwards only', () => {
    const upwards = imports.filter(({ from, to }) => {
      const [own, other] = [layerOf.get(roomOf(from)), layerOf.get(roomOf(to))];
      return roomOf(from) !== roomOf(to) && !(own !== undefined && other !== undefined && other < own);
    });
    expect(upwards.map(told)).toEqual([]);
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
    const [others, outside] = [imports.filter(({ from, to }) => roomOf(from) !== roomOf(to)), packagesOf('src/client')];
    const crossing = others.filter(({ from, to }) => [roomOf(from), roomOf(to)].includes('client'));
    expect(crossing.map(told)).toEqual([]);
    expect(outside).toEqual(['eventsource-parser']);
  });

  it('only the composition chooses adapters', () => {
    const isAdapter = (file: string) => /\/(?:sqlite|sql|memory)-[a-z-]+\.ts$/.test(file);
    const chosen = imports.filter(({ from, to }) => isAdapter(to) && roomOf(from) !== roomOf(to));
    const elsewhere = chosen.filter(({ from, to }) => roomOf(from) !== 'composition' && roomOf(to) !== 'sqlite');
    expect(chosen.length).toBeGreaterThan(0);
    expect(elsewhere.map(told)).toEqual([]);
  });

  it('only the adapters of the log count with positions: elsewhere they are compared and kept', () => {
    const adapters = /^src\/log\/(?:sqlite-log|memory-log|stored-record)|^src\/domain\/position\.ts$/;
    // Addresses of 128 bits, and the integers that SQLite binds.
    const others = ['src/settings/ip-address.ts', 'src/store/sqlite-writer.ts'];
    const counting = /[+\-*/%] ?\d+n\b|\d+n [+\-*/%]|Number\([^()]*[pP]osition|BigInt\([^()]*(?:length|size|count|\d)/;
    const found = sourceLines().filter(({ file, text }) => counting.test(text) && !adapters.test(file));
    const told = found.filter(({ file, text }) => !others.includes(file) && !isSentinel(text));
    expect(told.map(({ file, text }) => `${file}: ${text.trim()}`)).toEqual([]);
  });
});

/** A place before every record. */
const isSentinel = (text: string): boolean => /[=?:] -1n\b/.test(text);

/** The two folders in which the ways of these folders part, where both have one there. */
function siblingsOf(own: readonly string[], other: readonly string[]): (readonly [string, string])[] {
  const at = own.findIndex((name, index) => other[index] !== name);
  // At the root of the project stand rooms, which the layers are about.
  if (at <= 0 || at >= other.length || (at === 1 && own[0] === 'src')) return [];
  return [[own.slice(0, at + 1).join('/'), other.slice(0, at + 1).join('/')]];
}
