import { isDeepStrictEqual } from 'node:util';
import { violationOf } from './conventions.ts';
import { type Body, type Caller, type Exchange, exchange } from './exchange.ts';
import type { Installation } from './installation.ts';
import { Skip } from './needs.ts';

/** The platform violates the specification. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** The request and the response that show it, if there was a request. */
  readonly shownBy: Exchange | undefined;

  constructor(message: string, shownBy: Exchange | undefined) {
    super(message);
    this.shownBy = shownBy;
  }
}

const AGAIN_MS = 100;
const PATIENCE_MS = 15_000;

/**
 * One run of a case: sends requests, checks that each response follows the conventions, and counts the assertions.
 */
export class Trial {
  readonly at: Installation;
  assertions = 0;
  #last: Exchange | undefined;

  constructor(at: Installation) {
    this.at = at;
  }

  /** Sends a request with a JSON body, and checks the conventions of the response. */
  async send(caller: Caller, method: string, path: string, body?: unknown, headers = {}): Promise<Exchange> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.sendText(caller, method, path, text, headers);
  }

  /** Sends a body unchanged. */
  async sendText(
    caller: Caller,
    method: string,
    path: string,
    text?: string,
    headers = {},
  ): Promise<Exchange> {
    const all = {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...caller.headers,
      ...headers,
    };
    const answer = await exchange(method, this.at.url + path, all, text);
    this.#last = answer;
    const misfit = violationOf(answer);
    this.assertions++;
    if (misfit) throw new Violation(misfit, answer);
    return answer;
  }

  get = (caller: Caller, path: string) => this.send(caller, 'GET', path);
  post = (caller: Caller, path: string, body?: unknown, headers = {}) =>
    this.send(caller, 'POST', path, body, headers);
  put = (caller: Caller, path: string, body?: unknown) => this.send(caller, 'PUT', path, body);
  patch = (caller: Caller, path: string, body?: unknown) => this.send(caller, 'PATCH', path, body);
  delete = (caller: Caller, path: string, body?: unknown) => this.send(caller, 'DELETE', path, body);

  /** Checks that a response is a success with this status, and returns its data. */
  accepted(answer: Exchange, status: number): Body {
    this.ok(
      answer.status === status,
      `expected ${status}, but it is ${answer.status} ${answer.body.error ?? ''}`,
      answer,
    );
    return answer.body.data;
  }

  /** Checks the status of a refusal and, if given, its code and its message. */
  refused(answer: Exchange, status: number, code?: string, message?: string): void {
    this.ok(
      answer.status === status,
      `expected ${status} ${code ?? ''}, but it is ${answer.status} ${answer.body.error ?? ''}`,
      answer,
    );
    if (code !== undefined) this.equal(answer.body.error, code, '"error"', answer);
    if (message !== undefined) this.equal(answer.body.message, message, '"message"', answer);
  }

  equal(actual: unknown, expected: unknown, what: string, answer = this.#last): void {
    const isEqual = isDeepStrictEqual(actual, expected);
    this.ok(isEqual, `${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`, answer);
  }

  matches(actual: unknown, pattern: RegExp, what: string, answer = this.#last): void {
    this.ok(
      pattern.test(String(actual)),
      `${what} is ${JSON.stringify(actual)}, expected ${pattern}`,
      answer,
    );
  }

  /**
   * Checks that each field has its type: `string`, `integer`, `number`, `boolean`, `array`, `object`, `instant` or
   * `id`; a `?` allows null.
   */
  shape(value: Body, fields: Record<string, string>, answer = this.#last): void {
    for (const [field, type] of Object.entries(fields)) {
      const isRight = isOfType(value?.[field], type);
      this.ok(isRight, `"${field}" is ${JSON.stringify(value?.[field])}, expected ${type}`, answer);
    }
  }

  /** @throws Violation with this message unless the condition holds */
  ok(condition: boolean, message: string, answer = this.#last): void {
    this.assertions++;
    if (!condition) throw new Violation(message, answer);
  }

  /** Repeats a request until its response meets the condition; fails after fifteen seconds. */
  async eventually(request: () => Promise<Exchange>, isMet: (answer: Exchange) => boolean, what: string) {
    for (const endsAt = performance.now() + PATIENCE_MS; ; ) {
      const answer = await request();
      if (isMet(answer)) return answer;
      this.ok(performance.now() < endsAt, `${what} did not happen`, answer);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** Skips the case when the installation requires a verified address, because the kit's members have none. */
  orSkipUnverified(answer: Exchange): Exchange {
    if (answer.body.error === 'EMAIL_NOT_VERIFIED')
      this.skip('needs a verified address on this installation');
    return answer;
  }

  skip(reason: string): never {
    throw new Skip(reason);
  }
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  instant: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  id: (value) => /^[0-9a-f]{24}$/.test(String(value)),
};

function isOfType(value: unknown, type: string): boolean {
  if (type.endsWith('?')) return value === null || isOfType(value, type.slice(0, -1));
  return TYPES[type]?.(value) === true;
}
