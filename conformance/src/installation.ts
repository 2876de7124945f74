import { randomBytes } from 'node:crypto';
import { type Caller, type Exchange, exchange } from './exchange.ts';
import type { Need } from './needs.ts';
import type { Options } from './options.ts';

/** A member that the kit has created. */
export interface Member extends Caller {
  id: string;
  email: string;
  password: string;
  refreshToken: string;
}

/** The reason why a run cannot begin, as a sentence for the person who started it. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle';
}

/**
 * The installation under test: its credentials, and the members and records that the kit creates there and removes
 * again.
 */
export class Installation {
  readonly url: string;
  readonly options: Options;
  /** A caller with the API key, but no user. */
  readonly key: Caller;
  /** An administrator, if the options contain credentials for one. */
  administrator: Caller | undefined;
  /** A random part of every name and address that the kit creates, so that two runs never collide. */
  readonly run = randomBytes(4).toString('hex');
  readonly #members: Member[] = [];
  readonly #named = new Map<string, Promise<Member>>();
  readonly #cleanUps: (() => Promise<unknown>)[] = [];

  constructor(options: Options) {
    this.options = options;
    this.url = options.url;
    this.key = { headers: { 'x-api-key': options.adminKey } };
  }

  /** @throws Obstacle if the installation does not answer, or refuses the credentials */
  async open(): Promise<void> {
    const health = await exchange('GET', `${this.url}/health/ready`, {}, undefined).catch(() => undefined);
    if (health?.status !== 200) throw new Obstacle(`${this.url} is not ready: GET /health/ready is not 200.`);
    const probe = await this.#ask(this.key, 'GET', '/v1/events?limit=1');
    if (probe.status !== 200)
      throw new Obstacle(`The API key is refused, or not of the Admin tier: ${probe.body.message}`);
    const { adminEmail, adminPassword, internalKey } = this.options;
    if (adminEmail && adminPassword) this.administrator = await this.#signInAdministrator();
    else if (internalKey) this.administrator = await this.#promoteAdministrator(internalKey);
  }

