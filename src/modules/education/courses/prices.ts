import type { ObjectId } from '../../../kernel/ids.ts';
import type { Wallet } from '../../wallet/contract.ts';
import { type Course, KEYS } from './courses.model.ts';

/**
 * Returns what a course costs in whole Keys; a price in money is converted at the current rate and rounded up.
 * @throws noExchangeRate, insufficientBalance beyond the safe integers
 */
export const priceInKeys = async (
  wallet: Pick<Wallet, 'keysFor'>,
  { price, currency }: Pick<Course, 'price' | 'currency'>,
): Promise<number> => (isInKeys({ price, currency }) ? price : wallet.keysFor(price, currency));

/** Whether the price needs no exchange rate: nothing is nothing in every currency. */
const isInKeys = ({ price, currency }: Pick<Course, 'price' | 'currency'>): boolean =>
  currency === KEYS || price === 0;

/**
 * Returns what each course costs in whole Keys, as {@link priceInKeys}; null if nobody can pay it: its currency has no
 * exchange rate, or it costs more Keys than can be counted.
 */
export async function pricesInKeys(
  wallet: Pick<Wallet, 'allKeysFor'>,
  courses: Pick<Course, 'id' | 'price' | 'currency'>[],
): Promise<Map<ObjectId, number | null>> {
  const inMoney = courses.filter((one) => !isInKeys(one));
  const keys = await wallet.allKeysFor(inMoney);
  const converted = new Map(inMoney.map(({ id }, place) => [id, keys[place] ?? null]));
  return new Map(courses.map((one) => [one.id, isInKeys(one) ? one.price : (converted.get(one.id) ?? null)]));
}
