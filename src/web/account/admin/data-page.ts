import { type Html, html } from '../../layout/html.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { dataActRoute } from './data-act-route.ts';
import { actsTab } from './data-acts.ts';
import { dismissSourceRoute } from './data-dismiss-source.ts';
import { duplicatesTab } from './data-duplicates.ts';
import { DATA_PATH, type DataTab, placeOf } from './data-place.ts';
import { trialSection } from './data-trial.ts';
import { waitingTab } from './data-waiting.ts';
import { mayChange, staffGet, staffPage } from './staff-page-frame.ts';

type DataParts = Pick<AdminParts, 'desk' | 'securityLog' | 'recordStaffAct'>;

const TABS: readonly (readonly [DataTab, string])[] = [
  ['waiting', 'Waiting'],
  ['duplicates', 'Duplicates'],
  ['acts', 'Acts'],
];

/** What waits, what is probably double, and what people did about it. */
export const dataRoutes = (parts: DataParts): readonly PageRoute[] => {
  const refused = (visit: SignedInRequest, refusal: Refusal) => dataPage(parts, visit, refusal);
  return [
    staffGet(DATA_PATH, (visit) => dataPage(parts, visit)),
    dataActRoute(parts, refused),
    dismissSourceRoute(parts, refused),
  ];
};

async function dataPage({ desk }: DataParts, visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
  const { tab } = placeOf(visit);
  const links = TABS.map(
    ([one, text]) => html`<a href="${DATA_PATH}?tab=${one}"${one === tab && html` aria-current="page"`}>${text}</a> `,
  );
  const isAdmin = mayChange(visit) && desk.act !== undefined;
  const asked = isAdmin ? await trialSection(desk, visit, refusal) : html``;
  const content = await CONTENTS[tab](desk, visit, isAdmin);
  return staffPage(
    visit,
    'Data',
    html`<nav class="pages" aria-label="Data">${links}</nav>\n${asked}\n${content}`,
    refusal,
  );
}

type Content = (desk: DataParts['desk'], visit: SignedInRequest, isAdmin: boolean) => Promise<Html>;

const CONTENTS: Readonly<Record<DataTab, Content>> = { waiting: waitingTab, duplicates: duplicatesTab, acts: actsTab };
