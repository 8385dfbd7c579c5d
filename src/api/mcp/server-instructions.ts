import { describeSharedParameters } from './short-tool.ts';

const INSTRUCTIONS = [
  'Ledgerline answers about sports: schedules, scores, odds and how they moved, public betting splits, injuries, teams and players of nfl, nba, mlb, nhl, ncaaf, ncaab, tennis and soccer.',
  'Find the id first (list_events, list_teams or search_players), then ask about it.',
  'Times are UTC. Prices are American odds. available: false means that nothing is known yet, and is free.',
  'Lists go on where next_after_id is not null: pass it as after_id.',
  'as_of answers as of a moment in the past.',
  'Calls cost credits, as each tool says; _meta.credits_used tells the cost, failed calls cost nothing, get_credits tells the balance.',
  'A result with isError holds an error as JSON: go by error.code; at 429 wait for error.retry_after seconds, at 402 ask the user, at 422 mend what error.errors names.',
].join(' ');

/**
 * Instructions that a model gets before the tools.
 * @param withParameters tells what the parameters of many tools mean, which short tools do not repeat. Without them at
 * most 1,000 characters.
 */
export const describeServer = (withParameters: boolean): string =>
  withParameters
    ? `${INSTRUCTIONS} Arguments of many tools: ${describeSharedParameters()}. Tools beyond those listed can be called too: /mcp?tools=odds, stats, betting, account or all lists them.`
    : INSTRUCTIONS;
