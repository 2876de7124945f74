import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../kernel/failures.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { UsageFault } from './usage.ts';

/**
 * Reads a password: the first line of standard input or, on a terminal, a hidden prompt that is repeated. Never accepts
 * it from the command line, which every user of the machine can list.
 * @throws UsageFault when it is missing, or when the two entries differ; OperatorFault at Ctrl-C
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
    if (password === '') throw new UsageFault('The password is expected on standard input');
    return password;
  }
  return askTwice();
}

/** Returns what is wrong with a password that the platform has refused, such as "is too common"; undefined for other errors. */
export const weaknessOf = (error: unknown): string | undefined =>
  error instanceof Failure
    ? error.details.errors?.find(({ field }) => field === 'password')?.message
    : undefined;

async function askTwice(): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here on the terminal does not echo input, so questions must be written after it.
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const interrupted = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(new OperatorFault('Interrupted')));
  });
  const ask = (question: string) => {
    process.stderr.write(question);
    return Promise.race([lines.question(''), interrupted]);
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('\nOnce more: ')) !== password) throw new UsageFault('The two passwords differ');
    return password;
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
