/** First line of each generated file. */
export const PYTHON_BANNER =
  '# Made by `npm run client` from the OpenAPI document. Changes belong to the operations.\n';

const WIDTH = 100;
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A name as Python takes it for an argument: `from` is a word of the language, `from_` is not. */
export const pythonName = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

/** Whether a member may stand in the body of a class. */
export const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);

/** A string literal. JSON's escapes are Python's. */
export const pythonString = (text: string): string => JSON.stringify(text);

/** A value of JSON as a literal of Python. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? pythonString(value) : JSON.stringify(value);
}

/** A tuple of strings; the comma makes one of a single string too. */
export const pythonTuple = (names: readonly string[]): string =>
  `(${names.map((name) => `${pythonString(name)},`).join(' ')})`;

export const pascalCase = (name: string): string =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** Lines of at most 100 characters, the first indented by `indent`, the others by `hanging`. */
export function wrapped(text: string, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = hanging;
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** A documentation string of one or more paragraphs, each a list of lines that are indented already. */
export function docstring(paragraphs: readonly (readonly string[])[], indent: string): string {
  const text = paragraphs
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .trimStart();
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `${indent}"""${escaped}${text.includes('\n') ? `\n${indent}` : ''}"""\n`;
}
