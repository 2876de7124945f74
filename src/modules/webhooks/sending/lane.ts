import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { bodyOf, type DeliveryStatus } from '../deliveries/deliveries.model.ts';
import { publicId } from '../events/events.model.ts';
import { expired, isGone, outcomeOf } from './attempts.ts';
import { AT_ONCE, type Poster, type Received } from './posting.ts';
import type { Due, Outcome, Target } from './sending.store.ts';
import { endpointDisabling, endpointVerdict, type VerdictDeps } from './verdict.ts';

/** Maximum number of deliveries read ahead, and of outcomes that may wait to be recorded. */
const READ_AHEAD = 100;
const MAX_UNRECORDED = 500;
/** The approximate CPU time of a delivery, which sending yields to requests. */
const COST_MS = 0.2;
/** How long a stopping process waits for deliveries in progress. */
const STOP_MS = 3_000;

export interface LaneDeps extends VerdictDeps, Pick<Core, 'database' | 'log' | 'load'> {
  /** Opens the sealed secret of an endpoint; undefined, and the operators are told, if no key of this process does. */
  open: (sealed: Buffer) => string | undefined;
  chance: () => number;
  /** Called after each attempt, with the state of its delivery. */
  onAttempt: (status: DeliveryStatus) => void;
}

/** For the endpoint, and for the deliveries that wait for it. */
const UNREADABLE =
  'Its secret cannot be read (SECRET_UNREADABLE): give the processes the key that sealed it, or replace the secret; then enable the endpoint again';

/** Returns the key of a sealed secret; nothing if no key of this process opens it. */
function keyOf(sealed: Buffer, open: LaneDeps['open']): Buffer[] {
  const secret = open(sealed);
  return secret === undefined ? [] : [Buffer.from(secret.slice('whsec_'.length), 'base64')];
}

/** Returns the keys that sign deliveries now; none if the newest secret cannot be read, without which nothing is sent. */
function signingKeysOf(target: Target, open: LaneDeps['open'], nowMs: number): Buffer[] {
  const { secret, previousSecret, previousSecretExpiresAt } = target;
  const newest = keyOf(secret, open);
  const isOverlapping = (previousSecretExpiresAt?.getTime() ?? 0) > nowMs;
  return newest.length > 0 && previousSecret && isOverlapping
    ? [...newest, ...keyOf(previousSecret, open)]
    : newest;
}

/** Disables an endpoint whose secret cannot be read, and says so of the deliveries that would be sent next. */
async function giveUpUnreadable(
  tx: Transaction,
  target: Target,
  { store, disable }: Pick<LaneDeps, 'store'> & { disable: ReturnType<typeof endpointDisabling> },
): Promise<void> {
  await store.explain(tx, target.number, UNREADABLE, READ_AHEAD);
  await disable(tx, target, UNREADABLE);
}

