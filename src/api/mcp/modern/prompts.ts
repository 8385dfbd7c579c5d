import { SPORTS } from '../../../domain/catalogue/catalogue.ts';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

type Values = Readonly<Record<string, string | undefined>>;

interface PlannedCall {
  readonly tool: string;
  /** Values in angle brackets come from the answers before. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A question that is asked often, with the calls that answer it. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model shall do with the answers. */
  readonly task: (values: Values) => string;
  readonly plan: (values: Values) => readonly PlannedCall[];
}

const argument = (name: string, description: string, required = true): PromptArgument => ({
  name,
  description,
  required,
});
const EVENT = argument('event_id', 'Id of the event.');
const BOOKMAKER = argument('bookmaker', 'A bookmaker’s slug; pinnacle where left out.', false);
const bookmakerOf = ({ bookmaker = 'pinnacle' }: Values) => bookmaker;
const idOf = ({ event_id }: Values) => (/^\d{1,15}$/.test(event_id!) ? Number(event_id) : event_id!);

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'slip_check',
    title: 'Check a bet slip',
    description: 'Grades a slip, and says for each open leg what is known about its game.',
    arguments: [argument('slip', 'The slip in words, such as `Chiefs -3.5, Lakers ML`.')],
    task: () =>
      'Say for each leg whether it is won, lost, void or open, and why. Name legs that could not be mapped, and never guess what they mean. For open legs give the score and who is injured.',
    plan: ({ slip }) => [
      { tool: 'grade_slip', arguments: { text: slip } },
      { tool: 'get_live_score', arguments: { id: '<event_id of each open leg>' } },
      { tool: 'get_injuries', arguments: { id: '<event_id of each open leg>' } },
    ],
  },
  {
    name: 'line_history',
    title: 'How a line moved',
    description: 'The opening and the present price of an event, and the moves between.',
    arguments: [EVENT, BOOKMAKER],
    task: () => 'Give the opening and the latest price of each market, the largest move, and when it came, in UTC.',
    plan: (values) => [
      { tool: 'get_event', arguments: { id: idOf(values) } },
      { tool: 'get_odds_history', arguments: { id: idOf(values), bookmaker: bookmakerOf(values), limit: 100 } },
      { tool: 'get_odds', arguments: { id: idOf(values), bookmaker: bookmakerOf(values) } },
    ],
  },
  {
    name: 'why_did_it_move',
    title: 'Why a line moved',
    description: 'Puts the moves of an event beside injuries and betting splits.',
    arguments: [EVENT],
    task: () =>
      'Set the times of the largest moves beside those of injuries and splits. Say what fits in time, and that a fit in time is no proof. Where nothing fits, say so.',
    plan: (values) => [
      { tool: 'get_odds_history', arguments: { id: idOf(values), bookmaker: 'all', limit: 100 } },
      { tool: 'get_injuries', arguments: { id: idOf(values) } },
      { tool: 'get_splits', arguments: { id: idOf(values) } },
      { tool: 'get_intelligence', arguments: { id: idOf(values) } },
    ],
  },
  {
    name: 'morning_brief',
    title: 'Brief of a day',
    description: 'The games of a sport on a day, with prices, injuries and what stands out.',
    arguments: [
      argument('sport', 'A sport’s slug.'),
      argument('date', 'A UTC date, YYYY-MM-DD; today where left out.', false),
    ],
    task: ({ date = 'today' }) =>
      `List the games of ${date} by start, with the price of each side. Name injuries that matter and prices that differ from the fair ones. Say where nothing is known.`,
    plan: ({ sport, date }) => [
      date === undefined
        ? { tool: 'query_events', arguments: { query: `${sport} today` } }
        : { tool: 'list_events', arguments: { sport, date } },
      { tool: 'get_odds', arguments: { id: '<id of each event>' } },
      { tool: 'get_injuries', arguments: { id: '<id of each event>' } },
      { tool: 'scan_ev', arguments: { sport } },
    ],
  },
];

/** What `prompts/list` shows. */
export const listedPrompts = PROMPTS.map(({ task: _, plan: __, ...listed }) => listed);

/**
 * The message of a prompt.
 * @param values of its arguments; a missing one is undefined
 */
export function promptMessage({ task, plan }: Prompt, values: Values): string {
  const steps = plan(values).map(
    ({ tool, arguments: given }, index) => `${index + 1}. \`${tool}\` with ${JSON.stringify(given)}`,
  );
  return [
    task(values),
    'Make these calls in this order, and no others unless they fail:',
    ...steps,
    'Times are UTC and prices American odds. `available: false` means that nothing is known: say so, and invent nothing.',
  ].join('\n');
}

/** Possible values of an argument. */
export const promptValues = (name: string): readonly string[] =>
  name === 'sport' ? SPORTS.map(({ slug }) => slug) : [];
