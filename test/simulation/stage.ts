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

/** Somebody who makes requests; they sign in when it is needed. */
export interface Actor {
  name: string;
  number: number;
  id: string;
  customerId: string;
  requests: string[];
  credentials: { email: string; password: string; platform: 'web' | 'backoffice' };
  client: Client;
  /** The sign-in that is under way. */
  signingIn: Promise<void> | undefined;
}

/** Something that must not be. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

const PAUSE_MS = 10;
/** For one request; who is deleted cannot sign in however often they try. */
const MOST_SIGN_INS = 3;
/** What is cut off is whole again within a second, of a busy machine within a minute. */
const PATIENCE_MS = 180_000;
/** Requests that depend on an external system are given up while it fails. */
const SHORT_PATIENCE_MS = 300;

/** Where a history is played: the installation, its people, and what is known of them all. */
export interface Stage {
  installation: Installation;
  database: Database;
  clock: TravellingClock;
  world: World;
  people: Actor[];
  admin: Actor;
  /** The Keys of each person, by what was answered. */
  balances: number[];
  /** Notes that Keys have moved between two people. */
  pay(from: Actor, to: Actor, keys: number): void;
  /** Somebody who was not there when the history began; their id is to be set. */
  arrive(who: Pick<Actor, 'name' | 'credentials'>): Actor;
  /** What happened so far, for a reader. */
  story: string[];
  note(text: string): void;
  /** A text that no other request of the history has. */
  unique(): string;
  /**
   * Repeats a request until its outcome is certain: through lost connections, crashes and ends of sessions. It must be
   * one that takes effect once however often it arrives.
   */
  insist<Given extends Answer>(actor: Actor, send: (client: Client) => Promise<Given>): Promise<Given & Sure>;
  /** The same, given up soon: undefined when the outcome stays uncertain. */
  attempt<Given extends Answer>(
    actor: Actor,
    send: (client: Client) => Promise<Given>,
  ): Promise<(Given & Sure) | undefined>;
  tell(name: StandIn, control: object): Promise<void>;
}

interface Sure {
  /** How many attempts before it may have taken effect. */
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
  let made = 0;

  async function insistFor<Given extends Answer>(
    actor: Actor,
    send: (client: Client) => Promise<Given>,
    patienceMs: number,
  ): Promise<(Given & Sure) | undefined> {
    let signIns = 0;
    let uncertain = 0;
    for (const startedMs = performance.now(); performance.now() - startedMs < patienceMs; ) {
      const answer = await sent(actor, send);
      // An answer may be late, and tell of a session before the last one.
      if (answer?.status === 401 && signIns++ < MOST_SIGN_INS) {
        await signInAgain(actor);
        continue;
      }
      if (answer && isCertain(answer)) return { ...answer, uncertain };
      if (answer?.body.error !== 'REQUEST_IN_PROGRESS') uncertain++;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  /** Several requests of one person may find their session ended: one of them signs in. */
  function signInAgain(actor: Actor): Promise<void> {
    actor.signingIn ??= (async () => {
      const body = actor.credentials;
      for (let tries = 0; tries < 500; tries++, await sleep(PAUSE_MS)) {
        const answer = await sent(actor, () => guest.attempt(signIn, { body }));
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
    pay: (from, to, keys) => {
      gain(from, -keys);
      gain(to, keys);
    },
    arrive: (who) => newActor(guest, { number: -1, id: '', customerId: '', requests: [], ...who }),
    story,
    note: (text) => void story.push(`${Math.round(performance.now() - startedMs)} ms: ${text}`),
    unique: () => `n${++made}`,
    insist: async (actor, send) => {
      const answer = await insistFor(actor, send, PATIENCE_MS);
      if (!answer) throw new Violation(`a request of ${actor.name} never got an answer`);
      return answer;
    },
    attempt: (actor, send) => insistFor(actor, send, SHORT_PATIENCE_MS),
    tell: async (name, control) => {
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

/** Sends a request; undefined when its connection was lost. */
async function sent<Given extends Answer>(
  actor: Actor,
  send: (client: Client) => Promise<Given>,
): Promise<Given | undefined> {
  const answer = await send(actor.client).catch((error: NodeJS.ErrnoException) => {
    if (!LOST.has(error.code ?? '')) throw error;
    return undefined;
  });
  // Whatever is lost, the platform knows what happened to it.
  if (answer && answer.status >= 500 && answer.status !== 503)
    throw new Violation(`${actor.name} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

const isCertain = ({ status, body }: Answer): boolean =>
  status !== 503 && body.error !== 'REQUEST_IN_PROGRESS';

/** Notes an answer. @throws Violation for a status that is not one of these */
export function expectStatus(
  { note }: Pick<Stage, 'note'>,
  what: string,
  { status }: Pick<Answer, 'status'>,
  ...allowed: number[]
): void {
  note(`${what}: ${status}`);
  if (!allowed.includes(status)) throw new Violation(`${what} was answered ${status}`);
}
