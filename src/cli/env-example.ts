import { SETTINGS } from '../config.ts';
import type { Setting } from '../kernel/settings.ts';

/** Returns the content of `.env.example`: every setting, commented out, with its purpose. */
export function envExample(): string {
  const settings = Object.values(SETTINGS).map(
    ({ variable, about, example = '', isSecret }: Setting<unknown>) =>
      `# ${about}\n#${variable}=${example}\n${isSecret ? `#${variable}_FILE=\n` : ''}`,
  );
  return `${HEAD}\n${settings.join('\n')}`;
}

const HEAD = `# Every setting there is; in development all are optional. Copy this to .env to change one.
# A setting with a second line <NAME>_FILE may come from the file that this names instead, as mounted secrets do.
`;
