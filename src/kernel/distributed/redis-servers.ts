import type { Redis } from 'ioredis';

/** What shares the keys and channels: one server, or the nodes of a cluster. */
export interface RedisServers {
  /**
   * Sends a command to the server that has this key or channel. Rejects at once while that server is unreachable or
   * does not answer.
   */
  send<Answer>(key: string, command: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** The slot of a key or channel; a command must not name several of different slots. */
  slotOf(key: string): number;
  /** The URL of the server that has a slot, if one has. */
  ownerOf(slot: number): string | undefined;
  /** The URLs of all servers that have slots. */
  primaries(): string[];
  /** Looks soon at which server has which slots, and calls `onLook` then. */
  lookAgain(): void;
  /** Whether every server answers. */
  isUp(): boolean;
  close(): void;
}

export interface ServerOptions {
  onError: (error: Error) => void;
  /** Called when servers that had failed can be used again. */
  onRecovery?: () => void;
  /** Called after each look at which server has which slots. */
  onLook?: () => void;
}
