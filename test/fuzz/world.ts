import { createWallet, fundWalletAsAdmin, signIn, signUp } from '../../sdk/src/index.ts';
import type { Chance } from '../support/chance.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { INTERNAL_KEY, type TestPlatform, WEBHOOK_SECRET } from '../support/platform.ts';

/** An actor who sends requests, with the values known about it. */
export interface Actor {
  kind: Kind;
  client: Client;
  id?: string;
  email?: string;
  accessToken?: string;
  refreshToken?: string;
}

/** The permission of each kind of member, if any. */
const MEMBERS = {
  member: undefined,
  customer: undefined,
  stranger: undefined,
  educator: 'educator',
  rival: 'educator',
  moderator: 'moderator',
  administrator: 'admin',
} as const;
const OTHERS = ['guest', 'nobody', 'service', 'backoffice', 'operator', 'thirdParty'] as const;
export type Kind = keyof typeof MEMBERS | (typeof OTHERS)[number];
/** Members have an account; others may have none. */
type ActorOf<K extends Kind> = K extends keyof typeof MEMBERS ? Required<Actor> : Actor;

/** Who may call an operation, by the words of its `x-audience`. */
const AUDIENCES: Record<string, Kind[]> = {
  member: ['member', 'customer', 'educator'],
  educator: ['educator', 'rival'],
  moderator: ['moderator'],
  administrator: ['administrator'],
  client: ['guest', 'thirdParty'],
  operator: ['operator'],
  service: ['service'],
  backoffice: ['backoffice'],
  provider: ['nobody'],
  anybody: ['nobody'],
};
export const KINDS = [...Object.keys(MEMBERS), ...OTHERS] as Kind[];

/**
 * Creates the actors of a fuzz when they are first needed, and again when their session, key or account has ended.
 */
export function worldOf(platform: TestPlatform, chance: Chance) {
  const actors = new Map<Kind, Actor>();
  let apiKey: string | undefined;
  let lowKey: string | undefined;

  async function keyed(): Promise<Client> {
    apiKey ??= (await platform.newKey('admin')).key;
    return new Client(platform.url, { 'x-api-key': apiKey });
  }

  /** Creates a member, with Keys for customers and with the permission of its kind. */
  async function newMember(kind: keyof typeof MEMBERS): Promise<Required<Actor>> {
    const email = newEmail();
    const person = { email, password: PASSWORD, firstName: 'Ada', lastName: kind, platform: 'web' as const };
    let client = await keyed();
    let answer = await client.attempt(signUp, { body: person });
    if (answer.body.error === 'INVALID_API_KEY') {
      // A request has revoked it.
      apiKey = undefined;
      client = await keyed();
      answer = await client.attempt(signUp, { body: person });
    }
    if (!answer.data) throw new Error(`nobody can sign up: ${JSON.stringify(answer.body)}`);
    const { accessToken, refreshToken, user } = answer.data;
    const permission = MEMBERS[kind];
    if (permission !== undefined) {
      const granting = 'update identity.user set permissions = array[$1] where id = $2';
      await platform.database.execute(granting, [permission, user.id]);
    }
    const actor = { kind, client: client.as(accessToken), id: user.id, email, accessToken, refreshToken };
    if (kind === 'customer' || kind === 'educator') await giveKeys(actor);
    return actor;
  }

  async function signInAgain(actor: Actor, email: string): Promise<void> {
    const body = { email, password: PASSWORD, platform: 'web' as const };
    const { data } = await (await keyed()).attempt(signIn, { body });
    if (data) {
      const { accessToken, refreshToken } = data;
      Object.assign(actor, { client: actor.client.as(accessToken), accessToken, refreshToken });
    } else if (actors.get(actor.kind) === actor) actors.delete(actor.kind);
  }

  async function giveKeys({ client, id }: Required<Actor>, amount = 1_000_000): Promise<void> {
    await client.attempt(createWallet);
    const administrator = await one('administrator');
    await administrator.client.attempt(fundWalletAsAdmin, { body: { userId: id, amount } });
  }

  async function make(kind: Kind): Promise<Actor> {
    if (kind in MEMBERS) return newMember(kind as keyof typeof MEMBERS);
    const client = await keyed();
    if (kind === 'nobody') return { kind, client: new Client(platform.url, {}) };
    if (kind === 'service')
      return { kind, client: client.with({ 'x-api-key': undefined, 'x-internal-api-key': INTERNAL_KEY }) };
    if (kind === 'backoffice')
      return { kind, client: client.with({ 'x-api-key': undefined, 'x-webhook-secret': WEBHOOK_SECRET }) };
    if (kind !== 'thirdParty') return { kind, client };
    lowKey ??= (await platform.newKey('third_party')).key;
    return { kind, client: client.with({ 'x-api-key': lowKey }) };
  }

  async function one<K extends Kind>(kind: K): Promise<ActorOf<K>> {
    const actor = actors.get(kind) ?? (await make(kind));
    actors.set(kind, actor);
    return actor as ActorOf<K>;
  }

  return {
    platform,
    one,
    newMember,
    giveKeys,
    /** Returns somebody of an audience. */
    ofAudience: (audience: string[]): Promise<Actor> =>
      one(chance.pick(AUDIENCES[chance.pick(audience)] ?? ['member'])),
    /** Signs in again an actor whose session was rejected, or creates a new one if that fails. */
    async heed(actor: Actor, status: number, error: string | undefined): Promise<void> {
      if (error === 'INVALID_API_KEY') {
        apiKey = undefined;
        lowKey = undefined;
        actors.clear();
      } else if (status === 401 && actor.email !== undefined) await signInAgain(actor, actor.email);
    },
    /** Restores what requests of other actors took from the actors, and their sessions: recipes do not notice their end. */
    async mend(): Promise<void> {
      for (const [kind, actor] of actors) {
        const { id, email, client } = actor;
        if (id === undefined) continue;
        const permission = MEMBERS[kind as keyof typeof MEMBERS];
        await platform.database.execute(
          'update identity.user set permissions = $1, is_active = true where id = $2',
          [permission === undefined ? [] : [permission], id],
        );
        const isOut = email !== undefined && (await client.raw('GET', '/v1/user/profile')).status === 401;
        if (isOut) await signInAgain(actor, email);
      }
    },
  };
}
export type World = ReturnType<typeof worldOf>;

/**
 * Returns the errors of a log without the alerts that recipes cause: they make grants that wait for a person, and deleted
 * members whose payout failed.
 */
export const unexpected = (logged: string[]): string[] =>
  logged.filter(
    (line) => !/"alert":"(indicators\.access-failed|payment\.keys-of-deleted-member)"/.test(line),
  );
