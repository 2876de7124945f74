import { createHash } from 'node:crypto';
import { type CircuitBoard, circuitBreaker } from '../../kernel/net/circuit-breaker.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { BreachedPasswords } from './port.ts';

interface RangeOptions {
  /** Without a slash at its end. */
  url: string;
  clock: Clock;
  board?: CircuitBoard;
}

/** Short, because somebody waits for it who signs up or changes a password, and who is not refused without an answer. */
const TIMEOUT_MS = 1_500;
/** The digits of a digest that are sent: each range has some thousand passwords. */
const SENT_DIGITS = 5;
/** The rest of a digest, and how often the password was found; zero in the lines that only fill an answer up. */
const LINE = /^([0-9A-F]{35}):(\d{1,15})$/i;

/**
 * Returns the list that a service offers by ranges of digests, as Have I Been Pwned does: `GET <url>/21BD1` responds with a
 * line for each password whose SHA-1 digest begins so. The digits sent are kept out of logs and messages, too.
 */
export function passwordRanges({ url, clock, board }: RangeOptions): BreachedPasswords {
  const call = outboundClient({
    baseUrl: `${url}/`,
    headers: { accept: 'text/plain', 'add-padding': 'true', 'user-agent': 'platform-api' },
    timeoutMs: TIMEOUT_MS,
    retries: 0,
  });
  const fault = (reason: string) => new ExternalFault(`the list of breached passwords ${reason}`);
  const guarded = circuitBreaker(clock, () => fault('is unavailable; calls are suspended'), {
    system: 'breaches',
    board,
  });

  async function rangeOf(digits: string): Promise<string> {
    const answer = await call({ method: 'GET', path: digits, answers: 'text' }).catch(({ status }) => {
      throw fault(status === undefined ? 'did not answer' : `answered ${status}`);
    });
    if (answer.status !== 200) throw fault(`answered ${answer.status}`);
    return answer.body as string;
  }

  return {
    includes: (password) =>
      guarded(async () => {
        const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
        const lines = (await rangeOf(digest.slice(0, SENT_DIGITS))).split(/\r?\n/).filter(Boolean);
        const found = lines.map((line) => LINE.exec(line));
        if (!found.every((one) => one !== null)) throw fault('answered something else');
        const rest = digest.slice(SENT_DIGITS);
        return found.some(([, suffix = '', count]) => suffix.toUpperCase() === rest && Number(count) > 0);
      }),
  };
}
