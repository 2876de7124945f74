/** Adds the captions of these languages to a master playlist. */
export function withCaptions(master: string, languages: string[]): string {
  if (languages.length === 0) return master;
  const media = languages.map(
    (language) =>
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="${nameOf(language)}",LANGUAGE="${language}",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="../captions/${language}.m3u8"`,
  );
  const lines = master.split('\n');
  const first = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  if (first < 0) return master;
  return [...lines.slice(0, first), ...media, ...lines.slice(first)]
    .map((line) => (line.startsWith('#EXT-X-STREAM-INF:') ? `${line},SUBTITLES="captions"` : line))
    .join('\n');
}

/** Returns the name of a language in that language. */
function nameOf(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.replaceAll(/["\r\n]/g, '');
  } catch {
    return language;
  }
}

/** Returns the playlist for a language's captions, which are a single file. */
export const captionPlaylist = (language: string, seconds: number): string =>
  [
    ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`],
    ...['#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD'],
    ...[`#EXTINF:${seconds.toFixed(3)},`, `${language}.vtt`, '#EXT-X-ENDLIST', ''],
  ].join('\n');
