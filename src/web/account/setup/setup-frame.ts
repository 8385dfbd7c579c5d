import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import type { VariableName } from '../../../platform/settings/variables.ts';
import { type Html, html } from '../../layout/html.ts';
import { refusalBox } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SetupDesk } from './setup-desk.ts';

/** What all pages of the setup share. */

export const SETUP = '/setup';
/** The pages in their order. */
export const STEPS = [
  [SETUP, 'Owner'],
  ['/setup/sport', 'Sport'],
  ['/setup/storage', 'Storage'],
  ['/setup/people', 'Mail and people'],
  ['/setup/summary', 'Summary'],
] as const;
export type StepPath = (typeof STEPS)[number][0];

export const nextStep = (path: StepPath): StepPath =>
  STEPS[Math.min(STEPS.findIndex(([one]) => one === path) + 1, STEPS.length - 1)]![0];

/** A page below the list of all steps. */
export function setupPage(path: StepPath, title: string, content: Html, refusal?: Refusal): PageResponse {
  const here = STEPS.findIndex(([one]) => one === path);
  const items = STEPS.map(([to, text], index) => {
    if (index === here) return html`<li aria-current="step"><span>${text}</span></li>`;
    // The first step is closed once it is done.
    const isLink = index < here && index > 0;
    const done = index < here && html`<span class="hidden-text"> (done)</span>`;
    return html`<li${index < here && html` class="done"`}>${isLink ? html`<a href="${to}">${text}</a>` : html`<span>${text}</span>`}${done}</li>`;
  });
  return pageResponse(
    title,
    html`<nav aria-label="Steps"><ol class="steps">${items}</ol></nav>
${refusalBox(refusal)}
${content}`,
    refusal && { status: refusal.status },
  );
}

type Show = (visit: SignedInRequest, refusal?: Refusal) => Promise<PageResponse>;

/** A page of whoever sets the server up now. @param show draws it, also after a refusal */
export const chosenGet = (desk: SetupDesk, path: StepPath, show: Show): PageRoute => ({
  method: 'GET',
  path,
  access: 'admin',
  async run(visit) {
    assertChosenBy(desk, visit);
    return show(visit);
  },
});

/**
 * What such a page sends. @param show draws the page again after a refusal
 * @param run gets a visit of whoever sets the server up now
 */
export const chosenPost = (
  desk: SetupDesk,
  path: string,
  show: Show,
  run: (visit: SignedInRequest) => Promise<PageResponse>,
  lists: readonly string[] = [],
): PageRoute => ({
  method: 'POST',
  path,
  access: 'admin',
  lists,
  async run(visit) {
    assertChosenBy(desk, visit);
    return run(visit);
  },
  refused: show,
});

/** @throws ApiError not_found for everybody else, and when the time is over */
function assertChosenBy(desk: SetupDesk, { session }: SignedInRequest): void {
  if (!desk.isChosenBy(session.user.email)) throw notFound();
}

/** A note where the environment has a setting, which a choice here would not change. */
export const environmentNote = (desk: SetupDesk, ...names: readonly VariableName[]): Html => {
  const given = names.filter((name) => desk.setting(name).source === 'environment');
  if (given.length === 0) return html``;
  const list = given.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`);
  return html`<p class="note">The environment sets ${list}. It wins over what you choose here.</p>`;
};

/** The text that a field shows: the typed one if the form was refused, else the given one. */
export const shownText = (visit: PageRequest, name: string, text: string | undefined): string =>
  visit.method === 'POST' ? fieldText(visit.form, name) : (text ?? '');

/** A choice of several. @throws RefusedError */
export function readChoice<const Choice extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice {
  const text = fieldText(form, name);
  const found = choices.find((one) => one === text);
  if (found === undefined) throw invalidField(name, 'Choose one of them.');
  return found;
}

/** The button that keeps a step, and a link that leaves it as it is. */
export const stepButtons = (path: StepPath, text = 'Save and go on'): Html =>
  html`<div class="step-buttons"><button type="submit">${text}</button> <a href="${nextStep(path)}">Leave this as it is</a></div>`;
