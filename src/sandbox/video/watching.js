import { playerOf } from '/sdk.js';
import { $, attempt, chosen, fill } from './page-parts.js';
import { player } from './player.js';

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const video = $('video');
/** The video that plays. Its progress is reported for its own lesson, even if another one is selected. */
let played;

const playback = player(video, {
  levels: (heights) =>
    fill(
      $('quality'),
      [[-1, 'Automatic']],
      heights.map((height, place) => [place, `${height}p`]),
    ),
  level: (height) => {
    $('playing').dataset.height = height;
    $('playing').textContent = `Playing ${height}p`;
  },
  tracks: (names) =>
    fill(
      $('captions'),
      [[-1, 'Off']],
      names.map((name, place) => [place, name]),
    ),
  // The link expires; the player continues at the same position with a new one.
  expired: attempt(async (seconds) => load(await played.source.url(played.url), seconds)),
  fault: (details) => {
    $('fault').textContent = `The player says ${details}`;
  },
});
$('quality').addEventListener('change', () => playback.setLevel(Number($('quality').value)));
$('captions').addEventListener('change', () => playback.setTrack(Number($('captions').value)));

/** Plays the lesson's video, from a given second or where the member left it. */
export async function play(fromSeconds) {
  const { api, course, lesson } = chosen;
  const source = playerOf(api, lesson.id, { educatorId: course.instructor.id });
  const url = await source.url();
  // The member may have pressed play before the response arrived.
  const goesOn = fromSeconds !== undefined && !video.paused;
  await stop();
  $('playing').textContent = url ? '' : 'There is nothing to play yet, or you are not enrolled.';
  if (!url) return;
  const at = fromSeconds ?? (course.enrolled ? await positionIn(course, lesson) : 0);
  played = { source, isKept: course.enrolled };
  if (at > 0) $('playing').textContent = `Continues at ${clock(at)}`;
  await load(url, at);
  if (goesOn) await video.play();
}

async function load(url, fromSeconds) {
  const goesOn = !video.paused;
  played.url = url;
  // Captions that were just saved are missing from a playlist that the browser keeps for half a minute.
  playback.load(`${url}?at=${Date.now()}`, fromSeconds);
  if (goesOn) await video.play();
}

async function positionIn(course, lesson) {
  const { lessons } = await chosen.api.courses.getProgress(course.id);
  const known = lessons.find(({ lessonId }) => lessonId === lesson.id);
  return known && !known.completed ? known.positionSeconds : 0;
}

/** Reports the member's position; only enrolled members have progress. */
function report(completed) {
  if (played?.isKept && video.readyState > 0) played.source.report(video.currentTime, completed);
}
/** Reports the position at once. */
async function save() {
  if (!played?.isKept) return;
  const seconds = Math.floor(video.currentTime);
  await played.source.stop();
  $('playing').dataset.saved = seconds;
}
video.addEventListener('timeupdate', () => {
  if (!video.paused) report();
});
video.addEventListener(
  'pause',
  attempt(async () => {
    // At the end, `ended` follows.
    if (video.ended) return;
    report();
    await save();
  }),
);
video.addEventListener(
  'ended',
  attempt(async () => {
    report(true);
    await save();
  }),
);

/** Stops the current video, before another one starts. */
export async function stop() {
  const former = played;
  played = undefined;
  playback.stop();
  fill($('quality'), [[-1, 'Automatic']], []);
  fill($('captions'), [[-1, 'Off']], []);
  await former?.source.stop();
}
