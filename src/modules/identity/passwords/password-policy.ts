import type { BreachedPasswords } from '../../../external/breaches/port.ts';
import type { Core } from '../../../kernel/core.ts';
import { validationFailed } from '../../../kernel/failures.ts';
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
   * Refuses a common password, and one that is made of names of its owner or the platform, unless that is turned off.
   * @param field of the request, for the answer
   * @throws 422
   */
  async function mustBeUnguessable(password: string, owner: PasswordOwner, field = 'password') {
    if (!isOn) return;
    if ((await loadOnce())(password)) throw unfit(field, 'is too common');
    if (isGuessable(password, owner))
      throw unfit(
        field,
        `must have ${SHORTEST_PASSWORD} characters besides your name, your e-mail address and words of this platform`,
      );
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
    if (isKnown) throw unfit(field, 'is known from a data breach; choose one that you use nowhere else');
  }

  return {
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

const unfit = (field: string, message: string) => validationFailed([{ field, message }]);

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
