import type { Fixture } from './model.ts';

export const SURFACES = ['hard', 'clay', 'grass'] as const;
export type Surface = (typeof SURFACES)[number];

/** Carpet is as fast as grass was. Null for an unknown surface. */
export const surfaceOf = ({ surface }: Fixture): Surface | null => {
  if (surface === null) return null;
  return SURFACES.find((known) => surface.toLowerCase().includes(known)) ?? (/carpet/i.test(surface) ? 'grass' : null);
};
