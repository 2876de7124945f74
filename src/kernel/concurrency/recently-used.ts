import { LRUCache } from 'lru-cache';

/**
 * Returns a map of at most `maxEntries` entries that evicts the least recently used. It grows as it is filled: with
 * `max` alone the library allocates everything ahead, which takes 20 ms for 200,000 entries.
 */
export const recentlyUsed = <Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 });
