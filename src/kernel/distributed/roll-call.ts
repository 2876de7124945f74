import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from './bus.ts';

/** How long other processes may take to answer. */
const PATIENCE_MS = 300;

interface RollCallDeps<Question, Answer> {
  bus: Bus;
  /** Names this process. */
  node: string;
  /** Names the kind of question on the bus. */
  name: string;
  /** The answer of this process; undefined if it has none. */
  answer: (question: Question) => Answer | undefined;
}

/**
 * Asks all processes of the installation. Those that do not answer in time are left out; while the bus is interrupted,
 * only this process answers.
 */
export function rollCall<Question, Answer>({ bus, node, name, answer }: RollCallDeps<Question, Answer>) {
  const waiting = new Map<string, Answer[]>();
  const answersTo = (asker: string): string => `${name}:answers:${asker}`;

  return {
    /** Begins to answer the questions of other processes. */
    async start(): Promise<void> {
      if (!bus.isShared) return;
      await bus.subscribe(answersTo(node), (message) => {
        const { id, answered } = JSON.parse(message) as { id: string; answered: Answer };
        waiting.get(id)?.push(answered);
      });
      await bus.subscribe(`${name}:questions`, (message) => {
        const { id, asker, question } = JSON.parse(message) as {
          id: string;
          asker: string;
          question: Question;
        };
        const answered = asker === node ? undefined : answer(question);
        // An answer that is lost is one that did not come in time.
        if (answered !== undefined)
          bus.publish(answersTo(asker), JSON.stringify({ id, answered })).catch(() => undefined);
      });
    },
    /** Returns the answers of all processes, this one first. */
    async ask(question: Question): Promise<Answer[]> {
      const answered = answer(question);
      const own = answered === undefined ? [] : [answered];
      if (!bus.isShared || !bus.isConnected()) return own;
      const id = randomUUID();
      const others: Answer[] = [];
      waiting.set(id, others);
      try {
        await bus.publish(`${name}:questions`, JSON.stringify({ id, asker: node, question }));
        await sleep(PATIENCE_MS);
      } catch {
        // The bus is interrupted; the answers so far are those that can be had.
      } finally {
        waiting.delete(id);
      }
      return [...own, ...others];
    },
  };
}
