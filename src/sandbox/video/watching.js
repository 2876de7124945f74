import { playerOf } from '/sdk.js';
import { $, attempt, chosen, fill } from './page-parts.js';
import { player } from './player.js';

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const video = $('video');
/** What plays: what is said of it stays its own when another lesson is chosen. */
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
  // The link has an end; a new one goes on at the same place.
  expired: attempt(async (seconds) => load(await played.source.url(played.url), seconds)),
  fault: (details) => {
    $('fault').textContent = `The player says ${details}`;
  },
});
$('quality').addEventListener('change', () => playback.setLevel(Number($('quality').value)));
$('captions').addEventListener('change', () => playback.setTrack(Number($('captions').value)));

/** Plays the lesson's video where the member left it, or from a second on. */
export async function play(fromSeconds) {
  const { api, course, lesson } = chosen;
  const source = playerOf(api, lesson.id, { educatorId: course.instructor.id });
  const url = await source.url();
  // The member may have pressed play while the answer was on its way.
  const goesOn = fromSeconds !== undefined && !video.paused;
  await stop();
  $('playing').textContent = url ? '' : 'There is nothing to play yet, or you are not enrolled.';
  if (!url) return;
  const at = fromSeconds ?? (course.enrolled ? await positionIn(course, lesson) : 0);
  played = { source, isKept: course.enrolled };
  if (at > 0) $('playing').textContent = `Goes on at ${clock(at)}`;
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

/** Says where the member is; only who is enrolled has progress. */
function report(completed) {
  if (played?.isKept && video.readyState > 0) played.source.report(video.currentTime, completed);
}
/** Sends that at once. */
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

/** Ends what plays, before something else does. */
export async function stop() {
  const former = played;
  played = undefined;
  playback.stop();
  fill($('quality'), [[-1, 'Automatic']], []);
  fill($('captions'), [[-1, 'Off']], []);
  await former?.source.stop();
}
