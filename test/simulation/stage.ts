import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../sdk/src/index.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import type { TravellingClock } from '../../src/kernel/time/time.ts';
import type { Answer } from '../support/answer.ts';
import { Client, PASSWORD } from '../support/client.ts';
import type { StandIn } from '../support/stand-ins.ts';
import { ADMIN, type Installation } from './installation.ts';
import { START_KEYS } from './people.ts';
import type { World } from './world.ts';

/** A person who sends requests, and signs in again whenever their session has ended. */
export interface Actor {
  name: string;
  number: number;
  id: string;
  customerId: string;
  requests: string[];
  credentials: { email: string; password: string; platform: 'web' | 'backoffice' };
  client: Client;
  /** The sign-in that is under way, if any. */
  signingIn: Promise<void> | undefined;
}

/** A fault of the platform: something that must never happen. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

const PAUSE_MS = 10;
/** Sign-ins per request; more would not help, since a deleted person can never sign in. */
const MAX_SIGN_INS = 3;
/** For how long a request is retried. Connections recover within a second, on a busy machine within a minute. */
const PATIENCE_MS = 180_000;
/** For how long to retry requests that cannot succeed while an external system fails. */
const SHORT_PATIENCE_MS = 300;

/** The context of a history: the installation, its people, and the state that areas share. */
export interface Stage {
  installation: Installation;
  database: Database;
  clock: TravellingClock;
  world: World;
  people: Actor[];
  admin: Actor;
  /** The expected balance of each person in Keys, by their number. */
  balances: number[];
  /** Moves Keys between the expected balances of two people. */
  recordPayment(from: Actor, to: Actor, keys: number): void;
  /** Adds a person who signs up during the history; the caller sets their id. */
  addPerson(who: Pick<Actor, 'name' | 'credentials'>): Actor;
  /** A log of what happened so far, for people. */
  story: string[];
  note(text: string): void;
  /** Returns a text that is unique in the history. */
  unique(): string;
  /**
   * Repeats a request until its outcome is certain, in spite of lost connections, crashes and ended sessions. The
   * request must take effect once however often it arrives.
   */
  retryUntilCertain<Given extends Answer>(
    actor: Actor,
    send: (client: Client) => Promise<Given>,
  ): Promise<Given & Certainty>;
  /** The same, but gives up soon and returns undefined if the outcome is still uncertain. */
  attempt<Given extends Answer>(
    actor: Actor,
    send: (client: Client) => Promise<Given>,
  ): Promise<(Given & Certainty) | undefined>;
  control(name: StandIn, control: object): Promise<void>;
}

interface Certainty {
  /** How many earlier attempts may have taken effect. */
  uncertain: number;
}

export function newStage(installation: Installation, world: World): Stage {
  const guest = new Client(installation.url, { 'x-api-key': world.key });
  const people = world.people.map(({ id, email, customerId, requests }, number) =>
    newActor(guest, {
      name: `person ${number}`,
      number,
      id,
      customerId,
      requests,
      credentials: { email, password: PASSWORD, platform: 'web' },
    }),
  );
  const admin = newActor(guest, {
    name: 'the administrator',
    number: -1,
    id: '',
    customerId: '',
    requests: [],
    credentials: { ...ADMIN, platform: 'backoffice' },
  });
  const balances = people.map(() => START_KEYS);
  const gain = ({ number }: Actor, keys: number): void => {
    balances[number] = (balances[number] as number) + keys;
  };
  const story: string[] = [];
  const startedMs = performance.now();
  let uniqueTexts = 0;

  async function retryFor<Given extends Answer>(
    actor: Actor,
    send: (client: Client) => Promise<Given>,
    patienceMs: number,
  ): Promise<(Given & Certainty) | undefined> {
    let signIns = 0;
    let uncertain = 0;
    for (const startedMs = performance.now(); performance.now() - startedMs < patienceMs; ) {
      const answer = await sendOnce(actor, send);
      // A late response may still be about an earlier session, so signing in more than once is allowed.
      if (answer?.status === 401 && signIns++ < MAX_SIGN_INS) {
        await signInAgain(actor);
        continue;
      }
      if (answer && isCertain(answer)) return { ...answer, uncertain };
      if (answer?.body.error !== 'REQUEST_IN_PROGRESS') uncertain++;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  /** If several requests of a person fail with 401 at the same time, one of them signs in and the others wait. */
  function signInAgain(actor: Actor): Promise<void> {
    actor.signingIn ??= (async () => {
      const body = actor.credentials;
      for (let tries = 0; tries < 500; tries++, await sleep(PAUSE_MS)) {
        const answer = await sendOnce(actor, () => guest.attempt(signIn, { body }));
        if (!answer || !isCertain(answer)) continue;
        if (answer.data) actor.client = guest.as(answer.data.accessToken);
        return;
      }
    })().finally(() => {
      actor.signingIn = undefined;
    });
    return actor.signingIn;
  }

  return {
    installation,
    database: installation.database,
    clock: installation.clock,
    world,
    people,
    admin,
    balances,
    recordPayment: (from, to, keys) => {
      gain(from, -keys);
      gain(to, keys);
    },
    addPerson: (who) => newActor(guest, { number: -1, id: '', customerId: '', requests: [], ...who }),
    story,
    note: (text) => void story.push(`${Math.round(performance.now() - startedMs)} ms: ${text}`),
    unique: () => `n${++uniqueTexts}`,
    retryUntilCertain: async (actor, send) => {
      const answer = await retryFor(actor, send, PATIENCE_MS);
      if (!answer) throw new Violation(`a request of ${actor.name} never got a certain response`);
      return answer;
    },
    attempt: (actor, send) => retryFor(actor, send, SHORT_PATIENCE_MS),
    control: async (name, control) => {
      const { status } = await fetch(`${installation.sandboxUrl}/control/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(control),
      });
      if (status >= 300) throw new Error(`the stand-in ${name} answered ${status}`);
    },
  };
}

const newActor = (client: Client, person: Omit<Actor, 'client' | 'signingIn'>): Actor => ({
  ...person,
  client,
  signingIn: undefined,
});

/** Sends a request once; undefined if its connection was lost. */
async function sendOnce<Given extends Answer>(
  actor: Actor,
  send: (client: Client) => Promise<Given>,
): Promise<Given | undefined> {
  const answer = await send(actor.client).catch((error: NodeJS.ErrnoException) => {
    if (!LOST.has(error.code ?? '')) throw error;
    return undefined;
  });
  // Under the simulation's faults the platform may answer 503, but any other 5xx is an unforeseen failure.
  if (answer && answer.status >= 500 && answer.status !== 503)
    throw new Violation(`${actor.name} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

const isCertain = ({ status, body }: Answer): boolean =>
  status !== 503 && body.error !== 'REQUEST_IN_PROGRESS';

/** Adds a response to the story. @throws Violation for a status that is not one of these */
export function expectStatus(
  { note }: Pick<Stage, 'note'>,
  what: string,
  { status }: Pick<Answer, 'status'>,
  ...allowed: number[]
): void {
  note(`${what}: ${status}`);
  if (!allowed.includes(status)) throw new Violation(`${what} was answered ${status}`);
}
