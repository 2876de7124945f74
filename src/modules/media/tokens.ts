import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import { type Clock, HOUR_MS } from '../../kernel/time/time.ts';

/** The permission conveyed by a link: this viewer may play this video until it expires. */
export interface PlaybackGrant {
  videoId: ObjectId;
  viewerId: ObjectId;
  expiresAt: Date;
}

export type TokenFault = 'forged' | 'expired';

/** Prefix of playback tokens, by which failure reports and logs recognize them as secrets. */
const BEGINNING = 'plbk_';

/** Multiple of the duration for which a link is valid, so that it outlives pauses and rewinding. */
const LENGTHS = 3;
const SLACK_MS = 4 * HOUR_MS;

/** Maximum number of verified tokens remembered; a viewer sends the same one with every segment. */
const MAX_VERIFIED = 20_000;

/**
 * The token in the path of playlists and segments. It is self-contained, so that segments are served without database
 * queries, and every relative URL in a playlist inherits it.
 */
export function playbackTokens({ secretKey, clock }: { secretKey: string; clock: Clock }) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'media playback links', 32));
  const verified = recentlyUsed<string, PlaybackGrant>(MAX_VERIFIED);
  const macOf = (signed: string): Buffer => createHmac('sha256', key).update(signed).digest();

  return {
    /** Issues a token; identical within an hour, so that caches remain effective. */
    issue(videoId: ObjectId, viewerId: ObjectId, durationMs: number): { token: string; expiresAt: Date } {
      const leastMs = clock.now() + LENGTHS * durationMs + SLACK_MS;
      const expiresAt = new Date(Math.ceil(leastMs / HOUR_MS) * HOUR_MS);
      const signed = `${BEGINNING}${videoId}.${viewerId}.${(expiresAt.getTime() / 1000).toString(36)}`;
      return { token: `${signed}.${macOf(signed).toString('base64url')}`, expiresAt };
    },
    read(token: string): PlaybackGrant | TokenFault {
      const grant = genuine(token);
      if (!grant) return 'forged';
      return grant.expiresAt.getTime() > clock.now() ? grant : 'expired';
    },
    /** Returns the viewer to whom a genuine token was issued, even if it has expired. */
    viewerOf: (token: string): ObjectId | undefined => genuine(token)?.viewerId,
  };

  function genuine(token: string): PlaybackGrant | undefined {
    const remembered = verified.get(token);
    if (remembered) return remembered;
    const grant = verify(token);
    if (grant) verified.set(token, grant);
    return grant;
  }

  /** Returns the grant of a genuine token, whether or not it has expired. */
  function verify(token: string): PlaybackGrant | undefined {
    const [first = '', viewerId = '', expiry = '', mac = '', ...rest] = token.split('.');
    const given = Buffer.from(mac, 'base64url');
    const expected = macOf(`${first}.${viewerId}.${expiry}`);
    const videoId = first.slice(BEGINNING.length);
    // Base64 can encode the same bytes in several ways; only the canonical one is accepted.
    const isOurs = mac === given.toString('base64url') && given.length === expected.length;
    if (rest.length > 0 || !isOurs || !timingSafeEqual(given, expected) || !OBJECT_ID.test(videoId))
      return undefined;
    return { videoId, viewerId, expiresAt: new Date(Number.parseInt(expiry, 36) * 1000) };
  }
}

export type PlaybackTokens = ReturnType<typeof playbackTokens>;
