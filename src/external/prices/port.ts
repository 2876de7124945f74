/**
 * What a symbol looks like, in whatever letter case; it is kept in capitals. Indices begin with signs of their own (`^GSPC`,
 * `$SPX`, `.DJI`, `#US30`, `@ES`), futures end with some (`ES=F`, `ES1!`), and names have some within (`M&M.NS`, `EUR/USD`).
 */
export const SYMBOL_PATTERN = '^[$^.#@]?[A-Za-z0-9][A-Za-z0-9.:/_=!&^+-]{0,28}$';

/** A price of this moment (part 2, market:price). */
export interface Price {
  symbol: string;
  price: number;
  /** Since the market opened. */
  change: number;
  changePercent: number;
}

/** Where prices come from. */
interface PriceFeed {
  /** From now on these symbols are wanted, and no others. */
  watch(symbols: string[]): void;
  close(): void;
}

/** Makes a feed that tells each price as it comes. */
export type OpenPriceFeed = (onPrice: (price: Price) => void) => PriceFeed;
