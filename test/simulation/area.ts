import type { Actor, Stage } from './stage.ts';

/**
 * One thing that somebody does, as a value. Its numbers choose among what exists when it is carried out, so that it keeps
 * a meaning when other commands of its history are left out.
 */
export interface Command {
  /** Commands of one round run side by side, those of one person in order. */
  round: number;
  who: number;
  kind: string;
  pick: [number, number, number];
}

/** How often each kind of command is drawn. */
export type Kinds = Record<string, number>;

/** A command that is carried out now. */
export interface Doing {
  actor: Actor;
  pick: Command['pick'];
}

/** A part of the platform, as one history uses it: what each kind of command does, and what must hold. */
export interface Area<Of extends Kinds = Kinds> {
  /** Before the first command. */
  begin?(): Promise<void>;
  commands: Record<keyof Of, (doing: Doing) => Promise<void>>;
  /** Before the clock is moved on. */
  beforeJump?(): Promise<void>;
  /** External systems behave again, and what waits is brought to its end. */
  settle?(): Promise<void>;
  /** Waits for what follows from what has settled. */
  rest?(): Promise<void>;
  /** Once everything rests. @throws AssertionError */
  judge?(): Promise<void>;
  /** Gives back what it holds. */
  end?(): void;
}

export type NewArea = (stage: Stage) => Area;
