import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By file of the build; undefined: it has no map. */
const maps = new Map();

/**
 * Has stacks name the lines of the sources instead of those of the build. Node's own way reads every map as its file is
 * loaded: a twelfth of the processor time of a start, and memory that stays. Here a map is read when a stack first names
 * its file.
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
  // Places count from 1 in a stack, and from 0 in a map.
  const source = mapOf(url)?.findEntry(line - 1, column - 1);
  if (source?.originalSource === undefined) return text;
  const { href } = new URL(source.originalSource, url);
  const place = `${fileURLToPath(href)}:${source.originalLine + 1}:${source.originalColumn + 1}`;
  return text.replace(`${url}:${line}:${column}`, () => place);
}

function mapOf(url) {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
