import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By file of the build; undefined: it has no map. */
const maps = new Map();
/** By section of a map. */
const read = new Map();

/**
 * Has stacks name the lines of the sources instead of those of the build. Node's own way reads every map as its file is
 * loaded: a twelfth of the processor time of a start, and memory that stays. Here a map is read when a stack first names
 * its file, and of it only the section that the stack names: to read all of a large one would hold the event loop.
 */
export function nameSourceLines() {
  Error.prepareStackTrace = (error, calls) => [headOf(error), ...calls.map(lineOf)].join('\n');
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function lineOf(call) {
  const text = `    at ${call}`;
  try {
    return inSource(call, text);
  } catch {
    // A map that cannot be followed hides no error.
    return text;
  }
}

function inSource(call, text) {
  const url = call.getFileName();
  if (!url?.startsWith('file:')) return text;
  const [line, column] = [call.getLineNumber(), call.getColumnNumber()];
  const source = entryAt(url, line, column);
  if (source?.originalSource === undefined) return text;
  const { href } = new URL(source.originalSource, url);
  const place = `${fileURLToPath(href)}:${source.originalLine + 1}:${source.originalColumn + 1}`;
  return text.replace(`${url}:${line}:${column}`, () => place);
}

function entryAt(url, line, column) {
  if (!maps.has(url)) maps.set(url, readMap(url));
  // Places count from 1 in a stack, and from 0 in a map.
  const section = maps.get(url)?.findLast(({ offset }) => offset.line < line);
  if (section === undefined) return undefined;
  if (!read.has(section)) read.set(section, new SourceMap(section.map));
  return read.get(section).findEntry(line - 1 - section.offset.line, column - 1);
}

/** The sections of a map, in the order of their lines; a map without sections is one. */
function readMap(url) {
  try {
    const map = JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8'));
    return map.sections ?? [{ offset: { line: 0 }, map }];
  } catch {
    return undefined;
  }
}
