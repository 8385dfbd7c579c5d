import { DAY, HOUR } from '../../domain/time.ts';
import { type PeopleContext, timeText } from './people-context.ts';

/** So long a link of a registration, or to a new address, can be opened. */
export const VERIFICATION_MS = DAY;
export const RESET_MS = HOUR;

/** What was made at this time or before is too old. */
export const tooOld = ({ now }: PeopleContext, forMs: number): string => timeText(now() - forMs);

/** Of a link to set a new password, where it can still be used. */
export const resetsBy = (context: PeopleContext, token: string) =>
  context.database
    .selectFrom('password_resets')
    .selectAll()
    .where('token_hash', '=', context.digest('reset', token))
    .where('made_at', '>', tooOld(context, RESET_MS));

/** The one before works no more. */
export const putReset = ({ database, digest, now }: PeopleContext, userId: number, token: string) => {
  const values = { token_hash: digest('reset', token), made_at: timeText(now()) };
  return database
    .insertInto('password_resets')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values));
};