  async #signInAdministrator(): Promise<Caller> {
    const { adminEmail: email, adminPassword: password } = this.options;
    const body = { email, password, platform: 'backoffice', device: `conformance ${this.run}` };
    const answer = await this.#ask(this.key, 'POST', '/v1/auth/signin', body);
    if (answer.status !== 200)
      throw new Obstacle(`The administrator cannot sign in: ${answer.body.error} ${answer.body.message}`);
    const administrator = this.#with(answer.body.data.accessToken);
    this.#cleanUps.push(() =>
      this.#ask(administrator, 'POST', '/v1/auth/signout', {
        platform: 'backoffice',
        device: `conformance ${this.run}`,
      }),
    );
    return administrator;
  }

  /** Makes a member an administrator for the run, by the internal key of services. */
  async #promoteAdministrator(internalKey: string): Promise<Caller> {
    const member = await this.newMember();
    const service = { headers: { ...this.key.headers, 'x-internal-api-key': internalKey } };
    const path = `/v1/user/${member.id}/permissions/assign`;
    const answer = await this.#ask(service, 'POST', path, { permissions: ['admin'] });
    if (answer.status !== 200) throw new Obstacle(`The internal key is refused: ${answer.body.message}`);
    return member;
  }

  /** Returns the first need of a case that this installation does not meet; undefined if there is none. */
  unmet(needs: Need[] = []): Need | undefined {
    const isMet: Record<Need, boolean> = {
      administrator: this.administrator !== undefined,
      'webhook-secret': this.options.webhookSecret !== undefined,
      strangers: this.options.touchEverybody,
    };
    return needs.find((need) => !isMet[need]);
  }

  get admin(): Caller {
    if (!this.administrator) throw new Error('a case does not say that it needs an administrator');
    return this.administrator;
  }

  newEmail(): string {
    return `conformance.${this.run}.${this.#members.length}.${randomBytes(3).toString('hex')}@${this.options.emailDomain}`;
  }

  /** Signs up a new member, who is deleted at the end of the run. */
  async newMember(): Promise<Member> {
    const email = this.newEmail();
    const password = `${randomBytes(9).toString('base64url')} of ${this.run}`;
    const body = { email, password, firstName: 'Conformance', lastName: this.run, platform: 'web' };
    const answer = await this.#ask(this.key, 'POST', '/v1/auth/signup', body);
    if (answer.status !== 201)
      throw new Obstacle(`Nobody can sign up: ${answer.status} ${answer.body.error} ${answer.body.message}`);
    const { user, accessToken, refreshToken } = answer.body.data;
    const member = { ...this.#with(accessToken), id: user.id, email, password, refreshToken };
    this.#members.push(member);
    return member;
  }

  /** Returns the member with this name. Cases share members, so they must leave them as they were. */
  member(name: string): Promise<Member> {
    const member = this.#named.get(name) ?? this.newMember();
    this.#named.set(name, member);
    return member;
  }

  /** Returns the member with this name, who has the permission `educator`. */
  async educator(name = 'educator'): Promise<Member> {
    const isNew = !this.#named.has(name);
    const member = await this.member(name);
    if (isNew)
      await this.#ask(this.admin, 'POST', `/v1/user/${member.id}/permissions/assign`, {
        permissions: ['educator'],
      });
    return member;
  }

  /**
   * Returns a new member to whom an administrator has given this number of Keys. Those that are left are taken back at
   * the end of the run.
   */
  async newMemberWith(keys: number): Promise<Member> {
    const member = await this.newMember();
    await this.#ask(this.admin, 'POST', '/v1/wallets/admin/fund', {
      userId: member.id,
      amount: keys,
      description: 'a check of conformance',
    });
    return member;
  }

  /** Registers a request that removes a record at the end of the run, before members are deleted. */
  onClose(caller: Caller, method: string, path: string, body?: unknown): void {
    this.#cleanUps.push(() => this.#ask(caller, method, path, body));
  }

  /**
   * Removes the members and records that the run has created, as far as the API permits. Returns those that it
   * could not remove.
   */
  async close(): Promise<string[]> {
    const remaining: string[] = [];
    const removals = this.#cleanUps.splice(0);
    // The administrator's sign-out was registered first, but must run last: other removals need the session.
    const last = this.options.adminEmail ? removals.shift() : undefined;
    for (const end of removals.reverse()) await end().catch(() => undefined);
    for (const member of this.#members.reverse()) {
      await this.#takeKeysBack(member);
      const isDeleted = await this.#delete(member);
      if (!isDeleted) remaining.push(member.email);
    }
    await last?.().catch(() => undefined);
    return remaining;
  }

  async #takeKeysBack({ id }: Member): Promise<void> {
    if (!this.administrator) return;
    const wallet = await this.#ask(this.administrator, 'GET', `/v1/wallets/admin/${id}`).catch(
      () => undefined,
    );
    const amount = wallet?.body.data?.balance;
    if (!amount) return;
    const body = { userId: id, amount, reason: 'the check of conformance has ended', allowPartial: true };
    await this.#ask(this.administrator, 'POST', '/v1/wallets/admin/debit', body).catch(() => undefined);
  }

  async #delete(member: Member): Promise<boolean> {
    const byAdministrator = this.administrator && this.administrator !== member;
    const answer = byAdministrator
      ? await this.#ask(this.administrator as Caller, 'DELETE', `/v1/admin/auth/users/${member.id}`).catch(
          () => undefined,
        )
      : await this.#ask(member, 'DELETE', '/v1/user', { password: member.password }).catch(() => undefined);
    return answer?.status === 200 || answer?.status === 404;
  }

  #with(token: string): Caller {
    return { headers: { ...this.key.headers, authorization: `Bearer ${token}` } };
  }

  #ask(caller: Caller, method: string, path: string, body?: unknown): Promise<Exchange> {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return exchange(
      method,
      this.url + path,
      { ...type, ...caller.headers },
      body === undefined ? undefined : JSON.stringify(body),
    );
  }
}
