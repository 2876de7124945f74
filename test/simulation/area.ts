import type { Actor, Stage } from './stage.ts';

/**
 * One step of a history. Its numbers `pick` among the records that exist when it is executed, so that it still means
 * something when shrinking leaves out other commands of the history.
 */
export interface Command {
  /** The commands of a round run concurrently, except that those of one person run in order. */
  round: number;
  who: number;
  kind: string;
  pick: [number, number, number];
}

/** The weights by which kinds of commands are drawn. */
export type Kinds = Record<string, number>;

/** A command while it is executed: who acts, and the numbers by which they choose. */
export interface Execution {
  actor: Actor;
  pick: Command['pick'];
}

/** The model of a part of the platform for one history: what its commands do, and what must hold at the end. */
export interface Area<Of extends Kinds = Kinds> {
  /** Runs before the first command. */
  begin?(): Promise<void>;
  commands: Record<keyof Of, (execution: Execution) => Promise<void>>;
  /** Runs before the clock is moved on. */
  beforeJump?(): Promise<void>;
  /** Makes external systems work again, and waits for pending work to finish. */
  settle?(): Promise<void>;
  /** Waits for work that other areas' settling has caused. */
  rest?(): Promise<void>;
  /** Compares the platform with the model once no work is left. @throws AssertionError */
  judge?(): Promise<void>;
  /** Releases resources such as servers. */
  end?(): void;
}

export type NewArea = (stage: Stage) => Area;
