import { ContractFault, type DescribedOperation } from '../support/api-contract.ts';
import type { Answer } from '../support/client.ts';
import { curlOf } from './curl.ts';
import type { Pool } from './pool.ts';
import type { Sent } from './requests.ts';
import type { World } from './world.ts';

/** A deviation of a response from the description. */
interface Fault {
  request: number;
  what: string;
  /** The mutation of the request. */
  why: string;
  curl: string;
}

/** Operators as the description names those who may call an operation. */
const STAFF = ['administrator', 'moderator'];

/** Whether only operators may call an operation, which changes something. */
const isOfStaff = ({ method, is }: DescribedOperation): boolean =>
  method !== 'GET' && is['x-audience']?.every((one) => STAFF.includes(one)) === true;

/** Faults with the same beginning count as one. */
const ALIKE = 120;
const isLong = (part: string): boolean => part.length >= 24;

const asItStands = ({ actor, method, path, text, headers }: Sent): Promise<Answer> =>
  actor.client.with(headers).sendText(method, path, text);

/** Sends requests, checks their responses against the description, and stores the values that they contain. */
export function sender(world: World, pool: Pool) {
  const faults: Fault[] = [];
  /** Number of successes of each operation. */
  const granted = new Map<string, number>();
  /** The latest failure of each operation. */
  const refusals = new Map<string, string>();
  /** The ids of requests by which operators succeeded with a write, by operation. */
  const writes = new Map<string, string[]>();
  let count = 0;

  /** Records the error that the client throws for a response that deviates from the description. */
  function note(error: unknown, sent?: Sent): void {
    if (!(error instanceof ContractFault)) return;
    const what = error.message.replace(/^\S+ \S+: /, '');
    if (faults.some((one) => one.what.slice(0, ALIKE) === what.slice(0, ALIKE))) return;
    faults.push({ request: count, what, why: sent?.what ?? '', curl: sent ? curlOf(sent) : '' });
  }

  /** Stores the values of a response. */
  function learn({ operation, actor, method, path }: Sent, { status, headers, body }: Answer): void {
    const isGrant = status < 400 && method === operation.method;
    if (isGrant) granted.set(operation.id, (granted.get(operation.id) ?? 0) + 1);
    else
      refusals.set(operation.id, `${status} ${body?.error} ${JSON.stringify(body?.errors)} ${body?.message}`);
    if (isGrant && isOfStaff(operation) && STAFF.includes(actor.kind))
      writes.set(operation.id, [...(writes.get(operation.id) ?? []), headers.get('x-request-id') ?? '']);
    if (isGrant && method === 'DELETE') pool.drop(path.split(/[/?]/).findLast(isLong) ?? '');
    if (typeof body !== 'object' || body === null) return;
    const places = operation.path.split('/').filter((part) => !part.startsWith('{') && part !== 'mine');
    pool.harvest(isGrant ? body.data : { errorId: body.errorId }, actor, places.slice(-1));
  }

  return {
    note,
    faults,
    granted,
    refusals,
    writes,
    count: () => count,
    async send(sent: Sent, way: (sent: Sent) => Promise<Answer> = asItStands): Promise<void> {
      count++;
      const { actor, headers } = sent;
      try {
        const answer = await way(sent);
        learn(sent, answer);
        const areOwn = headers.authorization === undefined && headers['x-api-key'] === undefined;
        if (areOwn) await world.heed(actor, answer.status, answer.body?.error);
      } catch (error) {
        if (!(error instanceof ContractFault)) throw error;
        note(error, sent);
      }
    },
  };
}
