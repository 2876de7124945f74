// Preloaded into every test process. Tests sign up thousands of members with a few passwords, and each argon2id hash
// takes 12 ms of a core, which would be a quarter of the CPU of some processes. Hashes are cached instead of weakened,
// so that their parameters and results stay those of production.
import { createRequire } from 'node:module';

interface Argon2 {
  hash(password: string, options: object): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

/** Wraps a function in a cache by its arguments. */
function cached<Arguments extends unknown[], Result>(
  compute: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  const remembered = new Map<string, Promise<Result>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const result = remembered.get(key) ?? compute(...args);
    remembered.set(key, result);
    return result;
  };
}

// A CommonJS module: importers read its exports only when they are evaluated, which happens after this.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Argon2;
argon2.hash = cached(argon2.hash);
argon2.verify = cached(argon2.verify);
