import { IDENTITY_ACTIONS, IDENTITY_SUBJECTS } from '../../../domain/feed/identity-message.ts';
import { SLUG } from '../../../domain/feed/message-fields.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { readSplit } from './data-split.ts';
import { DATA_PATH, dataTabOf } from './data-tabs.ts';
import { readFormFields } from './form-field-reader.ts';
import type { EventView, WantedAct } from './identity-desk.ts';
import { staffPost } from './staff-page-frame.ts';

const MAX_ID = 999_999_999_999_999;
const MAX_TEXT = 300;
const MAX_NOTE = 500;
const MAX_GROUP = 1000;

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
        const wanted = readAct(visit);
        if (!desk.act) throw new RefusedError(409, 'This process takes no messages in: use the command identities.');
        const { act, moved, becomes, from_becomes } = await desk.act(wanted, false);
        const tab = dataTabOf(fieldText(visit.form, 'tab'));
        const text =
          act === null ? 'It was so already.' : `Act ${act} is done; messages that it concerns: ${moved.records}.`;
        const changed = [becomes, from_becomes].flatMap((event) => (event ? ` ${isNow(event)}` : []));
        return { to: `${DATA_PATH}?tab=${tab}`, text: text + changed.join('') };
      },
    },
  );

const isNow = ({ id, name, starts_at, status }: EventView): string =>
  `Event ${id} is now ${name}, ${starts_at ?? 'without a start'}, ${status}.`;

function readAct({ form, session }: SignedInRequest): WantedAct {
  const check = readFormFields(form);
  const action = IDENTITY_ACTIONS.find((one) => one === fieldText(form, 'action'));
  const what = IDENTITY_SUBJECTS.find((one) => one === fieldText(form, 'what'));
  if (!action) check.addError('action', 'There is no such action.');
  if ((action === 'merge' || action === 'bind' || action === 'alias') && !what)
    check.addError('what', 'This is an event, a team or a player.');
  const note = fieldText(form, 'note') === '' ? undefined : check.text('note', MAX_NOTE);
  const said = { by: `staff ${session.user.id}`, ...(note === undefined ? {} : { note }) };
  const wanted = membersOf(action, form, check);
  check.throwIfInvalid();
  return { action: action!, ...(what && { what }), ...wanted, ...said };
}

function membersOf(
  action: WantedAct['action'] | undefined,
  form: URLSearchParams,
  check: ReturnType<typeof readFormFields>,
): Partial<WantedAct> {
  switch (action) {
    case 'merge':
      return { from: check.number('from', 1, MAX_ID), into: check.number('into', 1, MAX_ID) };
    case 'bind': {
      const [source, ref] = [fieldText(form, 'source'), check.text('ref', MAX_TEXT)];
      if (!SLUG.test(source)) check.addError('source', 'There is no such source.');
      return { source_ref: { source, ref: ref ?? '' }, into: check.number('into', 1, MAX_ID) };
    }
    case 'alias':
      return { id: check.number('id', 1, MAX_ID), name: check.text('name', MAX_TEXT) };
    case 'dismiss':
      return { waiting: check.text('waiting', MAX_GROUP) };
    case 'split':
      return readSplit(form, check);
    case 'undo':
      return { act: check.number('act', 1, MAX_ID) };
    default:
      return {};
  }
}
