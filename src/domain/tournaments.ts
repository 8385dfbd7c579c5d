/** A leading name of the tour: it tells nothing that the league does not. */
const TOUR = /^(?:ATP|WTA)\b[\s:-]*/i;

/** The name of a tournament of tennis, without that of its tour. */
export const tournamentName = (competition: string): string => competition.replace(TOUR, '') || competition;

/** The same as a word: lower case, all else as `_`. */
export const tournamentSlug = (competition: string): string =>
  tournamentName(competition)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
