import { SLUG } from '../../../domain/feed/message-fields.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { hiddenField, postForm, submitButton } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { MAX_NOTE } from './data-act-fields.ts';
import { DATA_PATH, placeOf, placePath } from './data-place.ts';
import { messagesText } from './data-texts.ts';
import { noteField, placeFields } from './data-trial.ts';
import { readFormFields } from './form-field-reader.ts';
import type { IdentityDesk, SourceDismissal } from './identity-desk.ts';
import { staffPost } from './staff-page-frame.ts';

// Giving up all that waits of one source: a source that errs may leave hundreds of groups. Each group is an act of its
// own, which can be undone by itself.

/** In the address: shows the count before anything is done. */
const ALL_OF = 'all_of';

const groupsText = (count: number): string => (count === 1 ? '1 group' : `${count} groups`);
const leftText = ({ left, isMoreLeft }: SourceDismissal): string =>
  left === 0
    ? 'Nothing of the source is left.'
    : `${isMoreLeft ? 'More than ' : ''}${groupsText(left)} of the source are left.`;

/** A link for the source that is filtered by, and then what would be given up. */
export async function dismissSourceSection(desk: IdentityDesk, visit: SignedInRequest): Promise<Html> {
  const { by_source: source } = placeOf(visit);
  if (source === undefined || !SLUG.test(source) || !desk.dismissSource) return html``;
  // After a refusal the form that was sent is shown again.
  const isAsked = visit.method === 'POST' ? visit.path.endsWith(PATH) : visit.query.has(ALL_OF);
  const place = placeOf(visit);
  if (!isAsked) {
    return html`<p><a href="${placePath(place, { [ALL_OF]: source })}">Dismiss all that waits of ${source}…</a></p>`;
  }
  const counted = await desk.dismissSource(source, { by: byOf(visit) }, true);
  const { groups, messages } = counted;
  const content =
    groups === 0
      ? emptyState(`Nothing of ${source} waits.`)
      : postForm(
          visit,
          PATH,
          html`<p>${messagesText(messages)} of ${source} in ${groupsText(groups)} are given up, whatever they wait for. Each group is an act of its own, and may be undone by itself. ${leftText(counted)}</p>
${placeFields(visit)}${hiddenField('source', source)}
${noteField('all-of', fieldText(visit.form, 'note'))}
${submitButton('Dismiss all', 'danger')} <a href="${placePath(place)}">Not now</a>`,
        );
  return html`<section aria-labelledby="all-of"><h2 id="all-of">Dismiss all of ${source}</h2>
${content}</section>`;
}

const PATH = `${DATA_PATH}/dismiss-source`;
const byOf = ({ session }: SignedInRequest): string => `staff ${session.user.id}`;

export const dismissSourceRoute = (
  { desk, securityLog, recordStaffAct }: Pick<AdminParts, 'desk' | 'securityLog' | 'recordStaffAct'>,
  refused: (visit: SignedInRequest, refusal: Refusal) => Promise<PageResponse>,
): PageRoute =>
  staffPost(
    { securityLog, recordStaffAct },
    {
      path: PATH,
      access: 'admin',
      refused,
      async run(visit) {
        const { form } = visit;
        const check = readFormFields(form);
        const source = fieldText(form, 'source');
        if (!SLUG.test(source)) check.addError('source', 'There is no such source.');
        const note = fieldText(form, 'note') === '' ? undefined : check.text('note', MAX_NOTE);
        check.throwIfInvalid();
        if (!desk.dismissSource)
          throw new RefusedError(409, 'This process takes no messages in: use the command identities.');
        const done = await desk.dismissSource(source, { by: byOf(visit), note }, false);
        const text = `${messagesText(done.messages)} of ${source} were given up, by an act for each of ${groupsText(done.groups)}. ${leftText(done)}`;
        const link = { to: placePath({ tab: 'acts' }), text: 'Show the acts' };
        return { to: placePath(placeOf(visit)), text, ...(done.groups > 0 && { link }) };
      },
    },
  );
