import { createHmac } from 'node:crypto';
import { SALT_BYTES } from '../../domain/proof/sealed-leaf.ts';

/**
 * The salt of the leaf of something that belongs to an account: it follows from a key that is deleted with the account,
 * and stands nowhere.
 * @param key of the account, in hexadecimal digits @param id of the receipt or the experiment
 */
export const saltOfKey = (key: string, id: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest().subarray(0, SALT_BYTES).toString('hex');
