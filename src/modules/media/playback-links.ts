import { posix } from 'node:path';
import { THUMBNAILS } from '../../external/transcoder/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Playback } from './contract.ts';
import { secondsOf } from './names.ts';
import type { PlaybackTokens } from './tokens.ts';
import type { PlayableVideo } from './videos.model.ts';

interface LinkDeps {
  tokens: PlaybackTokens;
  publicUrl: () => string;
}

/** Makes the links by which a viewer plays a video; each contains the viewer and expires. */
export const playbackLinks =
  ({ tokens, publicUrl }: LinkDeps) =>
  (video: PlayableVideo, viewerId: ObjectId): Playback => {
    const { token, expiresAt } = tokens.issue(video.id, viewerId, video.durationMs);
    const base = `${publicUrl()}/media/v/${token}`;
    const playlist = (name: string) => `${base}/${video.attempt}/${name}.m3u8`;
    return {
      videoUrl: playlist('master'),
      thumbnailUrl: `${base}/${video.poster}`,
      thumbnails: THUMBNAILS.map((name) => `${base}/${posix.join(posix.dirname(video.poster), name)}`),
      spritesUrl: `${base}/${video.attempt}/sprites.vtt`,
      duration: secondsOf(video.durationMs),
      formats: Object.fromEntries(video.renditions.map((name) => [name, playlist(name)])),
      expiresAt,
    };
  };
