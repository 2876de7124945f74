import { type Config, logLevelOf } from '../app/config.ts';

/** Levels of the log's format. */
const LEVELS = { info: 30, warn: 40 };

/**
 * Returns a function that writes a sentence for the operator to standard error: as text for people, or as log lines in
 * production. Standard output is reserved for the ready line, which programs read.
 */
export function operatorOutput(config: Config): (sentence: string, level?: keyof typeof LEVELS) => void {
  const isLogged = config.environment === 'production' && !process.stderr.isTTY;
  if (!isLogged) return (sentence) => process.stderr.write(`${sentence}\n`);
  const shown: string[] =
    { debug: ['info', 'warn'], info: ['info', 'warn'], warn: ['warn'] }[logLevelOf(config)] ?? [];
  return (sentence, level = 'info') => {
    if (!shown.includes(level)) return;
    const msg = sentence.replace(/ \.\.\.$/, '');
    const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, role: config.role, msg };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
}

/** Returns a function that writes the current step of a command. */
export function progress(config: Config): (what: string) => void {
  const tell = operatorOutput(config);
  return (what) => tell(`${what} ...`);
}
