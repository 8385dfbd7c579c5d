import type { WaitingRow } from '../../web/account/admin/identity-desk.ts';

type Advised = Pick<WaitingRow, 'id' | 'source' | 'ref' | 'what' | 'reason'>;

/** What a person can do about messages that wait, in words with the commands. */
export function adviceOf(row: Advised): string {
  const ways = [...waysOf(row), `or give up: dismiss --waiting '${row.id}'`];
  return ways.join('; ');
}

function waysOf(row: Advised): readonly string[] {
  const { source, ref, what, reason } = row;
  const bind = ref === null ? [] : [`if you know which ${what ?? 'thing'} it is: bind ${source}:${ref} ID`];
  switch (reason) {
    case 'refused':
      return ['its event is known and refused it, so it cannot be bound', ...wrongEvent(row)];
    case 'unknown_team':
    case 'unknown_player': {
      const kind = reason === 'unknown_team' ? 'team' : 'player';
      return [`if the ${kind} goes by another name here: alias ${kind} ID NAME`, ...bind];
    }
    case 'ambiguous_team':
    case 'ambiguous_player':
      return bind.length > 0 ? bind : ['the source must name it by a ref, or by a name that only one has'];
    case 'ambiguous':
    case 'unknown_event':
      return bind.length > 0 ? bind : [withoutRef(reason)];
    case 'side_unproved':
      return ['it is released by itself once prices or settled contracts prove its side', ...contractWay(row)];
    case 'contract_unclear':
      return contractWay(row);
    default:
      return [...bind, 'it is released as soon as the source says what it calls so'];
  }
}

const contractWay = ({ source, ref }: Advised): readonly string[] => [
  `if you know which bet its Yes is: bind ${source}:${ref} EVENT --side SIDE [--point P]`,
];

const wrongEvent = ({ source, ref, what }: Advised): readonly string[] =>
  ref === null || what !== 'event' ? [] : [`if its ref means the wrong event: split event ${source}:${ref} --into ID`];

const withoutRef = (reason: string): string =>
  reason === 'ambiguous'
    ? 'it has no ref, so it cannot be bound: it is released once a schedule moves one of the games, or numbers them'
    : 'it has no ref, so it cannot be bound: it is released once a schedule of its game comes, near the start it gives';
