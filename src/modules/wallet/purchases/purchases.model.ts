/** Identifies our orders among the merchant's. */
export const KEYS_PURPOSE = 'keys';

export interface KeysOrder {
  keys: number;
  usdAmount: number;
  metadata: Record<string, unknown>;
}
