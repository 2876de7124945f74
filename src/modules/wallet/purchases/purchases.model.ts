/** The `purpose` of orders for Keys at the merchant. */
export const KEYS_PURPOSE = 'keys';

export interface KeysOrder {
  keys: number;
  usdAmount: number;
  metadata: Record<string, unknown>;
}
