/** Messages between processes: at most once, to whoever listens at that moment. */
export interface Bus {
  publish(channel: string, message: string): Promise<void>;
  /** @returns a function that ends the subscription */
  subscribe(channel: string, receive: (message: string) => void): Promise<() => Promise<void>>;
  /** Whether messages reach the other processes just now; in one process alone, always. */
  isConnected(): boolean;
  /** Calls back whenever they do again: what was published meanwhile was missed. */
  onReconnect(callback: () => void): void;
  close(): Promise<void>;
}
