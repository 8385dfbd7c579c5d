/** A strict reader of iCalendar: it refuses what RFC 5545 does not allow in the parts that are used here. */
export interface CalendarEntry {
  /** The values by property, unescaped; parameters stand in the name: `DTSTART;VALUE=DATE`. */
  readonly properties: Readonly<Record<string, string>>;
}

const LINE = /^[A-Z][A-Z-]*(?:;[A-Z-]+=[^";:,]+)*:/;
const ONCE = ['UID', 'DTSTAMP', 'SEQUENCE', 'STATUS', 'SUMMARY', 'LOCATION', 'DESCRIPTION', 'TRANSP', 'LAST-MODIFIED'];

/** @throws Error that says which rule is broken */
export function readCalendar(content: string): readonly CalendarEntry[] {
  const lines = unfold(content);
  for (const line of lines) if (!LINE.test(line)) throw new Error(`no content line: ${line}`);
  const [begin, ...rest] = lines;
  if (begin !== 'BEGIN:VCALENDAR' || rest.at(-1) !== 'END:VCALENDAR') throw new Error('not one VCALENDAR');
  const entries: CalendarEntry[] = [];
  const open: { name: string; lines: string[] }[] = [{ name: 'VCALENDAR', lines: [] }];
  let components = 0;
  for (const line of rest) {
    const [, tag, name] = /^(BEGIN|END):(.*)$/.exec(line) ?? [];
    const top = open.at(-1)!;
    if (tag === 'BEGIN') open.push({ name: name!, lines: [] });
    else if (tag === 'END') {
      if (top.name !== name) throw new Error(`${line} closes ${top.name}`);
      open.pop();
      if (open.length === 1) components += 1;
      if (name === 'VEVENT') entries.push(entryOf(top.lines));
      if (name === 'VCALENDAR') checkCalendar(top.lines, components);
    } else top.lines.push(line);
  }
  if (open.length > 0) throw new Error('a component stays open');
  return entries;
}

function unfold(content: string): string[] {
  if (!content.endsWith('\r\n')) throw new Error('the last line does not end with CRLF');
  if (/[^\r]\n|\r[^\n]/.test(content)) throw new Error('a line does not end with CRLF');
  const folded = content.slice(0, -2).split('\r\n');
  for (const line of folded) if (Buffer.byteLength(line) > 75) throw new Error(`more than 75 octets: ${line}`);
  const lines: string[] = [];
  for (const line of folded) {
    if (/^[ \t]/.test(line)) lines.push(lines.pop()! + line.slice(1));
    else lines.push(line);
  }
  return lines;
}

function checkCalendar(lines: readonly string[], components: number): void {
  if (components === 0) throw new Error('a calendar has at least one component');
  for (const needed of ['VERSION:2.0', 'PRODID:']) {
    if (lines.filter((line) => line.startsWith(needed)).length !== 1) throw new Error(`${needed} must stand once`);
  }
}

function entryOf(lines: readonly string[]): CalendarEntry {
  const properties: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const [name, value] = [line.slice(0, at), line.slice(at + 1)];
    if (name in properties) throw new Error(`${name} stands twice`);
    properties[name] = value;
  }
  const names = Object.keys(properties).map((name) => name.split(';')[0]!);
  for (const needed of ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'STATUS', 'SEQUENCE']) {
    if (!names.includes(needed)) throw new Error(`${needed} is missing`);
  }
  for (const [name, value] of Object.entries(properties)) check(name, value);
  const [start, end] = ['DTSTART', 'DTEND'].map(
    (name) => Object.entries(properties).find(([one]) => one.startsWith(name))!,
  );
  if (start![0].slice(7) !== end![0].slice(5)) throw new Error('DTSTART and DTEND differ in type');
  if (start![1] >= end![1]) throw new Error('the end is not after the start');
  const texts = ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'UID'];
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, texts.includes(name) ? unescaped(value) : value]),
    ),
  };
}

function check(name: string, value: string): void {
  const isDate = name.endsWith(';VALUE=DATE');
  if (/^(?:DTSTART|DTEND|DTSTAMP|LAST-MODIFIED)/.test(name)) {
    if (!(isDate ? /^\d{8}$/ : /^\d{8}T\d{6}Z$/).test(value)) throw new Error(`${name} is no time: ${value}`);
  }
  if (name === 'SEQUENCE' && !(/^\d+$/.test(value) && Number(value) < 2 ** 31))
    throw new Error('SEQUENCE is no integer');
  if (name === 'STATUS' && !['CONFIRMED', 'TENTATIVE', 'CANCELLED'].includes(value)) throw new Error(`STATUS ${value}`);
  if (name === 'TRANSP' && !['OPAQUE', 'TRANSPARENT'].includes(value)) throw new Error(`TRANSP ${value}`);
  const list = name === 'CATEGORIES' ? ',' : '';
  if (
    [...ONCE, 'CATEGORIES'].includes(name) &&
    !new RegExp(`^(?:[^\\\\;,\\x00-\\x08\\x0a-\\x1f\\x7f${list}]|\\\\[\\\\;,nN]|[${list || '\\t'}])*$`).test(value)
  ) {
    throw new Error(`${name} is not escaped: ${value}`);
  }
}

const unescaped = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one));
