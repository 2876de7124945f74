// A process that plays the histories that it is sent, several side by side: each waits now and then.
import { installFault } from './planting.ts';

const planted = process.env.SIMULATION_PLANTED;
if (planted) installFault(planted);
// Only now, because the fault is planted in the source as it is loaded.
const { work } = await import('./working.ts');
work();
