import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, drainSecondsOf } from '../app/config.ts';
import { holdDatabase } from './hold-database.ts';
import { type Lifetime, lifetime } from './lifetime.ts';
import { loadSandbox } from './load-sandbox.ts';
import { newLog } from './log.ts';
import { operatorOutput, progress } from './progress.ts';
import { provideFfmpeg } from './provide-ffmpeg.ts';

/** Starts everything in this process and runs until SIGTERM or SIGINT. */
export async function start(config: Config): Promise<void> {
  const log = newLog(config);
  const drainMs = drainSecondsOf(config) * 1000;
  const life = lifetime({ log, tell: operatorOutput(config), drainMs, stopMs: config.stopSeconds * 1000 });
  await life.begin(() => startAll(config, log, life));
}

async function startAll(config: Config, log: Logger, life: Lifetime): Promise<void> {
  const tell = progress(config);
  provideFfmpeg(config);
  const holding = holdDatabase(config, log, false, () =>
    tell(`Starting PostgreSQL under ${config.dataDir}, which takes longer the first time`),
  );
  const loading = loadBeside(holding, config);
  loading.catch(() => undefined); // reported where it is awaited
  const hold = await holding;
  life.register({ end: hold.release, abandon: hold.abandon });
  const serve = await loading;
  await serve(config, log, life, hold.url);
}

/** Loads the platform, which keeps this process busy, while PostgreSQL starts in processes of its own. */
async function loadBeside(
  holding: Promise<unknown>,
  { environment }: Config,
): Promise<typeof import('./serve.ts').serve> {
  holding.catch(() => undefined); // reported where it is awaited
  // Within two turns of the event loop the first process of PostgreSQL has been started.
  await setImmediate();
  await setImmediate();
  const { serve } = await import('./serve.ts');
  if (environment === 'development') await loadSandbox();
  return serve;
}
