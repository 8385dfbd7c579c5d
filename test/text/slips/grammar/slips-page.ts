import { HONESTY } from '../../../../src/domain/grading/house-rules.ts';
import { STAT_WORDS } from '../../../../src/text/slips/grammar/stat-words.ts';

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** The table of `docs/slips.md` with the words for statistics. */
export const wordsTable = (): string =>
  [
    '| sports | words | statistic |',
    '|---|---|---|',
    ...STAT_WORDS.map(
      ([sports, stat, words]) => `| ${code(sports)} | ${code([stat.replaceAll('_', ' '), ...words])} | \`${stat}\` |`,
    ),
  ].join('\n');

/** The part with the house rules: first those of all sports, then those of each sport. */
export function rulesSections(): string {
  const { house_rules, not_graded, note } = HONESTY;
  const [first = [], ...others] = Object.values(house_rules);
  const shared = first.filter((rule) => others.every((rules) => rules.includes(rule)));
  const list = (rules: readonly string[]): string => rules.map((rule) => `- ${rule}`).join('\n');
  const sections = Object.entries(house_rules).map(
    ([sport, rules]) => `### ${sport}\n\n${list(rules.filter((rule) => !shared.includes(rule)))}`,
  );
  return [`### Every sport\n\n${list(shared)}`, ...sections, `### Not graded\n\n${list(not_graded)}`, note].join(
    '\n\n',
  );
}
