/**
 * What a request spends on the database, for its line in the access log and for metrics. Statements of one request that
 * run at the same time count once in its time, so that it never exceeds the time that the request took.
 */
export class DatabaseUse {
  /** Statements sent, `begin` and `commit` included; work that is batched with that of other requests counts once. */
  queries = 0;
  readonly #answering = new Stopwatch();
  readonly #connecting = new Stopwatch();

  /** Milliseconds in which at least one statement was unanswered. */
  get dbMs(): number {
    return this.#answering.ms;
  }

  /** Milliseconds spent waiting for a free connection. */
  get waitMs(): number {
    return this.#connecting.ms;
  }

  /** A statement was sent, or handed to a batch. */
  sent(): void {
    this.queries++;
    this.#answering.start();
  }

  /** It was answered, or failed. */
  answered(): void {
    this.#answering.stop();
  }

  /** It waits for a connection. */
  awaits(): void {
    this.#connecting.start();
  }

  /** It got one, or gave up. */
  connected(): void {
    this.#connecting.stop();
  }
}

/** Measures for how long at least one of several things goes on. */
class Stopwatch {
  ms = 0;
  #running = 0;
  #sinceMs = 0;

  start(): void {
    if (this.#running++ === 0) this.#sinceMs = performance.now();
  }

  stop(): void {
    if (--this.#running === 0) this.ms += performance.now() - this.#sinceMs;
  }
}
