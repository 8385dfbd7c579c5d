/** So many of the newest games each part of the statistics looks at; the same for every sport. */
export const WINDOWS = { recent_form: 5, rates_l5: 5, rates_season: 'season', head_to_head: 10, sos: 5 } as const;
