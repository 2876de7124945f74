import type { Mutation } from './mutant.ts';

const STATEMENT = /\b(select\b[\s\S]*\bfrom|insert into|update \w+\.|delete from|for (no key )?update)\b/;
const FRAGMENT = /\b(and|where|set|order by|on conflict|is null|is not null|exists|coalesce)\b/;

/** Whether a text is SQL. In the files of stores, fragments of SQL count as well. */
export const isSql = (text: string, fileName: string): boolean =>
  STATEMENT.test(text) || (fileName.endsWith('.store.ts') && FRAGMENT.test(text));

/** Patterns of SQL, and what a mutant replaces them by. */
const REPLACED: [RegExp, string][] = [
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ >= /g, ' > '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!\bnot |\bif )\bexists\b/g, 'not exists'],
  [/\bnot (?!exists|null|valid|materialized|in\b)/g, ''],
  [/(?<!not )\bin \(/g, 'not in ('],
  [/\bnot in \(/g, 'in ('],
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bdesc\b/g, ''],
  [/\bdistinct (?!on)/g, ''],
  [/\bleft join\b/g, 'join'],
  [/\bgreatest\(/g, 'least('],
  [/\bleast\(/g, 'greatest('],
  [/\bfloor\(/g, 'ceil('],
  [/\bceil\(/g, 'floor('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bfor (no key update|update|key share|share)( of [\w, ]+)?( skip locked| nowait)?/g, ''],
  [/\bskip locked\b/g, ''],
  [/\bon conflict (\([^)]*\) )?do nothing\b/g, ''],
];
const COMPARED = / = /g;
const NUMBER = /(?<![\w$.:'"-])\d+(?![\w.:])/g;
const CONJUNCT = /\band\b/g;
/** Keywords that end a condition outside of parentheses. */
const AFTER_CONDITION =
  /^(and|or|order|group|limit|for|returning|union|on|then|else|end|where|from|join|left|having|window|offset|set)\b/;

/** Returns the mutations of a literal's text, which includes the quotes. */
export function sqlMutations(text: string): Mutation[] {
  const found: Mutation[] = [];
  const add = (start: number, length: number, replacement: string): void => {
    if (!isInQuotes(text, start)) found.push({ start, end: start + length, replacement });
  };
  for (const [pattern, replacement] of REPLACED)
    for (const { 0: was, index } of text.matchAll(pattern))
      if ((was !== 'and' || !isBetween(text, index)) && !isAtInstant(text, index))
        add(index, was.length, replacement);
  for (const { index } of text.matchAll(COMPARED)) if (!isAssigned(text, index)) add(index, 3, ' <> ');
  for (const { 0: was, index } of text.matchAll(NUMBER))
    if (!isLimitOfOne(text, index) && !isPlaceholder(text, index))
      add(index, was.length, String(Number(was) + 1));
  for (const { index } of text.matchAll(CONJUNCT)) {
    const end = endOfCondition(text, index + 'and'.length);
    if (end !== undefined && !isBetween(text, index) && !isImplied(text, index, end))
      add(index, end - index, '');
  }
  return found;
}

/** Whether a position is inside a quoted text of the SQL; the quotes around the whole literal do not count. */
function isInQuotes(text: string, place: number): boolean {
  const before = text.slice(1, place);
  return before.includes("'") && (before.split("'").length - 1) % 2 === 1;
}

const lastWord = (text: string, place: number, words: RegExp): string | undefined =>
  text.slice(0, place).match(words)?.at(-1);

const isBetween = (text: string, place: number): boolean =>
  lastWord(text, place, /\b(between|and|or|where|on)\b/g) === 'between';

/** Whether a comparison has its boundary at an exact instant, which no test can reach. */
const isAtInstant = (text: string, place: number): boolean =>
  /^ [<>]=? /.test(text.slice(place)) && /(_at|_until|now\(\)|timestamp\(\))$/.test(text.slice(0, place));

/** Whether a number ends a statement that is limited to one row, of which the first is read, however many there are. */
const isLimitOfOne = (text: string, place: number): boolean =>
  /\blimit $/.test(text.slice(0, place)) && /^1\s*[`'"]$/.test(text.slice(place));

/** Whether a number is selected or returned only because something must be: whether there is a row is what counts. */
const isPlaceholder = (text: string, place: number): boolean =>
  /\b(select|returning) $/.test(text.slice(0, place)) &&
  /^1( as \w+)?\s*(from\b|\)|[`'"]$)/.test(text.slice(place));

/**
 * Whether a condition follows from the next one, and is there for a partial index only: what has a type of its own is no
 * transfer.
 */
const isImplied = (text: string, from: number, to: number): boolean =>
  /^and (\w+\.)?type <> 'transfer'\s*$/.test(text.slice(from, to)) &&
  /^and (\w+\.)?type = /.test(text.slice(to));

const isAssigned = (text: string, place: number): boolean =>
  lastWord(text, place, /\b(set|where|and|or|on|when|not|having|select)\b/g) === 'set';

/** Returns the end of a condition; undefined if it continues beyond the literal. */
function endOfCondition(text: string, from: number): number | undefined {
  let depth = 0;
  for (let place = from; place < text.length - 1; place++) {
    const character = text[place];
    if (character === '(') depth++;
    else if (character === ')' && depth-- === 0) return place;
    else if (depth === 0 && character === ',') return place;
    else if (depth === 0 && /\s/.test(text[place - 1] ?? '') && AFTER_CONDITION.test(text.slice(place)))
      return place;
  }
  // The end of the literal ends the condition, unless an interpolation may continue it.
  return depth === 0 && !text.endsWith('${') ? text.length - 1 : undefined;
}
