import { SETTINGS } from '../config.ts';

/** What `.env.example` holds: every setting, commented out, with a line of what it is for. */
export function envExample(): string {
  const settings = Object.values(SETTINGS).map(
    ({ variable, about, example = '' }) => `# ${about}\n#${variable}=${example}\n`,
  );
  return `# Every setting there is; in development all are optional. Copy this to .env to change one.\n\n${settings.join('\n')}`;
}
