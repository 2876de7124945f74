import type { Wallet } from '../../wallet/contract.ts';
import { type Course, KEYS } from './courses.model.ts';

/**
 * Returns what a course costs in whole Keys; a price in money is converted at the current rate and rounded up.
 * @throws noExchangeRate, insufficientBalance beyond the safe integers
 */
export const priceInKeys = async (
  wallet: Pick<Wallet, 'keysFor'>,
  { price, currency }: Pick<Course, 'price' | 'currency'>,
): Promise<number> => (currency === KEYS ? price : wallet.keysFor(price, currency));
