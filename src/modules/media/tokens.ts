import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import type { Secrets } from '../../kernel/secrets.ts';
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
export function playbackTokens({ secrets, clock }: { secrets: Secrets; clock: Clock }) {
  const signer = secrets.signer('media playback links');
  const verified = recentlyUsed<string, PlaybackGrant>(MAX_VERIFIED);

  return {
    /** Issues a token; identical within an hour, so that caches remain effective. */
    issue(videoId: ObjectId, viewerId: ObjectId, durationMs: number): { token: string; expiresAt: Date } {
      const leastMs = clock.now() + LENGTHS * durationMs + SLACK_MS;
      const expiresAt = new Date(Math.ceil(leastMs / HOUR_MS) * HOUR_MS);
      const signed = `${BEGINNING}${videoId}.${viewerId}.${(expiresAt.getTime() / 1000).toString(36)}`;
      return { token: `${signed}.${signer.sign(signed).toString('base64url')}`, expiresAt };
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
    const videoId = first.slice(BEGINNING.length);
    // Signatures are compared as texts, so that of the encodings of the same bytes only the canonical one is accepted.
    const isOurs = signer.isSigned(`${first}.${viewerId}.${expiry}`, mac);
    if (rest.length > 0 || !isOurs || !OBJECT_ID.test(videoId)) return undefined;
    return { videoId, viewerId, expiresAt: new Date(Number.parseInt(expiry, 36) * 1000) };
  }
}

export type PlaybackTokens = ReturnType<typeof playbackTokens>;