/** Sends to one endpoint: at most eight deliveries at a time, begun in the order of their numbers. */
export function lane(deps: LaneDeps, poster: Poster) {
  const { store, open, database, clock, log, load, chance } = deps;
  const judge = endpointVerdict(deps);
  const disable = endpointDisabling(deps);
  const end = new AbortController();
  const turn = load.backOff(end.signal);
  /** Number of deliveries begun since sending last yielded to requests. */
  let begun = 0;
  let target: Target;
  let heldUntilMs = 0;
  let secrets: Buffer[] = [];
  let isRunning = false;
  let isClosed = false;
  let waiting: Due[] = [];
  let finished: { outcome: Outcome; received?: Received }[] = [];
  /** The numbers in memory: waiting, in progress, or not recorded yet. */
  const held = new Set<number>();
  let underWay = 0;
  let wake: () => void = () => undefined;

  function finish(outcome: Outcome, received?: Received): void {
    finished.push(received ? { outcome, received } : { outcome });
    wake();
  }

  async function send(due: Due): Promise<void> {
    const { eventId, happenedAt, data, type, sequence, isReplay } = due;
    if (eventId === null || happenedAt === null || data === null) return finish(expired(due));
    const body = bodyOf({ id: eventId, type, happenedAt, data, sequence });
    underWay++;
    begun++;
    const received = await poster.send({ url: target.url, id: publicId(eventId), body, secrets, isReplay });
    underWay--;
    // The stopping process has cut the connection; the next process sends the delivery again.
    if (isClosed) return wake();
    const outcome = outcomeOf(due, received, clock.now(), chance());
    deps.onAttempt(outcome.status);
    finish(outcome, received);
    if (!target.ordered) startMore();
  }

  /** Whether the endpoint accepts deliveries and, by its lease, still belongs to this process. */
  const mayBegin = (): boolean =>
    !end.signal.aborted && target.enabled && secrets.length > 0 && performance.now() < heldUntilMs;

  function startMore(): void {
    const most = target.ordered ? 1 : AT_ONCE;
    while (mayBegin() && underWay < most && finished.length < MAX_UNRECORDED) {
      const due = waiting.shift();
      if (!due) return;
      void send(due);
    }
  }

  async function fill(): Promise<void> {
    if (!target.enabled || end.signal.aborted) return;
    const at = clock.date();
    let found: Due[] = [];
    if (target.ordered) {
      const due = held.size === 0 ? await store.next(target.number, at) : undefined;
      if (due?.isDue) found = [due];
    } else if (waiting.length < AT_ONCE) {
      const apart = [...held];
      const [again, fresh] = [
        await store.retries(target.number, apart, AT_ONCE / 2, at),
        await store.fresh(target.number, apart, READ_AHEAD),
      ];
      found = [...again, ...fresh];
    }
    for (const due of found) held.add(due.sequence);
    waiting.push(...found);
    // A replay may have brought lower numbers than those that wait.
    waiting.sort((a, b) => (b.attempts > 0 ? 1 : 0) - (a.attempts > 0 ? 1 : 0) || a.sequence - b.sequence);
  }

  /** Records outcomes, and their consequences for the endpoint. */
  async function record(): Promise<void> {
    // A copy, because more deliveries may finish while these are recorded.
    const done = finished.slice();
    const outcomes = done.map(({ outcome }) => outcome);
    const received = await database.transaction(async (tx) => {
      const recorded = new Set(await store.record(tx, target.number, outcomes));
      // Outcomes are ignored for deliveries that another process or a replay has continued meanwhile.
      const counting = done.flatMap((one) =>
        recorded.has(one.outcome.sequence) ? (one.received ?? []) : [],
      );
      await judge(tx, target, counting);
      return counting;
    });
    finished = finished.slice(done.length);
    for (const { outcome } of done) held.delete(outcome.sequence);
    if (received.some(isGone)) target = { ...target, enabled: false };
  }

  const giveUp = (): Promise<void> =>
    database.transaction((tx) => giveUpUnreadable(tx, target, { store, disable }));

  /** Works until there is nothing to do, or the endpoint belongs to another process. */
  async function work(): Promise<void> {
    for (;;) {
      if (finished.length > 0) await record();
      if (!target.enabled || end.signal.aborted) forgetWaiting();
      if (begun > 0 && waiting.length < AT_ONCE) {
        const costMs = begun * COST_MS;
        begun = 0;
        await turn(costMs);
      }
      await fill();
      startMore();
      if (finished.length > 0) continue;
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (finished.length > 0) resolve();
      });
    }
  }

  function forgetWaiting(): void {
    for (const { sequence } of waiting) held.delete(sequence);
    waiting = [];
  }

  return {
    /** Continues with the current state of the endpoint. @param untilMs the end of the claim, by `performance.now()` */
    run(present: Target, untilMs: number): void {
      target = present;
      heldUntilMs = untilMs;
      secrets = signingKeysOf(present, open, clock.now());
      if (isRunning) wake();
      if (isRunning || !present.hasWork) return;
      isRunning = true;
      (secrets.length > 0 ? work() : giveUp())
        .catch((error) => log.warn({ err: error, endpoint: present.id }, 'deliveries were not recorded'))
        .finally(() => {
          isRunning = false;
        });
    },
    /** Starts no more attempts, waits for running ones, and aborts those that take too long. */
    async stop(): Promise<void> {
      end.abort();
      wake();
      for (const untilMs = performance.now() + STOP_MS; isRunning && performance.now() < untilMs; )
        await sleep(10);
      isClosed = true;
      poster.close();
      while (isRunning) await sleep(10);
    },
  };
}

export type Lane = ReturnType<typeof lane>;
