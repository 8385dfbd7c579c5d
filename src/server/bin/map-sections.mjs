import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * Gives each source of a built file a section of its map (the "index map" of ECMA-426). The map of the largest file takes
 * 50 ms to read, and Node asks for a stack whenever a caller goes away while it is answered: a section takes one.
 * @param file the map, which is written anew
 */
export function divideMap(file) {
  const { version, sources, mappings } = JSON.parse(readFileSync(file, 'utf8'));
  const sections = [];
  for (const [line, segments] of decode(mappings).entries()) {
    const first = segments[0]?.[1];
    if (first !== undefined && first !== sections.at(-1)?.source) sections.push({ source: first, line, lines: [] });
    const section = sections.at(-1);
    section?.lines.push(
      segments.filter(([, source]) => source === section.source).map(([at, , ...to]) => [at, 0, ...to]),
    );
  }
  const written = sections.map(({ source, line, lines }) => ({
    offset: { line, column: 0 },
    map: { version, sources: [sources[source]], names: [], mappings: encode(lines) },
  }));
  writeFileSync(file, JSON.stringify({ version, sections: written }));
}
