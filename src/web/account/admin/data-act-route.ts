import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { actionOf, pageRefusal, readAct } from './data-act-fields.ts';
import { actPath, DATA_PATH, placeOf, placePath } from './data-place.ts';
import { doneText } from './data-texts.ts';
import { staffPost } from './staff-page-frame.ts';

/** Does an act. It is a fact of the log itself, with the member of staff by id. */
export const dataActRoute = (
  { desk, securityLog, recordStaffAct }: Pick<AdminParts, 'desk' | 'securityLog' | 'recordStaffAct'>,
  refused: (visit: SignedInRequest, refusal: Refusal) => Promise<PageResponse>,
): PageRoute =>
  staffPost(
    { securityLog, recordStaffAct },
    {
      path: `${DATA_PATH}/act`,
      access: 'admin',
      refused,
      async run(visit) {
        const { form, session } = visit;
        const wanted = readAct(actionOf(fieldText(form, 'action')), form, `staff ${session.user.id}`);
        const done = await actOn(desk)(wanted, false).catch((error: unknown) => {
          throw error instanceof RefusedError ? pageRefusal(error) : error;
        });
        const { act } = done;
        const link = act === null ? {} : { link: { to: actPath(act), text: `Show act ${act}` } };
        return { to: placePath(placeOf(visit)), text: doneText(done), ...link };
      },
    },
  );

function actOn({ act }: AdminParts['desk']): NonNullable<AdminParts['desk']['act']> {
  if (!act) throw new RefusedError(409, 'This process takes no messages in: use the command identities.');
  return act;
}
