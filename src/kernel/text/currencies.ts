const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is the code of a currency in ISO 4217. */
export const isCurrency = (text: string): boolean => CURRENCIES.has(text);
