const address = '/video/hls.js';
/** hls.js where the page has it; else the browser plays HLS itself, or not at all. */
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
    /** Plays this playlist from a second on. */
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
        // The link has an end; a new one goes on at the same place.
        if (response?.code === 403) on.expired(video.readyState > 0 ? video.currentTime : startSeconds);
        else on.fault(details);
      });
      hls.loadSource(url);
      hls.attachMedia(video);
    },
    /**
     * Changes the quality at once, throwing away what was fetched ahead in another.
     * @param level its place in `levels`; -1 leaves it to the player
     */
    setLevel(level) {
      if (hls) hls.currentLevel = level;
    },
    /** @param track its place in `tracks`; -1 is none */
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
