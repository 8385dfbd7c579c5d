import type { SoccerConstants } from './soccer-model.ts';
import type { TeamConstants } from './team-constants.ts';
import type { TennisConstants } from './tennis-model.ts';

// Every number here was fitted on the years that docs/models.md names, and judged on later ones. Whoever changes one
// moves the version.

/** Of all sports: with slopes of 1 on the years of the fit, those of the years after were .94 to .97. */
const TRUST = 0.96;

export const NFL: TeamConstants = {
  version: 'nfl-1.0',
  margin: { noise: 12.4, newcomers: 5.2, newcomer: 0, drift: 0.12, carry: 0.42, longMean: 0.54, company: 0, bound: 37 },
  total: { noise: 13.3, newcomers: 4, newcomer: 0, drift: 0.03, carry: 0.75, longMean: 0, company: 0, bound: 40 },
  home: 2.5,
  points: 43,
  homeGain: 0.0015,
  pointsGain: 0.0017,
  ground: 1.2,
  tired: 0,
  rested: 0.9,
  keys: { margin: 40, total: 80 },
  calibration: { weight: 200, slope: 1.1, trust: TRUST },
  scope: { share: 0.5, keys: { margin: 28, total: 45 } },
  starters: null,
  quarterbacks: { newcomer: -5, newcomers: 2.5, drift: 0.003, carry: 0.9 },
};

export const NCAAF: TeamConstants = {
  version: 'ncaaf-1.0',
  margin: {
    noise: 14.3,
    newcomers: 15,
    newcomer: -27,
    drift: 0.1,
    carry: 0.84,
    longMean: 0.9,
    company: 1.2,
    bound: 270,
  },
  total: { noise: 16.5, newcomers: 8, newcomer: 0, drift: 0.3, carry: 0.67, longMean: 0, company: 0, bound: 45 },
  home: 3,
  points: 55,
  homeGain: 0.0003,
  pointsGain: 0.0008,
  ground: 0,
  tired: 0,
  rested: 0.5,
  keys: { margin: 40, total: 90 },
  calibration: { weight: 50, slope: 1.1, trust: TRUST },
  scope: { share: 0.5, keys: { margin: 28, total: 50 } },
  starters: null,
  quarterbacks: null,
};

export const NBA: TeamConstants = {
  version: 'nba-1.0',
  margin: { noise: 11.8, newcomers: 5, newcomer: 0, drift: 0.09, carry: 0.8, longMean: 0.07, company: 0, bound: 35 },
  total: { noise: 17.5, newcomers: 5.1, newcomer: 0, drift: 0.2, carry: 0.56, longMean: 0, company: 0, bound: 45 },
  home: 3,
  points: 200,
  homeGain: 0.0005,
  pointsGain: 0.0075,
  ground: 1,
  tired: 1.4,
  rested: 0,
  keys: { margin: 12, total: -1 },
  calibration: { weight: 50, slope: 1.1, trust: TRUST },
  scope: { share: 0.5, keys: { margin: -1, total: -1 } },
  starters: null,
  quarterbacks: null,
};

export const NCAAB: TeamConstants = {
  version: 'ncaab-1.0',
  margin: { noise: 11, newcomers: 9, newcomer: -3, drift: 0.015, carry: 0.83, longMean: 0, company: 1.2, bound: 45 },
  total: { noise: 16.5, newcomers: 8, newcomer: 0, drift: 0.22, carry: 0.67, longMean: 0, company: 0, bound: 45 },
  home: 3.3,
  points: 143,
  homeGain: 0.0003,
  pointsGain: 0.0015,
  ground: 1.7,
  tired: 0.1,
  rested: 0,
  keys: { margin: 12, total: -1 },
  calibration: { weight: 200, slope: 0.95, trust: TRUST },
  scope: { share: 0.48, keys: { margin: -1, total: -1 } },
  starters: null,
  quarterbacks: null,
};

