import type { BreachedPasswords } from '../../../external/breaches/port.ts';
import type { Core } from '../../../kernel/core.ts';
import { type FieldFault, validationFailed } from '../../../kernel/failures.ts';
import type { Metric } from '../../../kernel/metric.ts';
import { commonPasswords } from './common-passwords.ts';
import { guessableWords } from './guessable-words.ts';
import { type PasswordOwner, SHORTEST_PASSWORD } from './passwords.model.ts';

interface PolicyDeps extends Pick<Core, 'log'> {
  environment: string;
  breached: BreachedPasswords | undefined;
  /** Returns the address of the platform, whose name an attacker knows. */
  publicUrl: () => string;
  settings: { passwordBlocklist: 'auto' | 'on' | 'off'; passwordWords: string[] | undefined };
}

/** What a body says about a new password and its owner. */
type PasswordBody = Partial<PasswordOwner & Record<'password' | 'newPassword', string>>;

const TOO_FEW_OF_ITS_OWN = `must have ${SHORTEST_PASSWORD} characters besides your name, your e-mail address and words of this platform`;

/** What a password must not be, beyond its length: asked wherever one is set, and never of one that is in use. */
export function passwordPolicy({ environment, breached, publicUrl, settings, log }: PolicyDeps) {
  const { passwordBlocklist, passwordWords = [] } = settings;
  const isOn = passwordBlocklist === 'on' || (passwordBlocklist === 'auto' && environment === 'production');
  let isCommon: Promise<(password: string) => boolean> | undefined;
  const loadOnce = () => {
    isCommon ??= commonPasswords();
    return isCommon;
  };
  const isGuessable = guessableWords(() => [...passwordWords, ...labelsOf(publicUrl())]);
  const checks = { clear: 0, breached: 0, unanswered: 0 };

  /**
   * Returns what makes a password easy to guess: that it is common, or made of names of its owner or the platform. Nothing
   * if that is turned off. Asks no other service.
   * @param field of the request, for the answer
   */
  async function guessableFaults(password: string, owner: Partial<PasswordOwner>, field: string) {
    if (!isOn) return [];
    if ((await loadOnce())(password)) return [{ field, message: 'is too common' }];
    return isGuessable(password, owner) ? [{ field, message: TOO_FEW_OF_ITS_OWN }] : [];
  }

  /** Refuses a password that is easy to guess. @throws 422 */
  async function mustBeUnguessable(password: string, owner: PasswordOwner, field = 'password') {
    const faults = await guessableFaults(password, owner, field);
    if (faults.length > 0) throw validationFailed(faults);
  }

  /**
   * Refuses a password that is known from a breach, if there is a list of them. Without an answer of it any is accepted, so
   * that nobody has to wait for another service to sign up. The caller limits how often it is asked.
   * @throws 422
   */
  async function mustNotBeBreached(password: string, field = 'password') {
    if (!breached) return;
    const isKnown = await breached.includes(password).catch((error: Error) => {
      checks.unanswered++;
      log.warn({ error: error.message }, 'a password was accepted without being looked up in breaches');
      return undefined;
    });
    if (isKnown === undefined) return;
    checks[isKnown ? 'breached' : 'clear']++;
    if (isKnown)
      throw validationFailed([
        { field, message: 'is known from a data breach; choose one that you use nowhere else' },
      ]);
  }

  return {
    /**
     * Returns {@link guessableFaults} of a password in a body that is refused for other reasons, if it has one. Breaches are
     * not looked up for it: that asks another service, and the client will ask again anyway.
     */
    faultsIn: async (body: PasswordBody): Promise<FieldFault[]> => {
      const field = body.newPassword === undefined ? 'password' : 'newPassword';
      const password = body[field];
      return password === undefined ? [] : guessableFaults(password, body, field);
    },
    mustBeUnguessable,
    mustNotBeBreached,
    /** Both. @throws 422 */
    async mustBeFit(password: string, owner: PasswordOwner, field = 'password'): Promise<void> {
      await mustBeUnguessable(password, owner, field);
      await mustNotBeBreached(password, field);
    },
    /** Loads the common passwords, so that the first sign-up does not wait for them. */
    prepare: async (): Promise<void> => {
      if (isOn) await loadOnce();
    },
    metrics: (breached ? [breachMetric(checks)] : []) satisfies Metric[],
  };
}

export type PasswordPolicy = ReturnType<typeof passwordPolicy>;

const breachMetric = (checks: Record<string, number>): Metric => ({
  name: 'breached_password_checks_total',
  help: 'New passwords that this process looked up in the list of breaches: clear, breached, or unanswered, which are accepted',
  scope: 'process',
  group: 'External systems',
  needs: 'BREACHED_PASSWORDS_URL',
  labels: ['outcome'],
  read: () => Object.entries(checks).map(([outcome, value]) => ({ labels: { outcome }, value })),
});

/** Returns the labels of a host's name without the last; none of an address. */
const labelsOf = (url: string): string[] =>
  (URL.parse(url)?.hostname ?? '')
    .split('.')
    .slice(0, -1)
    .filter((label) => /[a-z]/i.test(label));
