const address = '/video/hls.js';
/** Uses hls.js if the page has loaded it; otherwise the browser plays HLS itself, if it can. */
const Hls = await import(address).then(
  (module) => module.default,
  () => undefined,
);

/**
 * Plays HLS in a video element.
 * @param on what the page is told: `levels` (heights), `level` (the height that plays), `tracks` (captions), `expired`,
 *   `fault`
 */
export function player(video, on) {
  let hls;
  return {
    /** Starts this playlist at a position in seconds. */
    load(url, startSeconds = 0) {
      hls?.destroy();
      if (!Hls?.isSupported()) {
        video.src = url;
        const begin = () => {
          video.currentTime = startSeconds;
        };
        video.addEventListener('loadedmetadata', begin, { once: true });
        return;
      }
      hls = new Hls({ startPosition: startSeconds, capLevelToPlayerSize: false });
      hls.on(Hls.Events.MANIFEST_PARSED, () => on.levels(hls.levels.map(({ height }) => height)));
      hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => on.level(hls.levels[level].height));
      hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, (_event, { subtitleTracks }) =>
        on.tracks(subtitleTracks.map(({ name }) => name)),
      );
      hls.on(Hls.Events.ERROR, (_event, { fatal, details, response }) => {
        if (!fatal) return;
        // The link expires; the player continues at the same position with a new one.
        if (response?.code === 403) on.expired(video.readyState > 0 ? video.currentTime : startSeconds);
        else on.fault(details);
      });
      hls.loadSource(url);
      hls.attachMedia(video);
    },
    /**
     * Changes the quality at once and discards what was buffered in another one.
     * @param level its index in `levels`; -1 lets the player choose
     */
    setLevel(level) {
      if (hls) hls.currentLevel = level;
    },
    /** @param track its index in `tracks`; -1 is none */
    setTrack(track) {
      if (hls) hls.subtitleTrack = track;
    },
    stop() {
      hls?.destroy();
      hls = undefined;
      video.removeAttribute('src');
      video.load();
    },
  };
}
