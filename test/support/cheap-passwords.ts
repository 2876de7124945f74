// Loaded into every process of tests before its test file. Tests sign up thousands of members with a few passwords, and
// argon2id takes a core for 12 ms each time: a quarter of the CPU of some processes. What it made of a password is
// remembered, so that the parameters and outcomes stay those of production.
import { createRequire } from 'node:module';

interface Argon2 {
  hash(password: string, options: object): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

/** Returns the function, which remembers what it returned for the same arguments. */
function remembering<Arguments extends unknown[], Result>(
  compute: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  const remembered = new Map<string, Promise<Result>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = remembered.get(key) ?? compute(...args);
    remembered.set(key, known);
    return known;
  };
}

// A CommonJS module: importers read its exports when they are first evaluated, which is after this.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Argon2;
argon2.hash = remembering(argon2.hash);
argon2.verify = remembering(argon2.verify);
