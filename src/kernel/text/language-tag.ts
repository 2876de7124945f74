/** Returns a BCP 47 language tag in its canonical form, `pt-BR` for `pt-br`; undefined for anything else. */
export function canonicalLanguageTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
