import type { CircuitBoard } from '../../kernel/net/circuit-breaker.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { BreachedPasswords } from './port.ts';
import { passwordRanges } from './ranges.ts';
import type { BreachSettings } from './settings.ts';

/** Returns the list of breached passwords, or undefined when none is configured. */
export const breachedPasswords = (
  { url }: BreachSettings,
  parts: { clock: Clock; board: CircuitBoard },
): BreachedPasswords | undefined => (url === undefined ? undefined : passwordRanges({ ...parts, url }));
