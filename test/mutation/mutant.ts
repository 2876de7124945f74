import { readFileSync } from 'node:fs';

/** A small mistake in a source file: a range of its text, in UTF-16 code units, and the text that replaces it. */
export interface Mutation {
  start: number;
  end: number;
  replacement: string;
}

/** A mutation of a file. Its id stays the same in later runs on the same source. */
export interface Mutant extends Mutation {
  id: string;
  file: string;
}

/** A mutant that changes nothing that a rule promises. */
export interface Judged {
  file: string;
  /** The line as it is, and as the mutant has it, without indentation. */
  was: string;
  becomes: string;
  reason: string;
}

export const mutate = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** Returns the lines that a mutation changes, before and after it, without indentation. */
export function changeOf(source: string, mutation: Mutation): { was: string; becomes: string } {
  const from = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const newline = source.indexOf('\n', mutation.end);
  const to = newline < 0 ? source.length : newline;
  const range = (text: string, end: number): string => tidy(text.slice(from, end));
  const mutated = mutate(source, mutation);
  return { was: range(source, to), becomes: range(mutated, to + mutated.length - source.length) };
}

/** Formats the mutant as a diff below its position in the source. */
export function diffOf(mutant: Mutant): string {
  const source = readFileSync(mutant.file, 'utf8');
  const line = source.slice(0, mutant.start).split('\n').length;
  const { was, becomes } = changeOf(source, mutant);
  const marked = (mark: string, text: string): string[] => text.split('\n').map((one) => `  ${mark} ${one}`);
  return [
    `${mutant.file}:${line}  (${mutant.id})`,
    ...marked('-', was),
    ...(becomes === '' ? [] : marked('+', becomes)),
  ].join('\n');
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
