import type { RecordLine } from '../../intelligence/judging/market-record.ts';
import { growingTable } from './audit-table.ts';

const NUMBERS = [
  'N',
  'LOG LOSS',
  'BRIER',
  'SLOPE',
  'CLOSE N',
  'CLOSE',
  'DIFFERENCE',
  '+-',
  'SELECTED',
  'CLV',
  'PROFIT',
];
const HEADINGS = ['MODEL', 'MARKET', 'FROM', 'TO', ...NUMBERS, 'PUBLISHED'];

/** Markets of which no game is judged are left out. @param width characters of the terminal */
export function recordTable(lines: readonly RecordLine[], width?: number): string[] {
  const rows = lines.flatMap((line) => {
    const { market, model_version, from, to, n, log_loss, brier, slope, close, paired, selections, published } = line;
    if (from === null || to === null) return [];
    return [
      [
        ...[model_version, market, from, to, String(n), shown(log_loss), shown(brier), shown(slope, 2)],
        ...[String(close.n), shown(close.log_loss), shown(paired.difference), shown(paired.se)],
        ...[String(selections.n), shown(selections.clv), shown(selections.profit), published ? 'yes' : 'no'],
      ],
    ];
  });
  return growingTable(HEADINGS, { width: width || undefined, numbers: NUMBERS })(rows);
}

const shown = (value: number | null, digits = 4): string => value?.toFixed(digits) ?? '-';
