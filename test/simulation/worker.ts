// A process that plays the histories that its parent sends, several at a time, since each often waits.
import { installFault } from './planting.ts';

const planted = process.env.SIMULATION_PLANTED;
if (planted) installFault(planted);
// Imported after the fault was installed, because faults are planted when modules are loaded.
const { work } = await import('./working.ts');
work();
