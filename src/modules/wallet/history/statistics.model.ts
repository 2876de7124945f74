export interface Sum {
  count: number;
  /** Signed; negative for outgoing Keys. */
  amount: number;
}

export interface SumsRow {
  /** As text, because the sum may exceed the safe integers. */
  received: string;
  net: number;
  /** By type, excluding transfers. */
  others: Record<string, Sum>;
}
