import { type ApiError, notFound as nothingThere } from '../../api/calls/errors.ts';

/** What is not there, or is another's: nobody learns which. Throw it. */
export const notFound = (): ApiError => nothingThere('There is nothing at this address.');
