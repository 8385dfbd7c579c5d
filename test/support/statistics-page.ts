import { SPORT_SLUGS } from '../../src/domain/catalogue/catalogue.ts';
import type { SportStatistics, StatisticsGroup, WeightedSum } from '../../src/domain/statistics/sport-statistics.ts';
import { STATISTICS } from '../../src/domain/statistics/statistics-catalogue.ts';

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');
const rows = (groups: readonly StatisticsGroup[]): string[] =>
  groups.map(({ groupName, names: list }) => `| ${groupName} | ${names(list)} |`);

/** `hits` + `doubles` + 2 x `triples`. */
function formula(sum: WeightedSum): string {
  const parts = Object.entries(sum).map(([part, times], index) => {
    const sign = times < 0 ? (index === 0 ? '-' : ' - ') : index === 0 ? '' : ' + ';
    const factor = Math.abs(times) === 1 ? '' : `${Math.abs(times)} x `;
    return `${sign}${factor}\`${part}\``;
  });
  return parts.join('');
}

function combined({ sums, specialRules }: SportStatistics): string[] {
  const all = [
    ...Object.entries(sums).map(([name, sum]) => `| \`${name}\` | ${formula(sum)} |`),
    ...Object.entries(specialRules).map(([name, rule]) => `| \`${name}\` | ${rule} |`),
  ];
  return all.length === 0 ? [] : ['', '| what follows from others | is |', '|---|---|', ...all];
}

function rated({ averaged: { fromScore, bothSides, ownSideOnly } }: SportStatistics): string[] {
  const kinds = [
    ['from the score', fromScore],
    ["a side's own and the other side's", bothSides],
    ["a side's own", ownSideOnly],
  ] as const;
  const told = kinds.filter(([, list]) => list.length > 0).map(([kind, list]) => `| ${kind} | ${names(list)} |`);
  return ['', '| rates in `stats` | of |', '|---|---|', ...told];
}

/** The part of `docs/statistics.md` that is made from the list: a section for each sport. */
export function statisticsSections(): string {
  const kinds = [...new Set(SPORT_SLUGS.map((sport) => STATISTICS[sport]))];
  return kinds
    .map((sport) => {
      const slugs = SPORT_SLUGS.filter((slug) => STATISTICS[slug] === sport);
      const header = [`## ${sport.title}: ${names(slugs)}`, '', '| of | names |', '|---|---|'];
      return [...header, ...rows(sport.teams), ...rows(sport.players), ...combined(sport), ...rated(sport)].join('\n');
    })
    .join('\n\n');
}
