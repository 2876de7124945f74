/**
 * The pattern of symbols, in any letter case; they are stored in upper case. Indices have their own prefixes (`^GSPC`,
 * `$SPX`, `.DJI`, `#US30`, `@ES`), futures have suffixes (`ES=F`, `ES1!`), and some names contain signs (`M&M.NS`,
 * `EUR/USD`).
 */
export const SYMBOL_PATTERN = '^[$^.#@]?[A-Za-z0-9][A-Za-z0-9.:/_=!&^+-]{0,28}$';
/** What is said about a text that is none. */
export const SYMBOL_MESSAGE = 'must be a symbol of at most 30 characters without spaces, such as EURUSD';

/** A current price. */
export interface Price {
  symbol: string;
  price: number;
  /** Since the market opened. */
  change: number;
  changePercent: number;
}

/** A source of prices. */
interface PriceFeed {
  /** Replaces the set of watched symbols. */
  watch(symbols: string[]): void;
  close(): void;
}

/** Opens a feed that reports each price as it arrives. */
export type OpenPriceFeed = (onPrice: (price: Price) => void) => PriceFeed;