export const MLB: TeamConstants = {
  version: 'mlb-1.0',
  margin: {
    noise: 3.7,
    newcomers: 0.35,
    newcomer: 0,
    drift: 0.0025,
    carry: 0.43,
    longMean: 0.1,
    company: 0,
    bound: 2.5,
  },
  total: { noise: 5, newcomers: 0.95, newcomer: 0, drift: 0.0035, carry: 1, longMean: 0, company: 0, bound: 10 },
  home: 0.2,
  points: 9,
  homeGain: 0.0002,
  pointsGain: 0.0005,
  ground: 0,
  tired: 0,
  rested: 0,
  keys: { margin: 15, total: 30 },
  calibration: { weight: 50, slope: 1.1, trust: TRUST },
  scope: { share: 0.55, keys: { margin: 10, total: 20 } },
  starters: {
    early: 2.5,
    earlyGain: 0.002,
    noise: 2.3,
    newcomers: 0.4,
    newcomer: 0.8,
    carry: 0.65,
    drift: 0.005,
    bound: 2.5,
    weight: 0.65,
    staffGain: 0.002,
    batting: 1,
  },
  quarterbacks: null,
};

export const NHL: TeamConstants = {
  version: 'nhl-1.0',
  margin: {
    noise: 2.45,
    newcomers: 0.8,
    newcomer: 0,
    drift: 0.0002,
    carry: 0.9,
    longMean: 0.1,
    company: 0,
    bound: 2.9,
  },
  total: { noise: 2.2, newcomers: 0.28, newcomer: 0, drift: 5e-5, carry: 0.7, longMean: 0, company: 0, bound: 5 },
  home: 0.25,
  points: 5.5,
  homeGain: 0.00003,
  pointsGain: 0.0005,
  ground: 0,
  tired: 0.25,
  rested: 0,
  keys: { margin: 7, total: 14 },
  calibration: { weight: 50, slope: 1, trust: TRUST },
  scope: null,
  starters: null,
  quarterbacks: null,
};

const TENNIS_GAMES: TennisConstants['games'] = {
  three: { margin: 2.4, marginSd: 4.6, total: 23.4, oneSided: 0.6, totalSd: 5.9 },
  five: { margin: 3.2, marginSd: 6.2, total: 38.5, oneSided: 1.2, totalSd: 9.5 },
};

export const ATP: TennisConstants = {
  version: 'tennis-1.0',
  gain: { gain: 0.88, offset: 5, power: 0.4 },
  surfaceGain: { gain: 0.4, offset: 5, power: 0.35 },
  surface: 0.5,
  crossing: 0.25,
  byMargin: 0.11,
  fiveSets: 1.35,
  rank: { newcomer: 0.15, known: 0.21 },
  unranked: 9,
  rust: 0.2,
  layoff: 120,
  form: { weight: 0.1, fades: 60 },
  unproven: 0.4,
  calibration: { weight: 100, slope: 0.9, trust: TRUST },
  games: TENNIS_GAMES,
};

export const WTA: TennisConstants = {
  ...ATP,
  gain: { gain: 0.5, offset: 5, power: 0.38 },
  surfaceGain: { gain: 1, offset: 5, power: 0.35 },
  surface: 0.22,
  byMargin: 0.23,
  fiveSets: 1,
  rank: { newcomer: 0.5, known: 0.29 },
  rust: 0.6,
  form: { weight: 0.2, fades: 60 },
  calibration: { weight: 100, slope: 0.9, trust: TRUST },
};

export const SOCCER: SoccerConstants = {
  version: 'soccer-1.0',
  goals: 0.3,
  home: 0.3,
  gain: 0.022,
  goalsGain: 0.0011,
  homeGain: 0.0015,
  bend: 0.23,
  carry: 1,
  newcomer: -0.16,
  fresh: 1.5,
  anew: 1,
  form: { gain: 0.012, kept: 0.9 },
  rho: -0.12,
  goalShare: 0.45,
  goalsOfChance: 0.23,
  half: { share: 0.45 },
  calibration: { weights: [200, 400], slope: 1.25, trust: TRUST },
};
