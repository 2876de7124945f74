/** Messages between processes, delivered at most once, to current subscribers. */
export interface Bus {
  /** Whether it has other processes to reach. */
  readonly isShared: boolean;
  publish(channel: string, message: string): Promise<void>;
  /** @returns a function that ends the subscription */
  subscribe(channel: string, receive: (message: string) => void): Promise<() => Promise<void>>;
  /** Whether messages currently reach the other processes; always true for a single process. */
  isConnected(): boolean;
  /** Registers a callback for each reconnection; messages published during the outage were missed. */
  onReconnect(callback: () => void): void;
  close(): Promise<void>;
}
