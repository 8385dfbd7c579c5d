/** The place among the account's experiments, then what nobody can guess: 16 bytes, 22 characters of base64url. */
const ID = /^ex_(\d{1,6})_[A-Za-z0-9_-]{22}$/;
export const EXPERIMENT_ID_BYTES = 16;

/** @param place from 0 @param random `EXPERIMENT_ID_BYTES` random bytes */
export const toExperimentId = (place: number, random: Uint8Array): string =>
  `ex_${place}_${Buffer.from(random).toString('base64url')}`;

/** The revision of its record in the stream of its account; undefined if the text is no id. */
export function placeInAccount(id: string): number | undefined {
  const place = ID.exec(id)?.[1];
  return place === undefined ? undefined : Number(place);
}
