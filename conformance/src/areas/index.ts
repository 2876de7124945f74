import type { Area } from '../cases.ts';
import { access } from './access.ts';
import { administration } from './administration.ts';
import { analytics } from './analytics.ts';
import { chat } from './chat.ts';
import { education } from './education.ts';
import { educators } from './educators.ts';
import { envelope } from './envelope.ts';
import { events } from './events.ts';
import { everybody } from './everybody.ts';
// from './events.ts';
import { factors } from './factors.ts';
import { indicators } from './indicators.ts';
import { limits } from './limits.ts';
import { live } from './live.ts';
import { marketplace } from './marketplace.ts';
import { members } from './members.ts';
import { notifications } from './notifications.ts';
import { permissions } from './permissions.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { wallet } from './wallet.ts';
import { webhooks } from './webhooks.ts';

/** All areas, in the order in which they run. */
export const AREAS: readonly Area[] = [
  envelope,
  access,
  limits,
  signIn,
  sessions,
  factors,
  permissions,
  wallet,
  education,
  educators,
  chat,
  live,
  notifications,
  analytics,
  indicators,
  marketplace,
  events,
  webhooks,
  members,
  administration,
  everybody,
];
