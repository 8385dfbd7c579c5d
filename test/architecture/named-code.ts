const FILE = String.raw`\`((?:src|test|commands|projections|bench)/[\w./-]+\.\w+)\``;
const NAMES = String.raw`((?:\`[\w#]+\`(?:, | and )?)+)`;
/** Names of code with the file that a page says they stand in: "`file` (`name`)", "`name` (`file`)", "`name` in `file`". */
const NAMED_AFTER = new RegExp(String.raw`${FILE}\s+\(([^()]+)\)`, 'g');
const NAMED_BEFORE = new RegExp(String.raw`${NAMES}\s+(?:in\s+|\()${FILE}`, 'g');

/** The names of code in a text, each with its file. */
export const namesIn = (text: string): readonly (readonly [file: string, name: string])[] =>
  [
    ...[...text.matchAll(NAMED_AFTER)].map(([, file, names]) => [file!, names!] as const),
    ...[...text.matchAll(NAMED_BEFORE)].map(([, names, file]) => [file!, names!] as const),
  ].flatMap(([file, names]) => [...names.matchAll(/`([\w#]+)`/g)].map(([, name]) => [file, name!] as const));

/**
 * Whether a source declares a name, and does not only use it: as a function, constant, class or type; as a method; or as
 * a member of an object or a type.
 */
export function declares(source: string, name: string): boolean {
  const declared = String.raw`\b(?:function\*?|const|let|class|interface|type)\s+${name}\b`;
  const words = String.raw`^\s+(?:(?:static|readonly|async|get|set|override|\*)\s*)*${name}\??`;
  const method = String.raw`${words}\s*(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)\s*(?::[^;\n]+;|(?::[^;{]+)?\{)`;
  const member = String.raw`${words}(?::\s|\s=\s)`;
  return new RegExp([declared, method, member].join('|'), 'm').test(source);
}
