import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { mutationsOf } from './code-mutations.ts';
import type { Mutant } from './mutant.ts';

/** The files whose rules are mutated. */
const RULES = [
  // Money.
  'src/modules/wallet/**/*.ts',
  'src/modules/merchant/*.ts',
  'src/modules/education/enrolments/*.ts',
  // Access.
  'src/kernel/operations/{access,step-up,verified-email}.ts',
  'src/gateway/authentication.ts',
  'src/gateway/keys/*.ts',
  'src/modules/identity/{permissions,platforms,purchases,accounts,step-up,sign-in,sessions,funding-keys}/*.ts',
  'src/modules/indicators/{access,account,handles,webhooks}/*.ts',
  // Chat and its moderation.
  'src/modules/chat/*.ts',
  'src/modules/moderation/*.ts',
];

/**
 * Files without rules: shapes, texts for people and contributions to hubs, which other tests compare with descriptions.
 */
const NO_RULES = [
  '**/*.test.ts',
  '**/*.{schemas,operations,notices,mails,live,measures,seed,searchable,administration,public-events,metrics}.ts',
  '**/{contract,module,settings,failures,jobs}.ts',
  '**/member-records.store.ts',
];

/** Tests that run the rules within their own process. */
const TESTS = [
  'src/modules/!(media|watching|trades)/**/*.test.ts',
  'src/gateway/{authentication,keys/*}.test.ts',
  'test/conformance/{authorization,idempotency,erasure,security,kit}.test.ts',
  'test/faults/{wallet-model,held-wallet,indicators-model}.test.ts',
];

const except = (files: string[], patterns: string[]): string[] =>
  files.filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)));

/** Returns the files to mutate that match the glob `within`. */
export const ruleFiles = (within = '**'): string[] =>
  except(globSync(RULES).sort(), NO_RULES).filter((file) => matchesGlob(file, within));

export const testFiles = (): string[] => globSync(TESTS).sort();

/** Returns all mutants of a file. */
export function mutantsOf(file: string): Mutant[] {
  const mutations = mutationsOf(file, readFileSync(file, 'utf8'));
  const numbers = new Map<number, number>();
  return mutations.map((mutation) => {
    const number = (numbers.get(mutation.start) ?? 0) + 1;
    numbers.set(mutation.start, number);
    return { id: `${file}:${mutation.start}:${number}`, file, ...mutation };
  });
}
