import type { BoundSide, IdentitySubject } from '../../domain/feed/identity-message.ts';
import { OUTCOMES } from '../../domain/feed/message-schemas.ts';
import { UsageError } from './arguments.ts';

/** @throws UsageError */
export function subjectOf(text: string): IdentitySubject {
  if (text !== 'event' && text !== 'team' && text !== 'player') {
    throw new UsageError(`there are event, team and player, not ${text}`);
  }
  return text;
}

/** @throws UsageError */
export function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${text} is no id`);
  return Number(text);
}

/** @throws UsageError */
export function refOf(text: string): { readonly source: string; readonly ref: string } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) throw new UsageError(`${text} is not SOURCE:REF`);
  return { source: text.slice(0, colon), ref: text.slice(colon + 1) };
}

/** @throws UsageError */
export function boundSideOf(side: string | undefined, point: string | undefined): BoundSide | undefined {
  if (side === undefined) {
    if (point !== undefined) throw new UsageError('--point goes with --side');
    return undefined;
  }
  const outcome = OUTCOMES.find((one) => one === side);
  if (!outcome) throw new UsageError(`--side is one of ${OUTCOMES.join(', ')}, not ${side}`);
  if (point === undefined) return { outcome };
  const number = Number(point);
  if (point.trim() === '' || !Number.isFinite(number)) throw new UsageError(`--point ${point} is no number`);
  return { outcome, point: number };
}
