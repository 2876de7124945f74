import { type Chance, seeded } from '../support/chance.ts';
import type { JsonSchema, MessageObject } from '../support/descriptions.ts';
import { LiveClient, type LiveMessage, until } from '../support/live.ts';
import { liveDescription } from '../support/live-contract.ts';
import type { Budget } from './budget.ts';
import { mutationsOf } from './mutations.ts';
import { poolOf } from './pool.ts';
import { valuesOf } from './values.ts';
import type { Actor } from './world.ts';

/** A command as described by AsyncAPI. */
interface Command {
  id: string;
  payload: JsonSchema;
  /** The types of messages that may respond to it. */
  answers: string[];
  codes: string[];
}

/** A client that sends commands, and the names that its commands may use. */
export interface Speaker {
  url: string;
  token: string;
  names: Record<string, string>;
}

const messageOf = ({ $ref }: { $ref: string }) =>
  liveDescription().components.messages[$ref.split('/').at(-1) as string] as MessageObject;

function commands(): Command[] {
  const operations = Object.entries(liveDescription().operations);
  return operations
    .filter(([, { action }]) => action === 'receive')
    .map(([id, operation]) => {
      // The id of the request is chosen here, so that its answer is recognized.
      const { payload: whole } = messageOf(operation.messages[0] as { $ref: string });
      const { requestId, ...properties } = whole.properties;
      const payload = { ...whole, properties };
      const answers = (operation.reply?.messages ?? []).map((one) => messageOf(one).name);
      return { id, payload, answers, codes: operation['x-error-codes'] };
    });
}

/** Returns how the response to a command deviates from the description; undefined if it does not. */
function misfitOf(command: Command, answer: LiveMessage | undefined, isGood: boolean): string | undefined {
  // `chat:typing` gets a response only if it is refused.
  if (answer === undefined) return command.answers.length > 1 ? `${command.id} was not answered` : undefined;
  const summary = `${command.id} was answered ${JSON.stringify(answer).slice(0, 300)}`;
  const code = answer.data?.code;
  // A mutated command may be another command, or none.
  if (!isGood) return undefined;
  if (!command.answers.includes(answer.type)) return `${summary}, of no declared type`;
  return code !== undefined && !command.codes.includes(code)
    ? `${summary}, a code that it does not declare`
    : undefined;
}

/**
 * Sends commands generated from the description, valid and mutated. The response must conform to the description; a
 * `ping` sent after each command shows when its response would have arrived. The live client checks the shape of
 * every message.
 */
export async function fuzzCommands(speaker: Speaker, { seed, requests: most, seconds }: Budget) {
  const chance: Chance = seeded(seed);
  const pool = poolOf(chance);
  const nobody = { kind: 'nobody' } as unknown as Actor;
  for (const [name, value] of Object.entries(speaker.names)) pool.add(name, value, nobody);
  const [valid, mutations, all] = [valuesOf(chance, pool), mutationsOf(chance, pool), commands()];
  const faults = new Set<string>();
  const answered = new Map<string, number>();
  const endsAt = Date.now() + seconds * 1_000;
  let client = await LiveClient.open(speaker.url, speaker.token);
  let count = 0;

  /** Sends a command and returns its response, if there is one. */
  async function ask(message: object): Promise<LiveMessage | undefined> {
    const [requestId, after] = [`command ${count}`, `ping ${count}`];
    client.send({ ...message, requestId });
    client.send({ type: 'ping', requestId: after });
    // Some refusals close the connection.
    const isOver = (): boolean =>
      client.closed !== undefined || client.received.some((one) => one.requestId === after);
    await until(isOver, `the pong after ${JSON.stringify(message).slice(0, 300)}`);
    const found = client.received.find((one) => one.requestId === requestId);
    client.received.length = 0;
    return found;
  }

  for (; count < most && Date.now() < endsAt; count++) {
    const command = chance.pick(all);
    const message = valid(command.payload, '', 0.5) as { type: string; token?: unknown };
    const isGood = chance.happens(0.5);
    if (!isGood) mutations.body(message, command.payload);
    if (message.type === 'auth') message.token = chance.happens(0.5) ? speaker.token : message.token;
    const answer = await ask(message);
    if (answer && !answer.type.endsWith('rror'))
      answered.set(command.id, (answered.get(command.id) ?? 0) + 1);
    const misfit = misfitOf(command, answer, isGood);
    if (misfit) faults.add(misfit);
    if (client.closed) client = await LiveClient.open(speaker.url, speaker.token);
  }
  client.close();
  return { count, answered, faults: [...faults], commands: all.map(({ id }) => id) };
}
